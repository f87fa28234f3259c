import { createPart, type GraphNode, type Part } from "./graph.ts";

/** Words that may be names, with the signs of code around them. */
const WORDS = /`?[\w@][\w@./-]*`?/g;

/** Finds the node that a name or a path stands for. */
export type FindNamed = (name: string) => string | undefined;

/** Creates the search for what pages may name: tools by name, and handlers, modules and tools by file. */
export function createNamedFinder(parts: readonly Part[]): FindNamed {
  const named = new Map<string, string>();
  const put = (name: string, { id }: GraphNode) => void (named.has(name) || named.set(name, id));
  for (const node of parts.flatMap(({ nodes }) => nodes)) {
    if (node.kind === "tool") put(node.name, node);
    if (node.kind === "tool" || node.kind === "handler" || node.kind === "module") put(node.file, node);
  }
  return (name) => named.get(name);
}

/** Reads which tools and modules a page of Markdown describes. An ordinary word is a name only where it is code. */
export function readPagePart(file: string, text: string, find: FindNamed): Part {
  const { part, node, edge } = createPart(file);
  const lines = new Map<string, number>();
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const name = word.replaceAll("`", "").replace(/[./-]+$/, "");
    const id = find(name);
    const isCode = word.startsWith("`") && word.endsWith("`");
    if (id === undefined || lines.has(id) || !(isCode || /[._/]/.test(name))) continue;
    lines.set(id, text.slice(0, index).split("\n").length);
  }
  if (lines.size === 0) return part;
  const page = node("page", file);
  for (const [id, line] of lines) edge(page, "describes", id, line);
  return part;
}
