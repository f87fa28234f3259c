import { globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Handlers in a folder of their own, beside nothing but the types of the host API, as the compiler takes them. */
export interface Project {
  readonly folder: string;
  /** Folder of the handlers in it, as in their repository. */
  readonly tree: string;
  remove(): Promise<void>;
}

/** Folder with the files of the host API: TypeScript here, declarations in the package. */
const API_FOLDER = fileURLToPath(new URL("../../../", import.meta.url));

/** Types of the globals that isolates have. */
const GLOBALS = "types/globals.d.ts";

/** Compiler options for handlers, which override the repository's configuration. */
const OPTIONS = {
  target: "esnext",
  module: "preserve",
  moduleResolution: "bundler",
  // Isolates have the language and the globals below, and nothing else of a browser's or of Node.
  lib: ["esnext"],
  types: [],
  typeRoots: [],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  // What type stripping needs to be right.
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  resolveJsonModule: false,
  allowJs: false,
  skipLibCheck: true,
  paths: { "cairn-gitops/host-api": ["./tree/server/host-api.ts"] },
} as const;

/** Writes the TypeScript among `files`, by path, and nothing else: no configuration and no package of theirs. */
export async function makeProject(files: ReadonlyMap<string, string>): Promise<Project> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "cairn-types-")));
  const tree = join(folder, "tree");
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const globals = await readFile(join(API_FOLDER, "..", GLOBALS), "utf8");
    const sources = new Map([...files, ...(await readHostApi()), [GLOBALS, globals]]);
    const folders = new Set([...sources.keys()].map((path) => dirname(join(tree, path))));
    for (const path of folders) await mkdir(path, { recursive: true });
    await Promise.all([...sources].map(([path, text]) => writeFile(join(tree, path), text)));
    const config = { compilerOptions: OPTIONS, files: [GLOBALS, ...files.keys()].map((path) => `./tree/${path}`) };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    return { folder, tree, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Reads the host API's types, by the paths that handlers know them by. */
export async function readHostApi(): Promise<readonly (readonly [path: string, text: string])[]> {
  const names = globSync(
    ["host-api{,.d}.ts", "capabilities/declaration{,.d}.ts", "capabilities/*/{api,declare}{,.d}.ts"],
    { cwd: API_FOLDER },
  );
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(API_FOLDER, name), "utf8");
      return [`server/${name.replace(".d.ts", ".ts")}`, text] as const;
    }),
  );
}
