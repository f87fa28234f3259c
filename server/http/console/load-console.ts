import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDocument, type Document } from "../document.ts";

/** The console as it was built, in memory. */
export interface Console {
  /** The one page, which every address of the console answers with. */
  readonly page: Document;
  /** Files that the page loads, by name. Each name has a digest of its file, so that none ever changes. */
  readonly assets: ReadonlyMap<string, Document>;
}

/** The folder that `scripts/build-console.mjs` makes, in a checkout and in the package. */
const BUILT = fileURLToPath(new URL("../../../console/dist", import.meta.url));
const PAGE = "index.html";
const ASSETS = "assets";
/** Ending of the compressed form that stands beside each file. */
const BROTLI = ".br";
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Loads the built console; `undefined` where it was not built, as without the packages for developers. */
export async function loadConsole(folder = BUILT): Promise<Console | undefined> {
  const page = await loadDocument(folder, PAGE);
  if (page === undefined) return undefined;
  const names = (await readdir(join(folder, ASSETS))).filter((name) => !name.endsWith(BROTLI));
  const assets = await Promise.all(
    names.map(async (name) => [name, await loadDocument(join(folder, ASSETS), name)] as const),
  );
  const found = assets.filter((entry): entry is [string, Document] => entry[1] !== undefined);
  return Object.freeze({ page, assets: new Map(found) });
}

/** Loads a file of a type that the console has; `undefined` for others, and where there is none. */
async function loadDocument(folder: string, name: string): Promise<Document | undefined> {
  const type = TYPES[extname(name)];
  const [bytes, packed] = await Promise.all([name, name + BROTLI].map((one) => load(join(folder, one))));
  if (type === undefined || bytes === undefined) return undefined;
  return createDocument(type, bytes, "small", packed === undefined ? {} : { br: packed });
}

async function load(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
