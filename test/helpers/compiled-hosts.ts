import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { transformSync } from "rolldown/utils";
import type { VitestPluginContext } from "vitest/node";

const ISOLATES = "server/kernel/isolates";
/** Modules that start a program which is beside them. */
const STARTERS = ["spawn-host.ts", "erase-types.ts"].map((name) => `${ISOLATES}/${name}`);
/** The programs, and what they read as text. */
const PROGRAMS = [`${ISOLATES}/host/{host,erase}-process.ts`, `${ISOLATES}/guest/{*,platform/*}.ts`];
/** An import or export of values from a file. */
const IMPORT = /^(?:import|export)\b(?! type\b)[^"';]*"(\.{1,2}\/[^"]+\.ts)"/gm;
/** In `node_modules`, which a host may read: it looks for packages there. */
const CACHE = "node_modules/.cache/cairn-test-hosts";
/** Milliseconds for which other runs may still use what was made of other sources. */
const KEPT_FOR = 86_400_000;

/**
 * A plugin of vitest that has the sandbox's programs be JavaScript, as in the published package. As TypeScript each process
 * erases the types of some fifty modules again, and the tests start hundreds. It looks at the sources once, when a run begins.
 */
export function compiledHosts() {
  let folder: string | undefined;
  const find = () => (folder ??= compile());
  const findStarter = (id: string) => STARTERS.find((path) => resolve(path) === id);
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
      const url = pathToFileURL(resolve(find(), starter.replace(/\.ts$/, ".js")));
      return { code: code.replaceAll("import.meta.url", JSON.stringify(url.href)), map: null };
    },
  };
}

/** The folder with the JavaScript of these sources. */
function compile(): string {
  const sources = readSources();
  const hash = createHash("sha256");
  for (const [path, source] of sources) hash.update(`${path}\0${source.length}\0${source}`);
  const folder = join(CACHE, hash.digest("hex"));
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  for (const old of readdirSync(CACHE).map((name) => join(CACHE, name))) {
    if (Date.now() - statSync(old).mtimeMs > KEPT_FOR) rmSync(old, { recursive: true, force: true });
  }
  const made = mkdtempSync(join(CACHE, "made-"));
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
  try {
    renameSync(made, folder);
  } catch (error) {
    // Another run was faster.
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true });
  }
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
