import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../errors.ts";
import { isObject } from "../json/is-object.ts";

/**
 * Number of the form that this Cairn gives data folders. A change that an older Cairn would misread raises it; what older forms need is
 * read or converted here. A folder without a number has form 1: Cairn wrote none at first. Form 2 has records of calls in segments.
 */
export const DATA_FORM = 2;

const FILE = "form.json";

/** Loads the number of a data folder's form, and refuses one that this Cairn does not know. @throws UNAVAILABLE */
export async function loadKnownForm(data: string): Promise<number | undefined> {
  const found = await loadForm(data);
  if (found === undefined || found <= DATA_FORM) return found;
  const advice = "Start that Cairn again, or restore a backup from before the upgrade (docs/upgrade.md)";
  const message = `A newer Cairn has written \`${data}\`, in form ${found}; this one knows forms up to ${DATA_FORM}. ${advice}.`;
  throw new CairnError("UNAVAILABLE", message);
}

/**
 * Refuses a data folder that a newer Cairn has written, and gives this one's number to all others. An older Cairn that wrote there
 * would leave records that neither understands. @throws UNAVAILABLE
 */
export async function claimForm(data: string): Promise<void> {
  if ((await loadKnownForm(data)) === DATA_FORM) return;
  const path = join(data, FILE);
  try {
    await writeFile(`${path}.new`, `${JSON.stringify({ schemaVersion: 1, form: DATA_FORM })}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (error) {
    // A service must start on a full disk, and writes the number at its next start.
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}

/** Loads the number of a data folder's form; `undefined` where there is none. @throws UNAVAILABLE */
async function loadForm(data: string): Promise<number | undefined> {
  const path = join(data, FILE);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const form = readForm(text);
  if (form !== undefined) return form;
  const message = `\`${path}\` does not name the form of the data folder, a whole number. Restore the file from a backup.`;
  throw new CairnError("UNAVAILABLE", message);
}

function readForm(text: string): number | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const form = isObject(value) ? value["form"] : undefined;
    return Number.isSafeInteger(form) && Number(form) > 0 ? Number(form) : undefined;
  } catch {
    return undefined;
  }
}
