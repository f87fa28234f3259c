import { isObject } from "../../../../json/is-object.ts";
import type { Json } from "../../../../store/store.ts";
import type { Tool, Version } from "../../../../versions/version.ts";
import { type Field, listFields } from "../../directives/find-field.ts";
import { enumOf } from "../../directives/phrases/change-values.ts";
import type { KeyWord } from "../words/key-words.ts";
import {
  type Accepts,
  AMOUNT,
  COUNT,
  limitPlaces,
  type Place,
  place,
  type Row,
  stemOf,
  stemSet,
  TEXT,
  type Thing,
  withoutCommon,
} from "./places.ts";
import { toStems } from "../words/words.ts";

const FLAGS = ["deterministic", "sideEffect", "idempotent", "tenantScoped", "interactive", "record"] as const;

/** A tool, its fields and its examples. */
export function toToolRows(version: Version, tool: Tool): readonly Row[] {
  const things = listFields(tool).map((field) => toFieldRow(tool, field));
  return [toToolRow(version, tool), ...things, ...tool.examples.map((_, index) => toExampleRow(tool, index))];
}

function toToolRow(version: Version, tool: Tool): Row {
  const { name, title, description, server, file } = tool;
  const names = [
    toStems(name),
    toStems(stemOf(tool)),
    ...(title === undefined ? [] : [toStems(title)]),
    ...toShortNames(version, tool),
  ];
  const thing: Thing = {
    kind: "tool",
    id: name,
    label: `\`${name}\``,
    file,
    at: [],
    names,
    owners: stemSet(server, title),
    soft: stemSet(description),
    nouns: new Set(["tool", "server"]),
    values: [],
    tool,
  };
  const flags = FLAGS.map((flag) => place(thing, flag, [flag], { kind: "boolean" }, tool[flag]));
  return [
    thing,
    [
      place(thing, "title", ["title"], TEXT, title),
      place(thing, "description", ["description"], TEXT, description),
      ...limitPlaces(thing, ["limits"], tool.limits),
      place(thing, "cost", ["cost", "units"], AMOUNT, tool.cost.units),
      ...flags,
      ...toRates(version, thing, name),
      ...(tool.egress.length > 0
        ? [place(thing, "egress", ["egress"], { kind: "list", of: "host" }, [...tool.egress])]
        : []),
    ],
  ];
}

/** Finds the rates at which a tool may be called, where exactly one policy limits it. */
function toRates({ policies }: Version, thing: Thing, name: string): readonly Place[] {
  const naming = policies.filter(({ limits }) => limits.tools?.[name] !== undefined);
  const limiting = policies.filter(({ limits }) => Object.keys(limits).length > 0);
  const [policy, ...others] = naming.length > 0 ? naming : limiting.length > 0 ? limiting : policies;
  if (policy === undefined || others.length > 0) return [];
  const { rate, concurrency } = policy.limits.tools?.[name] ?? {};
  const at = (key: string) => ({ file: policy.file, at: ["limits", "tools", name, key] });
  return [
    { ...place(thing, "rate", [], COUNT, rate), ...at("rate") },
    { ...place(thing, "concurrency", [], COUNT, concurrency), ...at("concurrency") },
  ];
}

/** Lists short names of a tool whose name has a verb before the noun: "the weather tool". Leaves out words that another tool has. */
function toShortNames(version: Version, tool: Tool): readonly (readonly string[])[] {
  const others = [...version.tools.values()].filter((other) => other !== tool).map((other) => stemSet(stemOf(other)));
  return toStems(stemOf(tool))
    .filter((part) => part.length > 3 && !others.some((names) => names.has(part)))
    .map((part) => [part]);
}

const BOUNDS: Readonly<Record<string, readonly (readonly [KeyWord, Accepts])[]>> = {
  string: [
    ["minLength", COUNT],
    ["maxLength", COUNT],
    ["pattern", TEXT],
  ],
  number: [
    ["minimum", AMOUNT],
    ["maximum", AMOUNT],
  ],
  integer: [
    ["minimum", COUNT],
    ["maximum", COUNT],
  ],
  array: [
    ["minItems", COUNT],
    ["maxItems", COUNT],
  ],
};

