import { isObject } from "../../../json/is-object.ts";
import type { Tool, Version } from "../../../versions/version.ts";
import type { Path } from "../../edit/edit-json.ts";
import { refuse, toList } from "../../guard/refuse.ts";

/** A named part of what a tool takes or gives. */
export interface Field {
  readonly tool: Tool;
  readonly side: "input" | "output";
  /** As it is called in the schema; below other fields with their names before it: `reply.text`. */
  readonly name: string;
  /** Path of its schema in the manifest. */
  readonly path: Path;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required: boolean;
}

export interface FieldQuery {
  /** Absent: of any tool. */
  readonly tool?: Tool | undefined;
  /** Absent: of any. */
  readonly side?: Field["side"] | undefined;
}

const DEPTH = 6;

/** The field of that name; undefined where there is none. Refuses what could be several. */
export function findField(version: Version, words: string, query: FieldQuery = {}): Field | undefined {
  const tools = query.tool === undefined ? [...version.tools.values()] : [query.tool];
  const all = tools.flatMap((tool) => listFields(tool, query.side));
  const found = all.filter(({ name }) => name.toLowerCase() === words.toLowerCase().replaceAll(" ", "_"));
  if (found.length > 1) {
    const places = found.map(({ tool, side, name }) => `${tool.name} (${side}: ${name})`);
    const accepted = `Which one is meant? Name its tool: for example "the ${found[0]?.side} ${words} of ${found[0]?.tool.name}".`;
    throw refuse(`\`${words}\` is a field of several tools: ${toList(places)}.`, accepted);
  }
  return found[0];
}

/** Finds a field as above, where the words certainly mean one; throws a question otherwise. */
export function requireField(version: Version, words: string, query: FieldQuery = {}): Field {
  const field = findField(version, words, query);
  if (field !== undefined) return field;
  const side = query.side ?? "input or output";
  if (query.tool === undefined) {
    throw refuse(
      `No tool has a field \`${words.slice(0, 100)}\` in its ${side}.`,
      "Name a field that there is, and its tool.",
    );
  }
  const names = listFields(query.tool, query.side).map(({ name }) => name);
  const accepted = names.length === 0 ? `Its ${side} has no fields.` : `Its fields are ${toList([...new Set(names)])}.`;
  throw refuse(`\`${query.tool.name}\` has no field \`${words.slice(0, 100)}\` in its ${side}.`, accepted);
}

/** Every field of a tool, those inside of others included. */
export function listFields(tool: Tool, side?: Field["side"]): readonly Field[] {
  const sides: readonly Field["side"][] = side === undefined ? ["input", "output"] : [side];
  return sides.flatMap((one) => fieldsOf(tool, one, tool[one], [one], "", 0));
}

/** Checks that the words are an identifier. */
export function looksLikeName(words: string): boolean {
  return /^[\w-]+(?:[._/][\w-]+)+$/.test(words);
}

export function isFieldName(words: string): boolean {
  return /^[\w-]+$/.test(words) || looksLikeName(words);
}

function fieldsOf(
  tool: Tool,
  side: Field["side"],
  schema: unknown,
  at: Path,
  prefix: string,
  depth: number,
): readonly Field[] {
  const properties = isObject(schema) ? schema["properties"] : undefined;
  if (!isObject(schema) || !isObject(properties) || depth === DEPTH) return [];
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(properties).flatMap(([key, own]): readonly Field[] => {
    if (!isObject(own)) return [];
    const path = [...at, "properties", key];
    const field = { tool, side, name: prefix + key, path, schema: own, required: required.includes(key) };
    const inner = isObject(own["items"]) ? { schema: own["items"], at: [...path, "items"] } : { schema: own, at: path };
    return [field, ...fieldsOf(tool, side, inner.schema, inner.at, `${prefix}${key}.`, depth + 1)];
  });
}
