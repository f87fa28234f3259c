import { isUtf8 } from "node:buffer";
import { CairnError } from "../../../errors.ts";
import { readBytes } from "../../../capabilities/workspace/files.ts";
import { WORKSPACE_LIMITS } from "../../../capabilities/workspace/limits.ts";
import { findSecrets } from "./find-secrets.ts";
import { failed, type Outcome, passed, skipped } from "./outcome.ts";

/**
 * Checks that no file of the change brings credentials into the repository. Faults name their places and never show the
 * credentials.
 */
export async function checkSecrets(options: {
  /** Folder with the files. */
  readonly folder: string;
  readonly readBefore: (file: string) => Promise<string | undefined>;
  readonly changed: readonly string[];
  readonly signal: AbortSignal;
}): Promise<Outcome> {
  const { folder, readBefore, changed, signal } = options;
  const found: string[] = [];
  const unread: string[] = [];
  let searched = 0;
  for (const path of changed) {
    signal.throwIfAborted();
    const read = await readFile(folder, path);
    if (read === undefined) continue;
    if (typeof read === "string") {
      unread.push(`${path}: not searched: ${read}`);
      continue;
    }
    searched += 1;
    const secrets = await findSecrets(path, read.text);
    if (secrets.length === 0) continue;
    // What was there before is in the repository's history already.
    const before = (await readBefore(path)) ?? "";
    for (const { line, column, kind, value } of secrets) {
      if (!before.includes(value)) found.push(`${path}:${line}:${column}: looks like a credential (${kind}).`);
    }
  }
  const summary = `${searched} files searched.`;
  if (found.length > 0) return failed(...found, summary, ...unread);
  return searched === 0 && unread.length === 0
    ? skipped("No file is there to be searched.")
    : passed(summary, ...unread);
}

/** The text of a file, byte for byte where it is no UTF-8; why there is none; `undefined` when there is no file. */
async function readFile(folder: string, path: string): Promise<{ readonly text: string } | string | undefined> {
  try {
    const { bytes } = await readBytes(folder, path, WORKSPACE_LIMITS.readBytes);
    return { text: bytes.toString(isUtf8(bytes) ? "utf8" : "latin1") };
  } catch (error) {
    if (!(error instanceof CairnError) || error.name === "INTERNAL_ERROR") throw error;
    return error.name === "NOT_FOUND" ? undefined : error.message;
  }
}