function toFieldRow(tool: Tool, field: Field): Row {
  const { name, side, path, schema } = field;
  const known = enumOf(field);
  const isChoice = Array.isArray(schema["enum"]);
  const own = name.split(".").at(-1) ?? name;
  const title = textOf(schema["title"]);
  const thing: Thing = {
    kind: "field",
    id: `${tool.name}/${side}/${name}`,
    label: `\`${name}\` in the ${side} of \`${tool.name}\``,
    file: tool.file,
    at: path,
    names: [toStems(own), ...(name === own ? [] : [toStems(name)]), ...(title === undefined ? [] : [toStems(title)])],
    about: withoutCommon(stemSet(textOf(schema["description"]))),
    owners: stemSet(tool.name, tool.title, tool.server, name, name === own ? undefined : titleOfParent(tool, field)),
    soft: new Set([
      ...stemSet(textOf(schema["description"]), tool.description),
      ...known.flatMap((value) => toStems(String(value))),
    ]),
    nouns: new Set(["field", side, "value", ...(side === "input" ? ["parameter"] : [])]),
    values: known,
    tool,
    field,
  };
  const type = typeof schema["type"] === "string" ? schema["type"] : "";
  const bounds = (BOUNDS[type] ?? []).map(([key, accepts]) =>
    place(
      thing,
      key,
      [key],
      key === "minimum" || key === "maximum" ? toCounted(schema, type === "integer") : accepts,
      schema[key] as Json | undefined,
    ),
  );
  const usual: Accepts = isChoice
    ? { kind: "choice", values: known }
    : type === "boolean"
      ? { kind: "boolean" }
      : type === "string"
        ? TEXT
        : type === "integer" || type === "number"
          ? toCounted(schema, type === "integer")
          : { kind: "any" };
  return [
    thing,
    [
      ...(side === "input" && usual.kind !== "any"
        ? [place(thing, "default", ["default"], usual, schema["default"] as Json | undefined)]
        : []),
      ...(known.length > 0
        ? [place(thing, "values", isChoice ? ["enum"] : ["items", "enum"], { kind: "list", of: "value" }, [...known])]
        : []),
      ...(isChoice ? [] : bounds),
      place(thing, "description", ["description"], TEXT, textOf(schema["description"])),
      place(thing, "title", ["title"], TEXT, textOf(schema["title"])),
    ],
  ];
}

/** A number, in the unit of time that its description begins with: "Milliseconds that it may take." */
function toCounted(schema: Readonly<Record<string, unknown>>, isWhole: boolean): Accepts {
  const described = textOf(schema["description"]) ?? "";
  const unit = /^(?:in )?(?:milliseconds|ms)\b/i.test(described)
    ? "ms"
    : /^(?:in )?seconds\b/i.test(described)
      ? "s"
      : undefined;
  if (unit !== undefined) return { kind: "number", unit, whole: isWhole };
  return isWhole ? COUNT : AMOUNT;
}

/** The title of the field that a field is inside of. */
function titleOfParent(tool: Tool, { side, name }: Field): string | undefined {
  const properties = tool[side]["properties"];
  const parent = isObject(properties) ? properties[name.split(".")[0] ?? ""] : undefined;
  return isObject(parent) ? textOf(parent["title"]) : undefined;
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

function toExampleRow(tool: Tool, index: number): Row {
  const { description, input } = tool.examples[index] ?? {};
  const isLast = index === tool.examples.length - 1;
  const number = String(index + 1);
  const names = [
    ["exampl", ORDINALS[index] ?? number],
    ["exampl", number],
    ["exampl", `#${number}`],
    ...(isLast ? [["exampl", "last"]] : []),
    ...(tool.examples.length === 1 ? [["exampl"]] : []),
  ];
  const thing: Thing = {
    kind: "example",
    id: `${tool.name}#${number}`,
    label: `example ${number} of \`${tool.name}\``,
    file: tool.file,
    at: ["examples", index],
    names,
    owners: stemSet(tool.name, tool.title, tool.server),
    soft: new Set([...stemSet(description), ...(isObject(input) ? stemSet(JSON.stringify(input)) : [])]),
    nouns: new Set(["example"]),
    values: [],
    tool,
    example: index,
  };
  return [thing, [place(thing, "description", ["description"], TEXT, description)]];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
