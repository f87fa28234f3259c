import { isUtf8 } from "node:buffer";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CairnError } from "../../errors.ts";
import type { WorkClient } from "../work-client.ts";

/** A text file of a workspace. */
export interface TextFile {
  readonly text: string;
  readonly executable: boolean;
}

/** Files by their paths in the workspace, with `/`. */
export type Files = ReadonlyMap<string, TextFile>;

/** Requests for files at the same time. */
const AT_ONCE = 8;
/** Files that a workspace or a folder may have: each is a request, and is compared after each round. */
const MAX_FILES = 5_000;
/** Bytes of a file that a workspace takes. */
const MAX_BYTES = 1024 * 1024;
/** Folders that nobody commits, at any depth. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Loads the text files of a run's workspace; others cannot be read and stay there as they are. */
export async function loadWorkspace(client: WorkClient, run_id: string, signal: AbortSignal): Promise<Files> {
  const found = new Map<string, TextFile>();
  const waiting: (string | undefined)[] = [undefined];
  const paths: string[] = [];
  for (let folder = waiting.pop(), first = true; first || folder !== undefined; folder = waiting.pop(), first = false) {
    const { entries } = await client.fsList({ run_id, ...(folder !== undefined && { path: folder }) }, { signal });
    for (const entry of entries) {
      const path = folder === undefined ? entry : `${folder}/${entry}`;
      if (entry.endsWith("/")) waiting.push(path.slice(0, -1));
      else paths.push(path);
    }
    if (paths.length > MAX_FILES) throw tooMany("The workspace");
  }
  const next = paths.values();
  const work = async () => {
    for (const path of next) {
      const file = await client.fsRead({ run_id, path }, { signal }).catch(leaveOut);
      if (file !== undefined) found.set(path, { text: file.content, executable: file.executable === true });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

/** Symlinks, and files that are no text or too long, cannot be read: nothing else is left out. */
function leaveOut(error: unknown): undefined {
  if (error instanceof CairnError && ["BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNPROCESSABLE"].includes(error.name))
    return undefined;
  throw error;
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, { text, executable }] of files) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, text);
    if (executable) await chmod(place, 0o755);
  }
}

/** The files of a folder, and what in it cannot be part of a change, in sentences. */
export async function readFolder(
  folder: string,
  leaves: readonly string[] = [],
): Promise<{ readonly files: Files; readonly faults: readonly string[] }> {
  const files = new Map<string, TextFile>();
  const faults: string[] = [];
  const waiting = [""];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of await readdir(join(folder, at), { withFileTypes: true })) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (SKIPPED.has(entry.name) || leaves.some((start) => path.startsWith(start))) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) {
        const place = join(folder, path);
        const { size, mode } = await stat(place);
        const bytes = size > MAX_BYTES ? undefined : await readFile(place);
        if (bytes === undefined) faults.push(`\`${path}\` has more than ${MAX_BYTES} bytes.`);
        else if (!isUtf8(bytes) || bytes.includes(0)) faults.push(`\`${path}\` is no text in UTF-8.`);
        else files.set(path, { text: bytes.toString("utf8"), executable: (mode & 0o100) !== 0 });
      } else faults.push(`\`${path}\` is neither a file nor a folder.`);
      if (files.size > MAX_FILES) throw tooMany("The agent's folder");
    }
  }
  return { files, faults };
}

function tooMany(where: string): CairnError {
  return new CairnError("PAYLOAD_TOO_LARGE", `${where} has more than ${MAX_FILES} files.`);
}
