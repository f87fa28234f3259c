import type { Problem } from "../../problem.ts";
import type { Program } from "../../version.ts";
import { createProblem } from "../create-problem.ts";
import { limitProblems } from "../limit-problems.ts";
import { suggest } from "../../../text/suggest.ts";
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

/** Finds names that modules import and others do not export: no call of a handler that reaches them would work. */
export function findMissingNames(modules: ReadonlyMap<string, Module>): readonly Problem[] {
  return [...modules.values()].flatMap(({ path, imports }) => {
    const missing = imports.flatMap(({ target, specifier, names, at }) => {
      const exports = modules.get(target)?.exports;
      const absent = exports === undefined ? [] : names.filter((name) => !exports.has(name));
      return absent.map((name) => ({ name, specifier, at, exports: [...(exports ?? [])] }));
    });
    return limitProblems(missing, ({ name, specifier, at, exports }) => {
      const meant = suggest(name, exports);
      const fix = meant
        ? `Did you mean \`${meant}\`?`
        : `It exports ${exports.length === 0 ? "nothing" : exports.slice(0, 10).join(", ")}.`;
      return createProblem(path, at, "import-name", `\`${specifier}\` does not export \`${name}\`.`, fix);
    });
  });
}

/**
 * The handlers and all they import. The key is the commit, not the code: what modules keep in their variables must not pass
 * from one version to another, even where they are alike.
 */
export function linkProgram(
  commit: string,
  handlers: readonly string[],
  modules: ReadonlyMap<string, Module>,
  memory: number,
): Program {
  const reached = new Set(handlers);
  // A set that grows while it is walked is walked to its new end.
  for (const path of reached) modules.get(path)?.imports.forEach(({ target }) => reached.add(target));
  const linked = [...reached].sort().flatMap((path): [string, string][] => {
    const code = modules.get(path)?.code;
    return code === undefined ? [] : [[path, code]];
  });
  return Object.freeze({ key: commit, modules: new Map(linked), memory });
}
