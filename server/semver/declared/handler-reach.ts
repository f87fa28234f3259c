import { posix } from "node:path";
import { initSync, parse } from "es-module-lexer";
import type { Program } from "../../versions/version.ts";

/** A handler and all that it imports. Each module is read once. */
export function createReach({ modules }: Program): (handler: string) => ReadonlySet<string> {
  initSync();
  const imports = new Map<string, readonly string[]>();

  const importsOf = (path: string): readonly string[] => {
    const code = modules.get(path);
    if (code === undefined) return [];
    const found = parse(code)[0].flatMap(({ n }) => (n === undefined ? [] : [posix.join(posix.dirname(path), n)]));
    imports.set(path, found);
    return found;
  };

  return (handler) => {
    const reached = new Set([handler]);
    // A set that grows while it is walked is walked to its new end.
    for (const path of reached) for (const target of imports.get(path) ?? importsOf(path)) reached.add(target);
    return reached;
  };
}
