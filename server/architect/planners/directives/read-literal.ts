import { parse, YAMLError } from "yaml";
import { CairnError } from "../../../errors.ts";
import type { Json } from "../../../store/store.ts";
import { readStrictJson } from "../../../json/strict-json.ts";

/** Reads a text as JSON; undefined where it is none. */
export function readJson(text: string): Json | undefined {
  try {
    return readStrictJson(text) as Json;
  } catch (error) {
    if (error instanceof CairnError) return undefined;
    throw error;
  }
}

/** Reads a text as JSON or, where it is none, as YAML without anchors and tags; undefined where it is neither. */
export function readData(text: string): Json | undefined {
  const read = readJson(text);
  if (read !== undefined || /(?:^|[\s:,[{-])[&*!]\S/.test(text) || isDeep(text)) return read;
  try {
    const value: unknown = parse(text, { schema: "core", prettyErrors: false });
    // Out and in again: only what JSON can say is left.
    return readJson(JSON.stringify(value ?? null));
  } catch (error) {
    if (error instanceof YAMLError) return undefined;
    throw error;
  }
}

const DEPTH = 64;

/** More than that many brackets or spaces in a row may nest deeper than is worth reading. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const sign of text) {
    if (sign === "{" || sign === "[") depth += 1;
    if (sign === "}" || sign === "]") depth -= 1;
    if (depth > DEPTH) return true;
  }
  return /^ {200}|(?:- ?){64}|(?:\? ){16}/m.test(text);
}
