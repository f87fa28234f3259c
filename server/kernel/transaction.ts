import type { Commit, Entry, Json, Key, Store, Write } from "../store/store.ts";

export type LogLevel = "debug" | "info" | "warning" | "error";

export interface LogLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly data?: Json;
}

/**
 * What one run of a handler has read and wants written. Nothing of it reaches the store before the call succeeds, so
 * a run can be forgotten and repeated.
 */
export interface Effects extends Stage {
  /** Reads through the staged writes; remembers the revision for the commit's check. */
  get(key: Key): Promise<Json | undefined>;
  set(key: Key, value: Json): void;
  delete(key: Key): void;
  /** Stages an entry of a hash-chained log. */
  append(log: string, entry: Json): void;
  /** What is staged is written only while `key` has this revision: the fence of a lease. */
  expect(key: Key, rev: number): void;
  /** Stages a longer lease. */
  renew(key: Key, fence: number, leaseMs: number): void;
  /** Entries under `prefix` as the call sees them, in key order. */
  scan(
    prefix: Key,
    options: { limit: number; after?: Key; reverse: boolean },
  ): Promise<readonly { key: Key; value: Json }[]>;
  readonly logs: LogLine[];
  /** Says that something happened outside which no repetition can take back. */
  markIrreversible(): void;
  isIrreversible(): boolean;
}

/** What has a share in the commit of a call's record. */
export interface Stage {
  staged(): Staged;
}

/** Revisions that must still hold, and what is to be written. */
export interface Staged {
  readonly check: readonly { readonly key: Key; readonly rev: number }[];
  readonly set: readonly Write[];
  readonly del: readonly Key[];
  readonly add?: NonNullable<Commit["add"]>;
  readonly append?: NonNullable<Commit["append"]>;
  readonly renew?: NonNullable<Commit["renew"]>;
}

/** At most this many keys in one call's transaction, read or written. */
export const TRANSACTION_KEY_LIMIT = 10_000;

export function createEffects(store: Store, tooMany: () => Error): Effects {
  const revisions = new Map<string, { key: Key; rev: number }>();
  const writes = new Map<string, { key: Key; value: Json | undefined }>();
  const appended: { log: string; entry: Json }[] = [];
  const renewals: { key: Key; fence: number; leaseMs: number }[] = [];
  let irreversible = false;

  const remember = (key: Key, entry: Pick<Entry, "rev"> | undefined) => {
    const id = JSON.stringify(key);
    // The first look decides: a later one that differs makes the commit's check fail, which is what it is for.
    if (!revisions.has(id)) revisions.set(id, { key, rev: entry?.rev ?? 0 });
    if (revisions.size + writes.size > TRANSACTION_KEY_LIMIT) throw tooMany();
  };
  const write = (key: Key, value: Json | undefined) => {
    writes.set(JSON.stringify(key), { key, value });
    if (revisions.size + writes.size > TRANSACTION_KEY_LIMIT) throw tooMany();
  };

  return {
    logs: [],
    // Not an accessor: V8 gives each object with an accessor of its own a hidden class of its own, and the list of those
    // keeps every call alive until the next full collection.
    isIrreversible: () => irreversible,
    markIrreversible() {
      irreversible = true;
    },
    async get(key) {
      const staged = writes.get(JSON.stringify(key));
      if (staged) return staged.value;
      const entry = await store.get(key);
      remember(key, entry);
      return entry?.value;
    },
    set: write,
    delete(key) {
      write(key, undefined);
    },
    append(log, entry) {
      appended.push({ log, entry });
      if (appended.length > TRANSACTION_KEY_LIMIT) throw tooMany();
    },
    expect(key, rev) {
      remember(key, { rev });
    },
    renew(key, fence, leaseMs) {
      renewals.push({ key, fence, leaseMs });
    },
    async scan(prefix, { limit, after, reverse }) {
      const direction = reverse ? -1 : 1;
      const beyond = (key: Key) => after === undefined || compareKeys(key, after) * direction > 0;
      const own = [...writes.values()]
        .filter(({ key }) => startsWith(key, prefix) && beyond(key))
        .sort((a, b) => compareKeys(a.key, b.key) * direction);
      const found: { key: Key; value: Json }[] = [];
      const takeOwn = (isNext: (key: Key) => boolean) => {
        for (let next = own[0]; next && found.length < limit && isNext(next.key); next = own[0]) {
          own.shift();
          if (next.value !== undefined) found.push({ key: next.key, value: next.value });
        }
      };
      for await (const entry of store.scan({ prefix, reverse, ...(after === undefined ? {} : { after }) })) {
        takeOwn((key) => compareKeys(key, entry.key) * direction <= 0);
        if (found.length >= limit) break;
        if (writes.has(JSON.stringify(entry.key))) continue;
        remember(entry.key, entry);
        found.push({ key: entry.key, value: entry.value });
      }
      takeOwn(() => true);
      return found;
    },
    staged() {
      const all = [...writes.values()];
      return {
        check: [...revisions.values()],
        set: all.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }])),
        del: all.filter(({ value }) => value === undefined).map(({ key }) => key),
        append: appended,
        renew: renewals,
      };
    },
  };
}

function startsWith(key: Key, prefix: Key): boolean {
  return key.length >= prefix.length && prefix.every((element, index) => key[index] === element);
}

/** The store's order: element by element, numbers before strings, a key before its continuations. */
function compareKeys(a: Key, b: Key): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [x, y] = [a[index], b[index]] as [string | number, string | number];
    if (x === y) continue;
    if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
    if (typeof x === "number") return x < (y as number) ? -1 : 1;
    return Buffer.compare(Buffer.from(x), Buffer.from(y as string));
  }
  return a.length - b.length;
}
