import { posix } from "node:path";
import { createPart, type Part } from "./graph.ts";
import { readImports } from "./read-imports.ts";
import { toModuleId } from "./read-module-part.ts";

/** A test: of the handler or module at the same path, and of every module that it imports. */
export function readTestPart(file: string, text: string, texts: ReadonlyMap<string, string>): Part {
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
