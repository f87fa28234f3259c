import { isObject } from "../../../../json/is-object.ts";
import type { Json } from "../../../../store/store.ts";
import type { Tool, Version } from "../../../../versions/version.ts";
import { refuse, toList } from "../../../guard/refuse.ts";
import { showValue } from "../../../show-value.ts";
import { removeUses, sayGone } from "../adapt-examples.ts";
import { toKnownForm } from "../codes.ts";
import { type Field, findField, listFields } from "../find-field.ts";
import { findTool } from "../find-tool.ts";
import { knowsValue, namesAny, refuseUnknownValue, UNKNOWN } from "../knows-value.ts";
import type { Deed, Phrase, Said } from "../phrase.ts";
import { FIELD, toPhrase } from "../to-phrase.ts";

const TAKES = "(?:accept|take|support|know|understand|allow|offer|handle)";
const IN = `(?: (?:as|for|in) (?:a |the |its )?{field}(?: ${FIELD})?)?`;
const GIVES = "(?:accept|answer|report|reply|give|return|show|tell|support|speak)";
const WHAT = "(?: (?:the |its )?(?:temperatures?|units?|values?|results?|answers?|numbers?))?";

/** The values that a field may have where it may have only some. */
export const VALUE_PHRASES: readonly Phrase[] = [
  toPhrase(`{tool} (?:should|must|shall|has to|needs to) (?:no longer|not|never) ${TAKES} {values}${IN}`, remove),
  toPhrase(
    `{tool} (?:should|must|shall|has to|needs to) stop ${TAKES.replaceAll("|", "ing|").replace(")", "ing)")} {values}${IN}`,
    remove,
  ),
  toPhrase(`{tool} (?:should|must|shall|has to|needs to) (?:also |be able to )?${GIVES}${WHAT} in {values}`, add),
  toPhrase(`{tool} (?:should|must|shall|has to|needs to|could) (?:also |be able to )?${TAKES} {values}${IN}`, add),
  toPhrase(`(?:let|have|make) {tool} (?:also )?${TAKES} {values}${IN}`, add),
  toPhrase(
    `(?:add|allow|accept|support) (?:the values? )?{values} (?:as|to|for|in|among) (?:a |the |another )?(?:values? (?:of|for) |enum of )?(?:the )?{field}(?: ${FIELD})? (?:of|in|for) {tool}`,
    add,
  ),
  toPhrase(`(?:add|allow|accept|support) (?:the values? )?{values} (?:as|to|for|in) {tool}`, add),
  toPhrase(
    `(?:remove|delete|drop|disallow|forbid) (?:the values? )?{values} from (?:the )?(?:values (?:of|for) |enum of )?(?:the )?{field}(?: ${FIELD})? (?:of|in|for) {tool}`,
    remove,
  ),
];

function add(said: Said): Deed | undefined {
  const found = readValues(said);
  if (found === undefined) return undefined;
  return addFieldValues(said.ground.version, found.field, found.values);
}

/** Lets a field have more values, and changes nothing else. Refuses what the code does not know, unless it was offered so. */
export function addFieldValues(
  version: Version,
  field: Field,
  values: readonly Json[],
  { isOffered = false } = {},
): Deed {
  const { tool, side, name, path } = toListing(field);
  const known = enumOf(field);
  const fresh = values.filter((value) => !known.includes(value));
  const isChosenByCode = namesAny(version, tool, known);
  const unknown = isChosenByCode ? fresh.filter((value) => !knowsValue(version, tool, value, known)) : [];
  if (!isOffered) for (const value of unknown) refuseUnknownValue(version, tool, value, known);
  return async (bench) => {
    for (const value of values) {
      await bench.addItem(tool.file, [...path, "enum"], value);
      const verb = side === "input" ? "accepts" : "may give";
      bench.say(
        `\`${tool.name}\` ${verb} ${showValue(value)} as \`${name}\`.${unknown.includes(value) ? UNKNOWN : ""}`,
      );
    }
    bench.need(side === "input" ? "minor" : "major");
  };
}

function remove(said: Said): Deed | undefined {
  const found = readValues(said);
  if (found === undefined) return undefined;
  return removeFieldValues(found.field, found.values);
}

