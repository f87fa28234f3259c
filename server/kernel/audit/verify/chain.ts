import { hash } from "node:crypto";

/** Predecessor that the first entry of a log names. */
export const GENESIS_HASH = "0".repeat(64);

/** One that the chain says comes next, or why what stands there is not it. */
export type Read = { readonly ok: true; readonly entry: unknown; readonly hash: string } | Problem;

export interface Problem {
  readonly ok: false;
  /** Of the first entry that is wrong. */
  readonly seq: number;
  readonly problem: string;
}

/**
 * Reads the bytes of entry `seq`: `{"entry":...,"prev":"<hash of the one before>","seq":<number>}`, of which there is
 * one form only (RFC 8785).
 */
export function readEntry(bytes: Buffer, seq: number, prev: string): Read {
  const text = bytes.toString();
  const tail = `,"prev":"${prev}","seq":${seq}}`;
  if (text.startsWith(HEAD) && text.endsWith(tail)) {
    const entry = parse(text.slice(HEAD.length, -tail.length));
    if (entry !== undefined) return { ok: true, entry, hash: hash("sha256", bytes) };
  }
  return toProblem(parse(text), seq, prev);
}

export function toEntryProblem(seq: number, problem: string): Problem {
  return { ok: false, seq, problem };
}

const HEAD = '{"entry":';

function toProblem(link: unknown, seq: number, prev: string): Problem {
  const named: { seq?: unknown; prev?: unknown } = typeof link === "object" && link !== null ? link : {};
  if (typeof named.seq === "number" && named.seq > seq) {
    return toEntryProblem(seq, `it is missing: entry ${named.seq} stands in its place`);
  }
  if (typeof named.seq === "number" && named.seq < seq) {
    return toEntryProblem(seq, `entry ${named.seq} stands in its place`);
  }
  if (named.seq === seq && typeof named.prev === "string" && named.prev !== prev && seq > 0) {
    return toEntryProblem(
      seq - 1,
      `its bytes do not have the hash that entry ${seq} names, or that is not what it named`,
    );
  }
  return toEntryProblem(seq, "its bytes are not those of an entry");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON is no entry, which the caller says.
    return undefined;
  }
}
