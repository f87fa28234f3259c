import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { transformSync } from "rolldown/utils";
import type { VitestPluginContext } from "vitest/node";
import { createUnfinished, finishCompiled, toCompiledFolder } from "./compiled.ts";

const ISOLATES = "server/kernel/isolates";
/** Modules that start a program which is beside them. */
const STARTERS = ["spawn-host.ts", "erase-types.ts"].map((name) => `${ISOLATES}/${name}`);
/** The programs, and what they read as text. */
const PROGRAMS = [`${ISOLATES}/host/{host,erase}-process.ts`, `${ISOLATES}/guest/{*,platform/*}.ts`];
/** An import or export of values from a file. */
const IMPORT = /^(?:import|export)\b(?! type\b)[^"';]*"(\.{1,2}\/[^"]+\.ts)"/gm;
const NAME = "cairn-test-hosts";

/**
 * A plugin of vitest that has the sandbox's programs be JavaScript, as in the published package. As TypeScript each process
 * erases the types of some fifty modules again, and the tests start hundreds. It looks at the sources once, when a run begins.
 */
export function compiledHosts() {
  let folder: string | undefined;
  const find = () => (folder ??= compileHosts());
  return {
    name: "compiled-hosts",
    enforce: "pre" as const,
    configureVitest({ defineCacheKeyGenerator }: VitestPluginContext) {
      // vitest keeps what it has transformed from one run to the next.
      defineCacheKeyGenerator(({ id }) => (findStarter(id) === undefined ? undefined : find()));
    },
    transform(code: string, id: string) {
      const starter = findStarter(id);
      if (starter === undefined) return undefined;
      return { code: code.replaceAll("import.meta.url", JSON.stringify(toCompiledUrl(find(), starter))), map: null };
    },
  };
}

/** The path, in the repository, of a module that starts one of the sandbox's programs. */
export function findStarter(id: string): string | undefined {
  return STARTERS.find((path) => resolve(path) === id);
}

/** The URL that a starter sees as its own, so that it starts the compiled program. */
export function toCompiledUrl(folder: string, starter: string): string {
  return pathToFileURL(resolve(folder, starter.replace(/\.ts$/, ".js"))).href;
}

/** The folder with the JavaScript of these sources. */
export function compileHosts(): string {
  const sources = readSources();
  const folder = toCompiledFolder(NAME, sources);
  if (existsSync(folder)) return folder;
  const made = createUnfinished(NAME);
  for (const [path, source] of sources) {
    const { code, errors } = transformSync(path, source, {
      typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: "rewrite" },
    });
    if (errors.length > 0) throw new Error(`${path}: ${String(errors[0])}`);
    const target = join(made, path.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
  writeFileSync(join(made, "package.json"), '{ "type": "module" }\n');
  finishCompiled(made, folder);
  return folder;
}

/** The programs and everything that they import, by path. */
function readSources(): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  const add = (path: string) => {
    if (sources.has(path)) return;
    const source = readFileSync(path, "utf8");
    sources.set(path, source);
    for (const [, specifier = ""] of source.matchAll(IMPORT)) add(join(dirname(path), specifier));
  };
  globSync(PROGRAMS).sort().forEach(add);
  return sources;
}
