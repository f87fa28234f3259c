// Makes `dist/`: Cairn with JavaScript in the place of TypeScript, because Node strips no types below `node_modules`. npm runs
// it (`prepare`) before it packs, and after it has fetched the repository for a dependency on a git URL.
import { spawnSync } from "node:child_process";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}dist`;
const require = createRequire(import.meta.url);
/** Folders and files that the service, `cairn init` and editors read. */
const PARTS = ["bin", "schemas", "template", "types", "manifests/tuner", "tools/tuner", "tools/_lib/http-api.ts"];

/** Finds the compiler, unless the packages for developers were left out. */
function findCompiler() {
  try {
    require.resolve("@types/node/package.json");
    return fileURLToPath(new URL("bin/tsc", pathToFileURL(require.resolve("typescript/package.json"))));
  } catch {
    return undefined;
  }
}

async function build(compiler) {
  await rm(dist, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler, "-p", `${root}tsconfig.build.json`], { stdio: "inherit" });
  if (status !== 0) return 1;
  for (const part of PARTS) await cp(root + part, `${dist}/${part}`, { recursive: true });
  const {
    scripts: _scripts,
    devDependencies: _development,
    files: _files,
    exports: targets,
    ...published
  } = JSON.parse(await readFile(`${root}package.json`, "utf8"));
  const exports = JSON.parse(JSON.stringify(targets).replaceAll("./dist/", "./"));
  await writeFile(`${dist}/package.json`, `${JSON.stringify({ ...published, exports }, undefined, 2)}\n`);
  return 0;
}

const compiler = findCompiler();
if (compiler !== undefined) process.exitCode = await build(compiler);
else {
  // An installation for production runs the sources, and must not fail for want of a compiler; a package without code must not be.
  const isInstall = ["ci", "install"].includes(process.env.npm_command);
  process.stderr.write("cairn: `dist/` is not built: the packages for developers are not installed (`npm ci`).\n");
  process.exitCode = isInstall ? 0 : 1;
}
