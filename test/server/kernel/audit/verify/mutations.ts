import { createHash } from "node:crypto";
import fc from "fast-check";
import { GENESIS_HASH } from "../../../../../server/kernel/audit/verify/chain.ts";
import { linesOf, type MemoryLog, toBytes } from "./memory-log.ts";

/** A log as someone left it who wants something to be otherwise, and what is known of the place. */
interface Mutated {
  readonly log: MemoryLog;
  /** The first entry that is not what it was, where the finding must name it. */
  readonly seq?: number;
  /** The finding may name an earlier one, since which nothing vouches for the log. */
  readonly isRange?: boolean;
}

export type Mutation = (log: MemoryLog, older: MemoryLog) => Mutated;

const FILES = ["entries", "records", "checkpoints"] as const;

/** What can be done to files: anything, without the signing key. */
export const mutations: fc.Arbitrary<readonly [name: string, mutate: Mutation]> = fc
  .tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat({ max: 7 }))
  .chain(([a, b, c, bit]) =>
    fc.constantFrom<readonly [string, Mutation]>(
      ["flip a bit", (log) => flip(log, FILES[c % 2] ?? "entries", a, bit)],
      ["flip a bit of the kept checkpoints", (log) => flip(log, "checkpoints", a, bit)],
      ["flip a bit of the checkpoint", (log) => flipCheckpoint(log, a, bit)],
      ["drop an entry", (log) => dropEntry(log, a)],
      ["drop a record", (log) => ({ log: edit(log, "records", (lines) => lines.toSpliced(a % lines.length, 1)) })],
      ["drop an entry with its records", (log) => dropWhole(log, a)],
      ["reorder entries", (log) => reorderEntries(log, a, b)],
      ["swap records", (log) => ({ log: edit(log, "records", (lines) => swap(lines, a, b)) })],
      ["truncate entries", (log) => truncate(log, "entries", a)],
      ["truncate records", (log) => truncate(log, "records", a)],
      ["truncate both at an entry", (log) => truncateBoth(log, a)],
      ["rewrite an entry and the chain", (log) => rewrite(log, a)],
      ["drop an entry and rewrite the chain", (log) => dropAndRewrite(log, a)],
      ["repeat an entry", (log) => repeat(log, "entries", a)],
      ["repeat a record", (log) => repeat(log, "records", a)],
      ["take a record away without a redaction", (log) => tombstone(log, a)],
      ["replay an old checkpoint", (log, older) => ({ log: { ...log, checkpoint: older.checkpoint } })],
      ["replay an old log", (_, older) => ({ log: older })],
      ["pass it off as another tenant's", (log) => ({ log: { ...log, tenant: "evil" } })],
    ),
  );

function edit(log: MemoryLog, file: (typeof FILES)[number], change: (lines: string[]) => string[]): MemoryLog {
  return { ...log, [file]: toBytes(change(linesOf(log[file]))) };
}

function flip(log: MemoryLog, file: (typeof FILES)[number], at: number, bit: number): Mutated {
  const bytes = Buffer.from(log[file]);
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
  const line = log[file].subarray(0, index).filter((byte) => byte === 10).length;
  const isLast = line === linesOf(log.entries).length - 1;
  return { log: { ...log, [file]: bytes }, ...(file === "entries" ? { seq: line, isRange: isLast } : {}) };
}

function flipCheckpoint(log: MemoryLog, at: number, bit: number): Mutated {
  const bytes = Buffer.from(log.checkpoint);
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
  return { log: { ...log, checkpoint: bytes.toString() } };
}

function dropEntry(log: MemoryLog, at: number): Mutated {
  const seq = at % linesOf(log.entries).length;
  return { log: edit(log, "entries", (lines) => lines.toSpliced(seq, 1)), seq };
}

