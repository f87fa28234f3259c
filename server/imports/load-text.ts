import { readFile } from "node:fs/promises";

/** Loads the text of a file; undefined where there is none. Rejects where it cannot be read. */
export async function loadText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
