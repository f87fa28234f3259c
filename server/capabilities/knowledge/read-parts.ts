import { posix } from "node:path";
import { initSync } from "es-module-lexer";
import { createPositions } from "../../versions/manifests/position.ts";
import { toKind } from "../../versions/manifests/to-kind.ts";
import { createPart, type GraphNode, type Part, toId } from "./graph.ts";
import { type Manifest, readManifestParts } from "./read-manifest-parts.ts";
import { type ModuleRead, readModulePart, toModuleId } from "./read-module-part.ts";
import { readOutline } from "./read-outline.ts";
import { readImports } from "./read-imports.ts";

/** As deep as a manifest says something about other parts: the messages of a prompt. */
const DEPTH = 6;
/** Of a tool, lists; its schemas and examples are large. */
const TOOL_DEPTH = 2;

/** Pages for people; specs and fragments tell of changes that were made, and stay as they are. */
const PAGE = /^(?!(?:.*\/)?(?:node_modules|specs|changes)\/).*\.md$/;

/** Reads each file of a tree once, in a fixed order, into its part of the graph. */
export function readParts(texts: ReadonlyMap<string, string>, erased: ReadonlyMap<string, string>): readonly Part[] {
  initSync();
  const parts: Part[] = [];
  const manifests: Manifest[] = [];
  const modules = new Map<string, ModuleRead>();
  const paths = new Set(texts.keys());
  for (const [file, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const kind = toKind(file, paths);
    if (kind.kind === "handler" || kind.kind === "library" || kind.kind === "package") {
      const read = readModulePart(file, text, erased.get(file));
      modules.set(file, read);
      parts.push(read.part);
    } else if (kind.kind === "other") {
      if (/^schemas\/.*\.json$/.test(file)) parts.push(readSchemaPart(file, text));
      if (/^test\/.*\.test\.[cm]?[jt]s$/.test(file)) parts.push(readTestPart(file, text, texts));
    } else if (kind.kind !== "unknown" && kind.kind !== "packages") {
      const outline = readOutline(text, kind.kind === "tool" ? TOOL_DEPTH : DEPTH);
      const warning = `\`${file}\` is not well-formed YAML, so nothing is known of what it declares.`;
      if (outline === undefined) parts.push({ nodes: [], edges: [], warnings: [warning] });
      else manifests.push({ file, kind, outline, text });
    }
  }
  const declared = [...readManifestParts(manifests, modules), ...parts];
  const find = createNamedFinder(declared);
  const pages = [...texts].filter(([file]) => PAGE.test(file)).map(([file, text]) => readPagePart(file, text, find));
  return [...declared, ...pages];
}

/** A file of `schemas/`, and the schemas beside it that it refers to. */
function readSchemaPart(file: string, text: string): Part {
  const { part, node, edge } = createPart(file);
  const schema = node("schema", file);
  const toPosition = createPositions(text);
  for (const { 1: target = "", index } of text.matchAll(/"\$ref"\s*:\s*"([^"#:]+)/g)) {
    edge(schema, "refers to", toId("schema", posix.join(posix.dirname(file), target)), toPosition(index).line);
  }
  return part;
}

/** A test: of the handler or module at the same path, and of every module that it imports. */
function readTestPart(file: string, text: string, texts: ReadonlyMap<string, string>): Part {
  const { part, node, edge } = createPart(file);
  const tested = new Map<string, number>();
  const twin = file.replace(/^test\//, "").replace(/(?:\.\w+)?\.test\.[cm]?[jt]s$/, ".ts");
  if (isModule(twin)) tested.set(twin, 1);
  for (const { specifier, line } of readImports(text, undefined)?.imports ?? []) {
    const target = posix.join(posix.dirname(file), specifier);
    if (specifier.startsWith(".") && isModule(target)) tested.set(target, line);
  }
  if (tested.size === 0) return part;
  const test = node("test", file);
  for (const [target, line] of tested) edge(test, "tests", toModuleId(target), line);
  return part;

  function isModule(path: string): boolean {
    return path.startsWith("tools/") && texts.has(path);
  }
}

/** Words that may be names, with the signs of code around them. */
const WORDS = /`?[\w@][\w@./-]*`?/g;

/** Finds the node that a name or a path stands for. */
type FindNamed = (name: string) => string | undefined;

/** Creates the search for what pages may name: tools by name, and handlers, modules and tools by file. */
function createNamedFinder(parts: readonly Part[]): FindNamed {
  const named = new Map<string, string>();
  const put = (name: string, { id }: GraphNode) => void (named.has(name) || named.set(name, id));
  for (const node of parts.flatMap(({ nodes }) => nodes)) {
    if (node.kind === "tool") put(node.name, node);
    if (node.kind === "tool" || node.kind === "handler" || node.kind === "module") put(node.file, node);
  }
  return (name) => named.get(name);
}

/** Reads which tools and modules a page of Markdown describes. An ordinary word is a name only where it is code. */
function readPagePart(file: string, text: string, find: FindNamed): Part {
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
