import { words } from "#words/schemas.ts";
import { isObject, listProperties, listRequired, type Schema, toSchema } from "./schema.ts";

/** One member of what a schema describes, for people. */
export interface Member {
  /** From the root: `filters[].name`; of an alternative with its number: `filters (2)`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Rules that its value keeps, each in a few words. */
  readonly limits: readonly string[];
  readonly description?: string;
}

/** Members within members that are listed, so that a schema that contains itself ends. */
const MAX_DEPTH = 6;
const MAX_MEMBERS = 400;
/** Parts of a schema that are looked at: references can have a small schema stand for a huge one. */
const MAX_VISITS = 2_000;
/** Types within a type that its name says. */
const MAX_NAMED = 3;
const MAX_SHOWN = 200;
/** Keywords that say in one word what a value keeps. */
const LIMITS = Object.keys(words.limits) as readonly (keyof typeof words.limits)[];
const CHOICES = ["oneOf", "anyOf"] as const;

/** Lists the members of an object, array or alternatives in the order of the schema, each before those within it. */
export function listMembers(root: Schema): readonly Member[] {
  const members: Member[] = [];
  let visits = 0;

  const visit = (schema: Schema, path: string, depth: number): void => {
    visits += 1;
    if (depth > MAX_DEPTH || visits > MAX_VISITS) return;
    const required = new Set(listRequired(schema));
    for (const [name, member] of listProperties(schema, root)) {
      if (members.length >= MAX_MEMBERS) return;
      const place = path === "" ? name : `${path}.${name}`;
      members.push(toMember(member, place, required.has(name), root));
      visit(member, place, depth + 1);
    }
    if (schema["items"] !== undefined) visitNamed(schema["items"], `${path}[]`, depth);
    if (isObject(schema["additionalProperties"])) visitNamed(schema["additionalProperties"], `${path}.*`, depth);
    const all: readonly unknown[] = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
    for (const part of all) visit(toSchema(part, root), path, depth + 1);
    const choices = CHOICES.flatMap((keyword) => listOf(schema[keyword]));
    for (const [index, part] of choices.entries()) {
      visitAlternative(toSchema(part, root), `${path} (${index + 1})`.trim(), depth);
    }
  };
  const visitNamed = (value: unknown, path: string, depth: number) => {
    const schema = toSchema(value, root);
    // A list of plain values is said by its type.
    const says = toLimits(schema).length > 0 || findDescription(schema) !== undefined;
    if (says && members.length < MAX_MEMBERS) members.push(toMember(schema, path, false, root));
    visit(schema, path, depth + 1);
  };
  const visitAlternative = (schema: Schema, path: string, depth: number) => {
    if (listProperties(schema, root).length === 0 && schema["items"] === undefined) return;
    if (members.length < MAX_MEMBERS) members.push(toMember(schema, path, false, root));
    visit(schema, path, depth + 1);
  };

  visit(toSchema(root, root), "", 0);
  return members;
}

/** Names the type of a schema: `list of string`, `string or null`. */
function toTypeName(schema: Schema, root: Schema, depth = 0): string {
  if (depth > MAX_NAMED) return words.anything;
  const { type, items } = schema;
  if (schema["const"] !== undefined || Array.isArray(schema["enum"])) return words.oneValue;
  const names = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
  const own = names.map((name) => {
    const isList = name === "array" && items !== undefined;
    return isList ? words.listOf(toTypeName(toSchema(items, root), root, depth + 1)) : name;
  });
  if (own.length > 0) return own.join(words.or);
  const choices = CHOICES.flatMap((keyword) => listOf(schema[keyword]));
  const others = choices.map((choice) => toTypeName(toSchema(choice, root), root, depth + 1));
  if (others.length > 0) return [...new Set(others)].join(words.or);
  return isObject(schema["properties"]) ? "object" : words.anything;
}

function toMember(schema: Schema, path: string, isRequired: boolean, root: Schema): Member {
  const description = findDescription(schema);
  return {
    path,
    type: toTypeName(schema, root),
    isRequired,
    limits: toLimits(schema),
    ...(description === undefined ? {} : { description }),
  };
}

function findDescription({ description }: Schema): string | undefined {
  return typeof description === "string" && description !== "" ? description : undefined;
}

function toLimits(schema: Schema): readonly string[] {
  const rules = LIMITS.flatMap((keyword) => {
    const value = schema[keyword];
    return value === undefined ? [] : [words.limits[keyword](show(value))];
  });
  const values = Array.isArray(schema["enum"]) ? schema["enum"].map(show).join(", ") : undefined;
  return [
    ...(values === undefined ? [] : [values]),
    ...rules,
    ...(schema["additionalProperties"] === false ? [words.noOthers] : []),
    ...(schema["uniqueItems"] === true ? [words.unique] : []),
  ];
}

function show(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