/** Takes values from those that a field may have. Refuses to take its default, or all of them. */
export function removeFieldValues(field: Field, values: readonly Json[]): Deed {
  const { tool, side, name, path, schema } = toListing(field);
  const known = enumOf(field);
  for (const value of values) {
    if (!known.includes(value)) {
      throw refuse(
        `\`${name}\` of \`${tool.name}\` cannot be ${showValue(value)} anyway.`,
        `It can be ${known.map(showValue).join(", ")}.`,
      );
    }
    if (schema["default"] === value) {
      const accepted = `Say first what its default is to be: "set the default of ${name} of ${tool.name} to ...".`;
      throw refuse(`${showValue(value)} is the default of \`${name}\` of \`${tool.name}\`.`, accepted);
    }
  }
  if (known.every((value) => values.includes(value))) {
    throw refuse(
      `\`${name}\` of \`${tool.name}\` could have no value at all.`,
      `Say "drop the argument ${name} of ${tool.name}".`,
    );
  }
  return async (bench) => {
    let gone = 0;
    for (const value of values) {
      await bench.removeItem(tool.file, [...path, "enum"], value);
      gone += await removeUses(bench, field, value);
      const verb = side === "input" ? "no longer accepts" : "no longer gives";
      bench.say(`\`${tool.name}\` ${verb} ${showValue(value)} as \`${name}\`.`);
    }
    sayGone(bench, tool.name, gone);
    bench.need(side === "input" ? "major" : "minor");
  };
}

/** Words that stand for values and are none. */
const POINTING = /^(?:it|them|this|that|these|those|both|more|others?|everything|anything)$/i;

/** Tells whether a value is written as a host is: `api.example.com`. */
function isHost(value: Json): boolean {
  return typeof value === "string" && /^(?:\*\.)?(?:[a-z\d-]+\.){2,}[a-z]{2,}$/i.test(value);
}

function readValues(said: Said) {
  const given = said.values("values");
  const tool = given && findTool(said.ground.version, said.name("tool"));
  if (given === undefined || tool === undefined) return undefined;
  const words = said.name("field").replaceAll(" ", "_");
  // What a tool may reach is no value of its one field.
  if (words === "" && given.some(isHost)) return undefined;
  // "Have quote_shipping offer it" speaks of what was said before.
  if (given.some((value) => POINTING.test(String(value)))) return undefined;
  const field =
    words === ""
      ? findOnly(tool, given)
      : (findField(said.ground.version, words, { tool }) ??
        findField(said.ground.version, words.replace(/s$/, ""), { tool }));
  const known = field === undefined ? [] : enumOf(field);
  if (field === undefined) return undefined;
  if (known.length > 0) {
    const values = given.flatMap((value) => toKnownForm(value, known) ?? []);
    return values.length < given.length ? undefined : { field, values: values.map((value) => toCase(value, known)) };
  }
  const reason = `\`${field.name}\` of \`${tool.name}\` is not limited to a list of values.`;
  throw refuse(reason, "Name a field that is, or attach a diff of its schema.");
}

/** People write names of units and the like with a capital; where no value has one, none is meant. */
export function toCase(value: Json, known: readonly Json[]): Json {
  const isLower = known.every((one) => typeof one === "string" && one === one.toLowerCase());
  return typeof value === "string" && isLower ? value.toLowerCase() : value;
}

/** The field that is meant where none is named: there may be only one that is limited to some values. */
function findOnly(tool: Tool, values: readonly Json[]): Field | undefined {
  const limited = listFields(tool, "input").filter((field) => enumOf(field).length > 0);
  const having = limited.filter((field) => values.every((value) => enumOf(field).includes(value)));
  const fields = having.length === 1 ? having : limited;
  if (fields.length < 2) return fields[0];
  const names = fields.map(({ name }) => name);
  throw refuse(
    `\`${tool.name}\` has several fields with a list of values: ${toList(names)}.`,
    `For which one: ${toList(names, "or")}?`,
  );
}

/** The values that a field may have, or each of its elements. */
export function enumOf(field: Field): readonly Json[] {
  const { schema } = toListing(field);
  const values: readonly Json[] = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  return values;
}

/** What says which values a field may have: of a list, the schema of its elements. */
function toListing(field: Field): Field {
  const { schema, path } = field;
  const items = schema["items"];
  const isOfElements = !Array.isArray(schema["enum"]) && isObject(items) && Array.isArray(items["enum"]);
  return isOfElements ? { ...field, path: [...path, "items"], schema: items } : field;
}
