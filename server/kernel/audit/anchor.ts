import { CairnError } from "../../errors.ts";
import { readCheckpoint } from "./verify/checkpoint.ts";
import type { VerifierKey } from "./verify/note.ts";
import { isConsistent } from "./verify/proofs.ts";

/** Parts notes in an anchor; no note has a line like it. */
const BETWEEN = "-----\n";

/**
 * Content of a file that a release commits, so that the git host and everyone with a clone is a witness: the newest
 * checkpoint of each log, by origin. Whatever an auditor finds there, the log must still contain.
 */
export function toAnchor(checkpoints: readonly string[]): string {
  return [...checkpoints].sort((one, other) => (one < other ? -1 : 1)).join(BETWEEN);
}

/** The checkpoints in an anchor. */
export function readAnchor(text: string): readonly string[] {
  return text === "" ? [] : text.split(BETWEEN);
}

/** Hashes that show the log of `origin` with `to` entries to begin with its first `from`. */
export type Prove = (origin: string, from: number, to: number) => Promise<readonly Uint8Array[]>;

/**
 * Refuses an anchor that does not continue the one before it: every log in `earlier` must be in `later`, signed, and
 * have only grown. INVARIANT_VIOLATION names the log.
 */
export async function checkAnchor(earlier: string, later: string, key: VerifierKey, prove: Prove): Promise<void> {
  const known = readHeads(earlier, key);
  const heads = readHeads(later, key);
  for (const [origin, older] of known) {
    const newer = heads.get(origin);
    if (newer === undefined) throw refuse(origin, "is missing");
    if (newer.size < older.size) throw refuse(origin, `has shrunk from ${older.size} entries to ${newer.size}`);
    if (!isConsistent(older, newer, await prove(origin, older.size, newer.size))) {
      throw refuse(origin, `does not begin with the ${older.size} entries that were anchored`);
    }
  }
}

function readHeads(anchor: string, service: VerifierKey) {
  const notes = readAnchor(anchor).map((note) => {
    const origin = note.slice(0, note.indexOf("\n"));
    const isOurs = origin.startsWith(`${service.name}/`);
    const head = isOurs ? readCheckpoint(note, { ...service, name: origin }) : undefined;
    if (head === undefined) throw refuse(origin, `has no checkpoint signed with \`${service.name}\``);
    return [origin, head] as const;
  });
  return new Map(notes);
}

function refuse(origin: string, what: string): CairnError {
  return new CairnError("INVARIANT_VIOLATION", `The audit log \`${origin}\` ${what}.`);
}
