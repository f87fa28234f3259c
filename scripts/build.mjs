// Makes `dist/`: Cairn with JavaScript in the place of TypeScript, because Node strips no types below `node_modules`. npm runs
// it (`prepare`) before it packs, and after it has fetched the repository for a dependency on a git URL. What is there stays
// until the new one is whole, and for good where nothing that it is made of has changed.
import { spawnSync } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildConsole } from "./build-console.mjs";
import { makeFolder } from "./made-folder.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}dist`;
const require = createRequire(import.meta.url);
/** Servers that `cairn add` copies. */
const SYSTEMS = ["tuner", "work", "artifacts", "beliefs", "decisions"];
/** Folders and files that the service, `cairn init`, `cairn add` and editors read. */
const PARTS = [
  "bin",
  "schemas",
  "template",
  "types",
  "console/dist",
  "tools/_lib",
  "manifests/workflows",
  "manifests/parameters/executor.yaml",
  "manifests/policies/access.yaml",
  ...SYSTEMS.flatMap((name) => [`manifests/${name}`, `tools/${name}`]),
];
const MAKERS = ["scripts/build.mjs", "scripts/made-folder.mjs"];
/** Everything that the result depends on. */
const SETTINGS = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json", ...MAKERS];
const INPUTS = ["server", ...PARTS, ...SETTINGS];

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
  if (!(await buildConsole())) {
    process.stderr.write("cairn: the console is not built: Vite is missing, or needs a newer Node.\n");
    return 1;
  }
  const make = async (made) => {
    const args = [compiler, "-p", `${root}tsconfig.build.json`, "--outDir", made];
    const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
    if (status !== 0) return false;
    await complete(made);
    return true;
  };
  return (await makeFolder({ root, target: dist, inputs: INPUTS, make })) ? 0 : 1;
}

/** Adds what is not compiled. */
async function complete(made) {
  for (const part of PARTS) await cp(root + part, `${made}/${part}`, { recursive: true });
  const {
    scripts: _scripts,
    devDependencies: _development,
    files: _files,
    exports: targets,
    ...published
  } = JSON.parse(await readFile(`${root}package.json`, "utf8"));
  const exports = JSON.parse(JSON.stringify(targets).replaceAll("./dist/", "./"));
  await writeFile(`${made}/package.json`, `${JSON.stringify({ ...published, exports }, undefined, 2)}\n`);
}

const compiler = findCompiler();
if (compiler !== undefined) process.exitCode = await build(compiler);
else {
  // An installation for production runs the sources, and must not fail for want of a compiler; a package without code must not be.
  const isInstall = ["ci", "install"].includes(process.env.npm_command);
  process.stderr.write("cairn: `dist/` is not built: the packages for developers are not installed (`npm ci`).\n");
  process.exitCode = isInstall ? 0 : 1;
}
