import { createHash } from "node:crypto";
import type { Problem } from "../../problem.ts";
import type { Program } from "../../version.ts";
import { createProblem } from "../create-problem.ts";
import { limitProblems } from "../limit-problems.ts";
import { suggest } from "../suggest.ts";
import type { Module } from "./read-module.ts";

/** Imports of modules that are not there. `paths` are all files that could be meant, also those with problems. */
export function checkImports(modules: Iterable<Module>, paths: ReadonlySet<string>): readonly Problem[] {
  return [...modules].flatMap(({ path, imports }) => {
    const missing = imports.filter(({ target }) => !paths.has(target));
    return limitProblems(missing, ({ target, specifier, at }) => {
      const meant = suggest(target, [...paths]);
      const fix = meant ? `Did you mean \`${meant}\`?` : "Add the file, or correct the path.";
      return createProblem(path, at, "handler-import", `\`${specifier}\` leads to no file: \`${target}\`.`, fix);
    });
  });
}

/** The handlers and all they import. Versions of equal code and memory share a key, and so may share an isolate. */
export function linkProgram(
  handlers: readonly string[],
  modules: ReadonlyMap<string, Module>,
  memory: number,
): Program {
  const reached = new Set(handlers);
  // A set that grows while it is walked is walked to its new end.
  for (const path of reached) modules.get(path)?.imports.forEach(({ target }) => reached.add(target));
  const hash = createHash("sha256").update(String(memory));
  const linked = new Map<string, string>();
  for (const path of [...reached].sort()) {
    const code = modules.get(path)?.code;
    if (code === undefined) continue;
    linked.set(path, code);
    hash.update(`\0${path}\0${code}`);
  }
  return Object.freeze({ key: hash.digest("hex"), modules: linked, memory });
}
