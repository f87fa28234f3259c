import type { Json } from "../../../../store/store.ts";
import { refuse, toList } from "../../../guard/refuse.ts";
import { showValue } from "../../../show-value.ts";
import type { Bench } from "../bench.ts";
import { removeCalls, removeUses, sayGone } from "../adapt-examples.ts";
import { type Field, findField, isFieldName, requireField } from "../find-field.ts";
import { findTool } from "../find-tool.ts";
import { modulesOf, refuseUnknownField } from "../knows-value.ts";
import type { Deed, Phrase, Said } from "../phrase.ts";
import { FIELD, SET, TAKE, toPhrase } from "../to-phrase.ts";

const KEY =
  "minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minLength|maxLength|pattern|minItems|maxItems|uniqueItems|format|minProperties|maxProperties";
const TYPE = "string|number|integer|boolean|array|object|text|list|flag";
/** Why a field is deprecated: there is no place for that. */
const WHY = ",?(?: (?:because|since) .+)?";
const TYPES: Readonly<Record<string, string>> = { text: "string", list: "array", flag: "boolean" };

/** Phrases about the inputs and outputs of a tool. */
export const FIELD_PHRASES: readonly Phrase[] = [
  toPhrase(`${TAKE} (?:the )?(?:(?:optional|required) )?(?<side>${FIELD}) {field}(?: (?:of|from|in) {tool})?`, remove),
  toPhrase(`${TAKE} (?:the )?{field} (?<side>${FIELD})(?: (?:of|from|in) {tool})?`, remove),
  toPhrase(`${TAKE} (?:the )?{field} from {tool}`, remove),
  toPhrase(
    `add (?:an? )?(?:new )?(?<need>optional |required )?(?:(?<type>${TYPE}) )?(?<side>${FIELD}) {field}(?: of type (?<type2>${TYPE}))? to {tool}(?: with (?:the )?default {value})?`,
    add,
  ),
  toPhrase(
    `make (?:the )?(?:(?<side>${FIELD}) )?{field} (?:of|in) {tool} (?<need>optional|required)(?: with (?:the )?default {value})?`,
    setNeed,
  ),
  toPhrase(
    `make (?:the )?{field} (?<side>${FIELD}) (?:(?:of|in) {tool} )?(?<need>optional|required)(?: with (?:the )?default {value})?`,
    setNeed,
  ),
  toPhrase(`deprecate (?:the )?(?<side>${FIELD}) {field} (?:of|in) {tool}${WHY}`, deprecate),
  toPhrase(`deprecate (?:the )?{field} (?<side>${FIELD})(?: (?:of|in) {tool})?${WHY}`, deprecate),
  toPhrase(
    `${SET} (?:the )?(?<key>default|${KEY}) (?:of|for) (?:the )?(?:(?<side>${FIELD}) )?{field} (?:of|in) {tool} to {value}`,
    setKey,
  ),
];

function remove(said: Said): Deed | undefined {
  const field = readField(said);
  return field && removeField(field);
}

/** Takes a field away, with the examples that name it. */
export function removeField(field: Field): Deed {
  return async (bench) => {
    const { tool, side, name, path } = field;
    const isRead = modulesOf(bench.ground.version, tool).some((code) => code.includes(name));
    if (field.required) await unrequire(bench, field);
    const gone = await removeUses(bench, field);
    const callers = side === "input" ? await removeCalls(bench, field) : [];
    await bench.remove(tool.file, path);
    const warning = side === "input" && isRead ? ` Its handler still reads it, and gets nothing.` : "";
    bench.say(
      side === "input"
        ? `\`${tool.name}\` takes no \`${name}\` any more.${warning}`
        : `\`${tool.name}\` gives no \`${name}\` any more.`,
    );
    sayGone(bench, tool.name, gone);
    if (callers.length > 0) bench.say(`Examples of ${toList(callers)} that call it so are gone.`);
    bench.need("major");
  };
}

function add(said: Said): Deed | undefined {
  const { version } = said.ground;
  const tool = findTool(version, said.name("tool"));
  const name = said.name("field");
  if (tool === undefined || !/^[A-Za-z_][\w-]{0,63}$/.test(name)) return undefined;
  const side = sideOf(said) ?? "input";
  if (findField(version, name, { tool, side }) !== undefined) {
    throw refuse(`The ${side} of \`${tool.name}\` has a field \`${name}\` already.`, "Give it another name.");
  }
  refuseUnknownField(version, tool, side, name);
  const word = (said.name("type") || said.name("type2")).toLowerCase();
  const value = said.value("value");
  const type = TYPES[word] ?? (word === "" ? undefined : word);
  if (type === undefined) {
    throw refuse(`Of which type is \`${name}\`?`, `Say "add an optional string argument ${name} to ${tool.name}".`);
  }
  const isRequired = /required/i.test(said.name("need"));
  if (side === "input" && isRequired && tool.examples.length > 0) {
    throw refuse(
      `The examples of \`${tool.name}\` do not have \`${name}\`.`,
      "Attach a diff that changes them as well.",
    );
  }
  const schema: Json = { type, ...(value === undefined ? {} : { default: value }) };
  return async (bench) => {
    await bench.set(tool.file, [side, "properties", name], schema);
    if (isRequired) await bench.addItem(tool.file, [side, "required"], name);
    bench.say(side === "input" ? `\`${tool.name}\` takes \`${name}\`.` : `\`${tool.name}\` gives \`${name}\`.`);
    bench.need(isRequired && side === "input" ? "major" : "minor");
  };
}

