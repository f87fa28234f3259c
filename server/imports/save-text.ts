import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes the text of a file, and the folders that lead to it; removes the file for undefined. */
export async function saveText(path: string, text: string | undefined): Promise<void> {
  if (text === undefined) return rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true });
  return writeFile(path, text);
}
