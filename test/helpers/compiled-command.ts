import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { createUnfinished, finishCompiled, toCompiledFolder } from "./compiled.ts";
import { compileHosts, findStarter, toCompiledUrl } from "./compiled-hosts.ts";

const NAME = "cairn-test-command";
const LAUNCHER = "bin/cairn.mjs";
/** The launcher and the data that it reads, copied as they are. */
const COPIED = [LAUNCHER, "package.json"];
/** Threads, by the modules that start them. */
const THREADS: Readonly<Record<string, string>> = {
  "server/versions/manifests/handlers/module-reader.ts": "server/versions/manifests/handlers/module-worker",
  "server/capabilities/tuner/plots/open-renderer.ts": "server/capabilities/tuner/plots/render-worker",
};

let compiled: Promise<string> | undefined;

/**
 * Finds a `bin/cairn.mjs` that runs these sources as a few files of JavaScript. A quarter of what a service's start takes is
 * finding some 1,200 modules, and the tests start hundreds. Every module still sees the URL of its source as its own.
 */
export function compileCommand(): Promise<string> {
  return (compiled ??= compile());
}

async function compile(): Promise<string> {
  const hosts = compileHosts();
  const paths = [...COPIED, ...globSync("server/**/*.ts").sort()];
  const sources = new Map(paths.map((path) => [path, readFileSync(path, "utf8")]));
  const folder = toCompiledFolder(NAME, sources.set("hosts", hosts));
  if (existsSync(folder)) return join(folder, LAUNCHER);
  const made = createUnfinished(NAME);
  const bundle = await rolldown({
    input: Object.fromEntries(["server/main", ...Object.values(THREADS)].map((name) => [name, `${name}.ts`])),
    platform: "node",
    external: (id) => !/^[./]/.test(id),
    plugins: [{ name: "as-sources", transform: (code, id) => ({ code: toSource(code, id), map: null }) }],
  });
  await bundle.write({ dir: made, chunkFileNames: "server/chunks/[name]-[hash].js" });
  await bundle.close();
  mkdirSync(join(made, "bin"));
  for (const path of COPIED) copyFileSync(path, join(made, path));
  finishCompiled(made, folder);
  return join(folder, LAUNCHER);

  function toSource(code: string, id: string): string {
    const path = id.replace(`${process.cwd()}/`, "");
    const starter = findStarter(id);
    const thread = THREADS[path];
    const url = starter === undefined ? pathToFileURL(id).href : toCompiledUrl(hosts, starter);
    const seen = thread === undefined ? url : pathToFileURL(join(folder, path.replace(/\.ts$/, ".js"))).href;
    return code
      .replaceAll("import.meta.url", JSON.stringify(seen))
      .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))
      .replaceAll("import.meta.filename", JSON.stringify(id));
  }
}
