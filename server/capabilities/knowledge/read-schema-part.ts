import { posix } from "node:path";
import { createPositions } from "../../versions/manifests/position.ts";
import { createPart, type Part, toId } from "./graph.ts";

/** A file of `schemas/`, and the schemas beside it that it refers to. */
export function readSchemaPart(file: string, text: string): Part {
  const { part, node, edge } = createPart(file);
  const schema = node("schema", file);
  const toPosition = createPositions(text);
  for (const { 1: target = "", index } of text.matchAll(/"\$ref"\s*:\s*"([^"#:]+)/g)) {
    edge(schema, "refers to", toId("schema", posix.join(posix.dirname(file), target)), toPosition(index).line);
  }
  return part;
}

/** The path of the schema that the first lines of a manifest name for editors. */
export function findFormOf(file: string, text: string): { readonly schema: string; readonly line: number } | undefined {
  const lines = text.split("\n", FIRST_LINES);
  for (const [index, line] of lines.entries()) {
    const [, target] = /^#\s*yaml-language-server:\s*\$schema=(\S+)/.exec(line) ?? [];
    if (target !== undefined) return { schema: posix.join(posix.dirname(file), target), line: index + 1 };
  }
  return undefined;
}

const FIRST_LINES = 5;
