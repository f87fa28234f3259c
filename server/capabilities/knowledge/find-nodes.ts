import { posix } from "node:path";
import { CairnError } from "../../errors.ts";
import { suggest } from "../../text/suggest.ts";
import type { GraphNode } from "./graph.ts";

/** Looks up what a caller names: a node's id, a tool's name, a file or a folder. */
export function createFind(
  nodes: ReadonlyMap<string, GraphNode>,
  declared: ReadonlyMap<string, readonly GraphNode[]>,
  files: ReadonlyMap<string, unknown>,
): (what: string) => readonly GraphNode[] {
  return (what) => {
    const path = posix.normalize(what).replace(/\/$/, "");
    const node = nodes.get(what) ?? nodes.get(`tool:${what}`);
    if (node !== undefined) return [node];
    if (files.has(path)) return declared.get(path) ?? [];
    const inside = [...files.keys()].filter((file) => file.startsWith(`${path}/`));
    if (inside.length > 0) return inside.sort().flatMap((file) => declared.get(file) ?? []);
    const nearest = findNearest(what, [...nodes.keys(), ...files.keys()]);
    const help =
      nearest === undefined ? "Name a file, or a node such as `tool:runner.chat`." : `Did you mean \`${nearest}\`?`;
    throw new CairnError(
      "NOT_FOUND",
      `There is no file, tool or node \`${what.slice(0, MAX_SHOWN)}\` in this tree. ${help}`,
    );
  };
}

const MAX_SHOWN = 200;

/** Finds the candidate that `word` misspells; else one with an equal ending, as a moved file has. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const meant = suggest(word, candidates);
  if (meant !== undefined) return meant;
  const byTail = new Map(candidates.map((candidate) => [toTail(candidate), candidate]));
  const tail = suggest(toTail(word), [...byTail.keys()]);
  return tail === undefined ? undefined : byTail.get(tail);
}

/** The last part of a path or of an id. */
function toTail(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf(":")) + 1);
}
