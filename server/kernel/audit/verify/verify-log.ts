import { hash } from "node:crypto";
import { GENESIS_HASH, type Problem, readEntry, toEntryProblem } from "./chain.ts";
import { type Checkpoint, readCheckpoint, toLogKey } from "./checkpoint.ts";
import { type Lines, takeLine } from "./lines.ts";
import { createFrontier, toLeafHash } from "./merkle.ts";
import { readAuditEntry, toTombstone } from "./named-records.ts";
import type { VerifierKey } from "./note.ts";

/** One tenant's log, wherever it is read from; `docs/audit.md` says what each part is. */
export interface LogSource {
  readonly tenant: string;
  /** The newest checkpoint, a signed note. */
  readonly checkpoint: string;
  /** Earlier ones, one JSON string a line, smallest first. */
  readonly checkpoints: Lines;
  readonly entries: Lines;
  /** In the order that the entries name them in. */
  readonly records: Lines;
}

export type Verdict =
  | { readonly ok: true; readonly checkpoint: Checkpoint; readonly records: number; readonly redacted: number }
  /** Without a number when what is wrong is no entry. */
  | { readonly ok: false; readonly seq?: number; readonly problem: string };

/**
 * Verifies a log against its checkpoint: recomputes the chain, every record's digest, every leaf and the root, and checks
 * the signatures, and that the log has only grown since the checkpoint in `since`. Uses nothing of the service. Memory
 * does not grow with the log, except for removed records whose redaction follows later.
 */
export async function verifyLog(source: LogSource, service: VerifierKey, since?: string): Promise<Verdict> {
  const key = toLogKey(service, source.tenant);
  const checkpoint = readCheckpoint(source.checkpoint, key);
  if (checkpoint === undefined) return fail(`the checkpoint is not one of \`${key.name}\` signed with this key`);
  const older = since === undefined ? undefined : readCheckpoint(since, key);
  if (since !== undefined && older === undefined) {
    return fail(`the older checkpoint is not one of \`${key.name}\` signed with this key`);
  }
  if (older !== undefined && older.size > checkpoint.size) {
    return { ...fail(`it is missing: the older checkpoint vouches for ${older.size} entries`), seq: checkpoint.size };
  }

  const frontier = createFrontier();
  const marks = createMarks(source.checkpoints, key, [...(older === undefined ? [] : [older]), checkpoint]);
  const owed = new Map<string, number>();
  let [seq, prev, records, redacted] = [0, GENESIS_HASH, 0, 0];

  for (;;) {
    if (seq === marks.due()) {
      const wrong = await marks.check(seq, frontier.root);
      const next = wrong === undefined || seq === 0 ? undefined : await takeLine(source.entries);
      if (next?.includes(prev) === false) return toEntryProblem(seq - 1, NOT_NAMED);
      if (wrong !== undefined) return wrong;
    }
    const line = source.entries.next() ?? (await takeLine(source.entries));
    if (line === undefined) break;
    if (seq >= checkpoint.size)
      return toEntryProblem(seq, `the checkpoint vouches for ${checkpoint.size} entries only`);
    const read = readEntry(line, seq, prev);
    if (!read.ok) return blame(read, seq, line, await takeLine(source.entries));
    const entry = readAuditEntry(read.entry);
    if (entry === undefined) return toEntryProblem(seq, "it is no entry of an audit log");
    if (entry.kind === "redaction") for (const id of entry.ids) owed.delete(id);
    else {
      for (const { id, digest } of entry.records) {
        const record = source.records.next() ?? (await takeLine(source.records));
        if (record === undefined) return toEntryProblem(seq, `the record of \`${id}\` is missing`);
        records += 1;
        if (hash("sha256", record) === digest) continue;
        if (record.toString() !== toTombstone(id)) {
          return toEntryProblem(seq, `the record of \`${id}\` is not the one it vouches for`);
        }
        owed.set(id, seq);
        redacted += 1;
      }
    }
    frontier.append(toLeafHash(line));
    prev = read.hash;
    seq += 1;
  }
  return (await findRest(source, checkpoint, seq, owed)) ?? { ok: true, checkpoint, records, redacted };
}

/**
 * Names the changed entry where one does not name the hash of the one before: the next entry shows which of the two it
 * was.
 */
function blame(problem: Problem, seq: number, line: Buffer, next: Buffer | undefined): Problem {
  if (problem.seq === seq || next === undefined || next.includes(hash("sha256", line))) return problem;
  return toEntryProblem(seq, NOT_NAMED);
}

const NOT_NAMED = "its bytes do not have the hash that the next entry names";

/** Finds faults behind the last entry, missing text included. */
async function findRest(
  { entries, records }: LogSource,
  { size }: Checkpoint,
  seq: number,
  owed: ReadonlyMap<string, number>,
): Promise<Verdict | undefined> {
  if (entries.rest() > 0) return toEntryProblem(seq, "it ends in the middle of a line");
  if (seq < size) return toEntryProblem(seq, `it is missing: the checkpoint vouches for ${size} entries`);
  for (const [id, at] of owed)
    return toEntryProblem(at, `the record of \`${id}\` is missing, and no redaction names it`);
  if ((await takeLine(records)) !== undefined || records.rest() > 0)
    return fail("there are records that no entry names");
  return undefined;
}

/** Compares the root wherever a checkpoint vouches for one, so that what was rewritten is found near where it begins. */
function createMarks(checkpoints: Lines, key: VerifierKey, fixed: readonly Checkpoint[]) {
  const limit = fixed.at(-1)?.size ?? 0;
  // How far the last comparison vouches, which size the next one is due at, and what the file says of it.
  let [good, due] = [0, 0];
  let next: Checkpoint | undefined;

  /** Reads the checkpoint behind the current one, or says what is wrong with it. */
  async function advance(): Promise<string | undefined> {
    const last = next?.size ?? -1;
    const line = await takeLine(checkpoints);
    next = line === undefined ? undefined : readCheckpoint(readText(line), key);
    if (line === undefined) return checkpoints.rest() > 0 ? "the checkpoints end in the middle of a line" : undefined;
    if (next === undefined)
      return `a checkpoint behind entry ${good} is not one of \`${key.name}\` signed with this key`;
    if (next.size <= last || next.size > limit) return `the checkpoint of size ${next.size} is out of order`;
    return undefined;
  }

  return {
    due: () => due,
    async check(size: number, root: () => Uint8Array): Promise<Verdict | undefined> {
      const isFirst = next === undefined && size === 0;
      const wrong = isFirst ? await advance() : undefined;
      const marks = [...fixed, ...(next === undefined ? [] : [next])].filter((mark) => mark.size === size);
      const found = marks.length === 0 ? undefined : root();
      if (marks.some((mark) => found === undefined || Buffer.compare(mark.root, found) !== 0)) {
        const range = good < size - 1 ? `one of the entries ${good} to ${size - 1} is` : "it is";
        return { ok: false, seq: good, problem: `${range} not what the checkpoint of size ${size} vouches for` };
      }
      if (marks.length > 0) good = size;
      const later = wrong ?? (next?.size === size ? await advance() : undefined);
      if (later !== undefined) return fail(later);
      due = Math.min(
        ...[...fixed, ...(next === undefined ? [] : [next])].map((mark) => mark.size).filter((at) => at > size),
      );
      return undefined;
    },
  };
}

function readText(line: Buffer): string {
  try {
    return String(JSON.parse(line.toString()));
  } catch {
    // No JSON is no checkpoint, which the caller says.
    return "";
  }
}

function fail(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
