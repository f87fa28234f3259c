// Makes `dist/`: Cairn with JavaScript in the place of TypeScript, because Node strips no types below `node_modules`. npm runs
// it (`prepare`) before it packs, and after it has fetched the repository for a dependency on a git URL. What is there stays
// until the new one is whole, and for good where nothing that it is made of has changed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

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
  "tools/_lib",
  "manifests/workflows",
  "manifests/parameters/executor.yaml",
  "manifests/policies/access.yaml",
  ...SYSTEMS.flatMap((name) => [`manifests/${name}`, `tools/${name}`]),
];
/** Everything that the result depends on. */
const SETTINGS = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json", "scripts/build.mjs"];
const INPUTS = ["server", ...PARTS, ...SETTINGS];
/** The file of `dist/` with the digest of what it was made of; it is not published. */
const STAMP = ".inputs";
/** Builds at the same time that may come in between. */
const MAX_TRIES = 5;

/** Finds the compiler, unless the packages for developers were left out. */
function findCompiler() {
  try {
    require.resolve("@types/node/package.json");
    return fileURLToPath(new URL("bin/tsc", pathToFileURL(require.resolve("typescript/package.json"))));
  } catch {
    return undefined;
  }
}

/** The digest of everything that `dist/` is made of, the compiler's version included: lockfile, settings and sources. */
async function digestInputs() {
  const hash = createHash("sha256");
  for (const input of INPUTS) {
    const isFolder = (await stat(root + input)).isDirectory();
    const below = isFolder ? await readdir(root + input, { recursive: true, withFileTypes: true }) : [];
    const files = below.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath}/${entry.name}`);
    for (const file of isFolder ? files.sort() : [root + input]) {
      const bytes = await readFile(file);
      hash.update(`${file.slice(root.length)}\0${bytes.length}\0`).update(bytes);
    }
  }
  return hash.digest("hex");
}

async function build(compiler) {
  const digest = await digestInputs();
  if ((await readFile(`${dist}/${STAMP}`, "utf8").catch(() => "")) === digest) return 0;
  const made = await mkdtemp(`${dist}.`);
  try {
    const args = [compiler, "-p", `${root}tsconfig.build.json`, "--outDir", made];
    const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
    if (status !== 0) return 1;
    await complete(made);
    await writeFile(`${made}/${STAMP}`, digest);
    // As `mkdir` would make it: a temporary folder is its owner's alone.
    await chmod(made, 0o777 & ~process.umask());
    await replace(made);
    return 0;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
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

/** Puts a folder in the place of `dist/`, which is gone for no longer than between two renames. */
async function replace(made) {
  const old = await mkdtemp(`${dist}.`);
  try {
    for (let tries = 0; ; tries += 1) {
      await rename(dist, `${old}/${tries}`).catch(allow("ENOENT"));
      try {
        return await rename(made, dist);
      } catch (error) {
        // Another build came in between.
        if (tries === MAX_TRIES) throw error;
        allow("ENOTEMPTY", "EEXIST")(error);
      }
    }
  } finally {
    await rm(old, { recursive: true, force: true });
  }
}

function allow(...codes) {
  return (error) => {
    if (!codes.includes(error.code)) throw error;
  };
}

const compiler = findCompiler();
if (compiler !== undefined) process.exitCode = await build(compiler);
else {
  // An installation for production runs the sources, and must not fail for want of a compiler; a package without code must not be.
  const isInstall = ["ci", "install"].includes(process.env.npm_command);
  process.stderr.write("cairn: `dist/` is not built: the packages for developers are not installed (`npm ci`).\n");
  process.exitCode = isInstall ? 0 : 1;
}
