import type { Json } from "../json/types.ts";
export type { Json } from "../json/types.ts";

/**
 * A key's elements sort by type, then value: numbers before strings, strings by code point. The tenant is always an
 * element of its own.
 */
export type Key = readonly (string | number)[];

export interface Entry {
  readonly key: Key;
  readonly value: Json;
  /** Grows with every write of the key; 0 stands for "absent" in checks. */
  readonly rev: number;
}

/** Writes that happen together or not at all. A commit writes each key at most once. */
export interface Commit {
  /** Everything below happens only if every key still has the revision named here. */
  readonly check?: readonly { readonly key: Key; readonly rev: number }[];
  /** Extends leases from now on, under the same fence; one that ran out or was taken over is a conflict on that key. */
  readonly renew?: readonly { readonly key: Key; readonly fence: number; readonly leaseMs: number }[];
  readonly set?: readonly Write[];
  readonly del?: readonly Key[];
  /**
   * Adds to a number (absent = 0), whose `ttl` runs on; a sum outside [min, max] is a conflict on that key and nothing
   * happens.
   */
  readonly add?: readonly { readonly key: Key; readonly delta: number; readonly min?: number; readonly max?: number }[];
  /** Appends to hash-chained logs; the store assigns sequence number, previous hash and hash under its lock. */
  readonly append?: readonly { readonly log: string; readonly entry: Json }[];
  /**
   * Identifier of the commit: a repetition within 7 days, in this process or a later one, has no second effect and gets
   * the first result. A conflict had no effect, so it is not remembered. All tenants share the ids: put the tenant into
   * them.
   */
  readonly id?: string;
}

export type Write = {
  readonly key: Key;
  /** Milliseconds, after which the key reads as absent. */
  readonly ttl?: number;
} & (
  | { readonly value: Json }
  /** The value as JSON text, by whoever has just made it and need not have it made again. */
  | { readonly json: string }
);

export type CommitResult =
  | { readonly ok: true; readonly logs: readonly { readonly seq: number; readonly hash: string }[] }
  | { readonly ok: false; readonly conflict: Key };

export interface ClaimRequest {
  readonly queue: Key;
  readonly leaseMs: number;
  readonly limit: number;
  readonly entry?: Key[number];
}

export interface Claimed extends Entry {
  /**
   * The entry's revision at the claim: a later `check` against it proves that nobody has claimed or written the entry
   * since, even if the lease ran out meanwhile.
   */
  readonly fence: number;
}

export interface LogEntry {
  readonly seq: number;
  /** The exact bytes that were hashed: canonical JSON of `{ seq, prev, entry }`. */
  readonly bytes: Uint8Array;
  readonly hash: string;
}

export interface ScanOptions {
  /** An entry under exactly this key is part of the scan. */
  readonly prefix: Key;
  /** Start behind this key (before it, in reverse). */
  readonly after?: Key;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/**
 * Run state behind one small port; engines implement it and one contract suite tests them all. A promise that `commit`
 * or `claim` resolves means that the bytes are flushed: they survive kill -9 and loss of power. A rejected promise
 * means that nothing was written; only when the disk itself failed (UNAVAILABLE) may that be otherwise, and the same `id`
 * again settles it.
 */
export interface Store {
  get(key: Key): Promise<Entry | undefined>;
  /** All keys as of one moment. */
  getMany(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]>;
  scan(options: ScanOptions): AsyncIterable<Entry>;
  commit(commit: Commit): Promise<CommitResult>;
  /**
   * Leases up to `limit` entries directly under `queue` whose lease is free or ran out by the store's own clock.
   * Those that ran out come first, then free ones in key order. A claim raises the revision of the entry and leaves its
   * value alone. Writing a leased entry frees it under a new revision, so that the fence of the former lease fails;
   * deleting it ends entry and lease. With `entry`, the last element of a key, it leases that one or nothing.
   */
  claim(request: ClaimRequest): Promise<readonly Claimed[]>;
  /** Entries from sequence number `from` (0 is the first; -1 is the newest) on. */
  readLog(log: string, options: { from: number; limit?: number }): AsyncIterable<LogEntry>;
  /** The newest entry of a log. */
  head(log: string): Promise<LogEntry | undefined>;
  /** A hint that something under `prefix` may have changed; whoever needs certainty polls. Returns "stop". */
  watch(prefix: Key, notify: () => void): () => void;
  readonly admin: {
    /** Writes a consistent, compact copy into `directory`, which is created and must be empty. */
    backup(directory: string): Promise<void>;
    /** Verifies every record and every chain; returns what is wrong, empty when nothing is. */
    check(): Promise<readonly string[]>;
    /** Waits for what is in flight, then closes; later calls are UNAVAILABLE. */
    close(): Promise<void>;
  };
}
