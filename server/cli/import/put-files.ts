import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Says whether a folder has policies, so that tools need capabilities. */
export async function hasPolicies(folder: string): Promise<boolean> {
  const names = await readdir(join(folder, "manifests/policies")).catch(() => []);
  return names.some((name) => name.endsWith(".yaml"));
}

/** Creates a reader of the texts of a folder's files; undefined where there is none. */
export function createTextReader(folder: string): (path: string) => Promise<string | undefined> {
  return (path) =>
    readFile(join(folder, path), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
}

/** Writes files into a folder; those without a text go away. */
export async function putFiles(folder: string, files: ReadonlyMap<string, string | null | undefined>): Promise<void> {
  for (const [path, text] of files) await put(join(folder, path), text ?? undefined);
}

async function put(path: string, text: string | undefined): Promise<void> {
  if (text === undefined) return rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