function setNeed(said: Said): Deed | undefined {
  const field = readField(said);
  return field && setFieldNeed(field, /required/i.test(said.name("need")), { value: said.value("value") });
}

/** Makes a field required or optional; refuses an optional input that the handler would have to do without, unless it was offered so. */
export function setFieldNeed(
  field: Field,
  isRequired: boolean,
  { value, isOffered = false }: { value?: Json | undefined; isOffered?: boolean } = {},
): Deed {
  const { tool, side, name, path, schema } = field;
  const list = [...path.slice(0, -2), "required"];
  const hasDefault = side === "input" && Object.hasOwn(schema, "default");
  const isBare = !isRequired && side === "input" && value === undefined && !hasDefault;
  if (isBare && !isOffered) {
    const accepted = `Say "make ${name} of ${tool.name} optional with default <value>", or attach a diff that changes the handler too.`;
    throw refuse(
      `The handler of \`${tool.name}\` would have to do without \`${name}\`, which has no default.`,
      accepted,
    );
  }
  return async (bench) => {
    if (isRequired) await bench.addItem(tool.file, list, path.at(-1) ?? "");
    else await unrequire(bench, field);
    if (value !== undefined) await bench.set(tool.file, [...path, "default"], value);
    // A default stands in for what is missing, so callers could still leave it out.
    const losesDefault = isRequired && hasDefault && value === undefined;
    if (losesDefault) await bench.remove(tool.file, [...path, "default"]);
    const need = losesDefault ? "required, and has no default any more" : isRequired ? "required" : "optional";
    bench.say(
      `\`${name}\` in the ${side} of \`${tool.name}\` is ${need}.${isBare ? " Its handler may count on it." : ""}`,
    );
    bench.need(isRequired === (side === "input") ? "major" : "minor");
  };
}

function deprecate(said: Said): Deed | undefined {
  const field = readField(said);
  return field && deprecateField(field);
}

/** Marks a field as one that callers should no longer use. */
export function deprecateField({ tool, side, name, path }: Field): Deed {
  return async (bench) => {
    const isChanged = await bench.set(tool.file, [...path, "deprecated"], true);
    if (isChanged) bench.say(`\`${name}\` in the ${side} of \`${tool.name}\` is deprecated.`);
    bench.need("patch");
  };
}

function setKey(said: Said): Deed | undefined {
  const field = readField(said);
  const value = said.value("value");
  if (field === undefined || value === undefined) return undefined;
  const { tool, side, name, path } = field;
  const key = KEYS.find((one) => one.toLowerCase() === said.name("key").toLowerCase()) ?? "default";
  return async (bench) => {
    const isChanged = await bench.set(tool.file, [...path, key], value);
    if (isChanged) bench.say(`\`${key}\` of \`${name}\` in the ${side} of \`${tool.name}\` is ${showValue(value)}.`);
  };
}

const KEYS = KEY.split("|");
const KIND = new RegExp(` ${FIELD}$`, "i");

/** A list of required fields that names none goes with the last of them. */
async function unrequire(bench: Bench, { tool, path }: Field): Promise<void> {
  const list = [...path.slice(0, -2), "required"];
  await bench.removeItem(tool.file, list, path.at(-1) ?? "");
  const rest = await bench.find(tool.file, list);
  if (Array.isArray(rest) && rest.length === 0) await bench.adapt(tool.file, { kind: "remove", path: list });
}

/** The field that a clause names; undefined where it names none, so that it is about something else. */
function readField(said: Said): Field | undefined {
  const { version } = said.ground;
  const words = said.name("field").replace(KIND, "");
  const name = words.replaceAll(" ", "_");
  if (!isFieldName(name)) return undefined;
  const named = said.name("tool");
  const tool = named === "" ? undefined : findTool(version, named);
  if (named !== "" && tool === undefined) return undefined;
  const side = sideOf(said);
  return tool === undefined ? findField(version, name, { side }) : requireField(version, name, { tool, side });
}

function sideOf(said: Said): Field["side"] | undefined {
  const side = said.name("side").toLowerCase();
  if (side === "output") return "output";
  return side === "argument" || side === "input" || side === "option" || side === "parameter" ? "input" : undefined;
}
