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
const MAX_SHOWN = 200;
/** Keywords that say in one word what a value keeps. */
const LIMITS = Object.keys(words.limits) as readonly (keyof typeof words.limits)[];
const CHOICES = ["oneOf", "anyOf"] as const;

/** Lists the members of an object, array or alternatives in the order of the schema, each before those within it. */
export function listMembers(root: Schema): readonly Member[] {
  const members: Member[] = [];

  const visit = (schema: Schema, path: string, depth: number): void => {
    if (depth > MAX_DEPTH) return;
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
    for (const choice of CHOICES.flatMap((keyword) => listOf(schema[keyword])).entries()) {
      const [index, part] = choice;
      visitAlternative(toSchema(part, root), `${path} (${index + 1})`.trim(), depth);
    }
  };
  const visitNamed = (value: unknown, path: string, depth: number) => {
    const schema = toSchema(value, root);
    // A list of plain values is said by its type.
    if (members.length < MAX_MEMBERS && toLimits(schema).length + toDescription(schema).length > 0) {
      members.push(toMember(schema, path, false, root));
    }
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

/** Names the type of a schema: `array of string`, `string or null`. */
export function toTypeName(schema: Schema, root: Schema): string {
  const { type, items } = schema;
  if (schema["const"] !== undefined || Array.isArray(schema["enum"])) return words.oneValue;
  const names = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
  const own = names.map((name) => {
    const isList = name === "array" && items !== undefined;
    return isList ? words.listOf(toTypeName(toSchema(items, root), root)) : name;
  });
  if (own.length > 0) return own.join(words.or);
  const choices = CHOICES.flatMap((keyword) => listOf(schema[keyword]));
  const others = choices.map((choice) => toTypeName(toSchema(choice, root), root));
  if (others.length > 0) return [...new Set(others)].join(words.or);
  return isObject(schema["properties"]) ? "object" : words.anything;
}

function toMember(schema: Schema, path: string, isRequired: boolean, root: Schema): Member {
  return {
    path,
    type: toTypeName(schema, root),
    isRequired,
    limits: toLimits(schema),
    ...toDescription(schema).reduce<{ description?: string }>((_, description) => ({ description }), {}),
  };
}

function toDescription({ description }: Schema): readonly string[] {
  return typeof description === "string" && description !== "" ? [description] : [];
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