function dropWhole(log: MemoryLog, at: number): Mutated {
  const seq = at % linesOf(log.entries).length;
  const lines = linesOf(log.entries);
  const before = lines.slice(0, seq).reduce((sum, line) => sum + recordsOf(line), 0);
  const records = edit(log, "records", (all) => all.toSpliced(before, recordsOf(lines[seq] ?? "")));
  return { log: edit(records, "entries", (all) => all.toSpliced(seq, 1)), seq };
}

function reorderEntries(log: MemoryLog, a: number, b: number): Mutated {
  const { length } = linesOf(log.entries);
  const [one, other] = pair(length, a, b);
  return { log: edit(log, "entries", (lines) => swap(lines, a, b)), seq: Math.min(one, other) };
}

function truncate(log: MemoryLog, file: "entries" | "records", at: number): Mutated {
  const end = at % log[file].length;
  const seq = log[file].subarray(0, end).filter((byte) => byte === 10).length;
  return { log: { ...log, [file]: log[file].subarray(0, end) }, ...(file === "entries" ? { seq } : {}) };
}

function truncateBoth(log: MemoryLog, at: number): Mutated {
  const lines = linesOf(log.entries);
  const seq = at % lines.length;
  const kept = lines.slice(0, seq).reduce((sum, line) => sum + recordsOf(line), 0);
  const records = edit(log, "records", (all) => all.slice(0, kept));
  return { log: edit(records, "entries", (all) => all.slice(0, seq)), seq };
}

function rewrite(log: MemoryLog, at: number): Mutated {
  const lines = linesOf(log.entries);
  const seq = at % lines.length;
  const changed = lines.with(
    seq,
    (lines[seq] ?? "").replace(/"([0-9a-f-]{36})"/, `"${"0".repeat(8)}$1`.slice(0, 37) + '"'),
  );
  return { log: { ...log, entries: toBytes(rechain(changed)) }, seq, isRange: true };
}

function dropAndRewrite(log: MemoryLog, at: number): Mutated {
  const { log: dropped } = dropWhole(log, at);
  // With the chain made whole again, nothing but the number of entries tells, and that only at the end.
  return { log: { ...dropped, entries: toBytes(rechain(linesOf(dropped.entries))) } };
}

function repeat(log: MemoryLog, file: "entries" | "records", at: number): Mutated {
  const index = at % linesOf(log[file]).length;
  const changed = edit(log, file, (lines) => lines.toSpliced(index, 0, lines[index] ?? ""));
  return { log: changed, ...(file === "entries" ? { seq: index + 1 } : {}) };
}

/** In place of a record that is still there, and that no redaction names. */
function tombstone(log: MemoryLog, at: number): Mutated {
  const kept = linesOf(log.records).flatMap((line, index) => (line.startsWith('{"redacted"') ? [] : [index]));
  const index = kept[at % kept.length] ?? 0;
  const id = /"id":"([^"]+)"/.exec(linesOf(log.records)[index] ?? "")?.[1];
  return { log: edit(log, "records", (lines) => lines.with(index, `{"redacted":"${id}"}`)) };
}

function swap(lines: string[], a: number, b: number): string[] {
  const [one, other] = pair(lines.length, a, b);
  return lines.with(one, lines[other] ?? "").with(other, lines[one] ?? "");
}

function pair(length: number, a: number, b: number): readonly [number, number] {
  const one = a % length;
  return [one, (one + 1 + (b % (length - 1))) % length];
}

function recordsOf(line: string): number {
  return [...line.matchAll(/"[0-9a-f-]{36}":"[0-9a-f]{64}"/g)].length;
}

/** The same entries in a chain that is whole again. */
function rechain(lines: readonly string[]): string[] {
  let prev = GENESIS_HASH;
  return lines.map((line, seq) => {
    const entry = line.slice(0, line.lastIndexOf(',"prev":'));
    const link = `${entry},"prev":"${prev}","seq":${seq}}`;
    prev = createHash("sha256").update(link).digest("hex");
    return link;
  });
}
