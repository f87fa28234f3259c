import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { loadText } from "../../imports/load-text.ts";
import { saveText } from "../../imports/save-text.ts";

/** Says whether policies name roles, so that tools need capabilities. A file that cannot be read may name any. */
export async function hasRoles(folder: string): Promise<boolean> {
  const policies = join(folder, "manifests/policies");
  const names = await readdir(policies).catch(() => []);
  const files = names.filter((name) => name.endsWith(".yaml"));
  const texts = await Promise.all(files.map((name) => readFile(join(policies, name), "utf8")));
  return texts.some((text) => {
    const document = parseDocument(text);
    return document.errors.length > 0 || document.has("roles");
  });
}

/** Creates a reader of the texts of a folder's files; undefined where there is none. */
export function createTextReader(folder: string): (path: string) => Promise<string | undefined> {
  return (path) => loadText(join(folder, path));
}

/** Writes files into a folder; those without a text go away. */
export async function putFiles(folder: string, files: ReadonlyMap<string, string | null | undefined>): Promise<void> {
  for (const [path, text] of files) await saveText(join(folder, path), text ?? undefined);
}
