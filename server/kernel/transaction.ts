import { CairnError } from "../errors.ts";
import type { Commit, Json, Key, Store } from "../store/store.ts";

/** A share in one commit: revisions that must still hold, and what is written if they do. */
export type CommitPart = Omit<Commit, "id">;

/** An entry as a transaction sees it. */
export interface SeenEntry {
  readonly key: Key;
  readonly value: Json;
}

export interface TransactionScan {
  readonly limit: number;
  /** Begins behind this key; before it, in reverse. */
  readonly after?: Key;
  readonly reverse: boolean;
}

/**
 * A unit of work: reads remember the revisions that they saw, writes wait. Nothing reaches the store before its part is
 * committed, so a unit of work can be forgotten and repeated.
 */
export interface Transaction {
  /** Reads through the staged writes. */
  get(key: Key): Promise<Json | undefined>;
  /** Entries under `prefix`, in key order, read through the staged writes. */
  scan(prefix: Key, options: TransactionScan): Promise<readonly SeenEntry[]>;
  /** Entries as they are stored; others may change them before the commit. */
  glance(prefix: Key, limit: number): Promise<readonly SeenEntry[]>;
  set(key: Key, value: Json): void;
  delete(key: Key): void;
  /** Stages an entry of a hash-chained log; `make` is called when the commit is put together. */
  append(log: string, make: () => Json): void;
  /** Lets the commit happen only while `key` has this revision: the fence of a lease. */
  expect(key: Key, rev: number): void;
  /** Stages a longer lease. */
  renew(key: Key, fence: number, leaseMs: number): void;
  /** Everything that was read and staged so far. */
  staged(): CommitPart & Required<Pick<CommitPart, "check">>;
}

/** Keys that one transaction may read or write, and entries that it may append. */
export const TRANSACTION_KEY_LIMIT = 10_000;

/** Attempts at a commit, before changes by others make it a CONFLICT. */
export const ATTEMPT_LIMIT = 10;

/** Begins a unit of work. Beyond its limits it throws what `tooMany` makes. */
export function createTransaction(store: Store, tooMany: () => Error = tooManyKeys): Transaction {
  const pending: Pending = { tooMany, revisions: new Map(), writes: new Map(), appended: [], renewals: [] };
  return {
    get: (key) => read(store, pending, key),
    scan: (prefix, options) => scan(store, pending, prefix, options),
    glance: (prefix, limit) => Array.fromAsync(store.scan({ prefix, limit }), ({ key, value }) => ({ key, value })),
    set: (key, value) => write(pending, key, value),
    delete: (key) => write(pending, key, undefined),
    append: (log, make) => {
      pending.appended.push({ log, make });
      if (pending.appended.length > TRANSACTION_KEY_LIMIT) throw tooMany();
    },
    expect: (key, rev) => remember(pending, key, rev),
    renew: (key, fence, leaseMs) => void pending.renewals.push({ key, fence, leaseMs }),
    staged: () => toPart(pending),
  };
}

/**
 * Does `work` in a transaction of its own and commits it; does it anew when others changed what it had read.
 *
 * @throws CONFLICT with the message `conflict` when others did so every time; then nothing is written.
 */
export async function transact<Result>(
  store: Store,
  conflict: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const attempt = async () => {
    const transaction = createTransaction(store);
    const result = await work(transaction);
    const { ok } = await store.commit(transaction.staged());
    return { ok, result };
  };
  const { ok, result } = await repeatStale(attempt, (done) => !done.ok);
  if (!ok) throw new CairnError("CONFLICT", conflict);
  return result;
}

/** Attempts until one is not stale, `ATTEMPT_LIMIT` times at most; resolves to the last attempt. */
export async function repeatStale<Done>(attempt: () => Promise<Done>, isStale: (done: Done) => boolean): Promise<Done> {
  for (let count = 1; ; count++) {
    const done = await attempt();
    if (!isStale(done) || count === ATTEMPT_LIMIT) return done;
  }
}

/** Makes one part of several, in their order. Each key may be written by one of them alone. */
export function joinParts(...parts: readonly (CommitPart | undefined)[]): Required<CommitPart> {
  return {
    check: parts.flatMap((part) => part?.check ?? []),
    renew: parts.flatMap((part) => part?.renew ?? []),
    set: parts.flatMap((part) => part?.set ?? []),
    del: parts.flatMap((part) => part?.del ?? []),
    add: parts.flatMap((part) => part?.add ?? []),
    append: parts.flatMap((part) => part?.append ?? []),
  };
}

/** Reads and writes that one unit of work has collected. */
interface Pending {
  readonly tooMany: () => Error;
  /** By the key as JSON, as are the writes. */
  readonly revisions: Map<string, { readonly key: Key; readonly rev: number }>;
  /** `undefined` deletes. */
  readonly writes: Map<string, { readonly key: Key; readonly value: Json | undefined }>;
  readonly appended: { readonly log: string; readonly make: () => Json }[];
  readonly renewals: { readonly key: Key; readonly fence: number; readonly leaseMs: number }[];
}

function tooManyKeys(): CairnError {
  return new CairnError("BAD_REQUEST", "That touches too many keys.");
}

async function read(store: Store, pending: Pending, key: Key): Promise<Json | undefined> {
  const staged = pending.writes.get(JSON.stringify(key));
  if (staged) return staged.value;
  const entry = await store.get(key);
  remember(pending, key, entry?.rev ?? 0);
  return entry?.value;
}

/** The first look decides: a later one that differs makes the commit's check fail, which is what it is for. */
function remember(pending: Pending, key: Key, rev: number): void {
  const id = JSON.stringify(key);
  if (!pending.revisions.has(id)) pending.revisions.set(id, { key, rev });
  assertWithinLimit(pending);
}

function write(pending: Pending, key: Key, value: Json | undefined): void {
  pending.writes.set(JSON.stringify(key), { key, value });
  assertWithinLimit(pending);
}

function assertWithinLimit({ revisions, writes, tooMany }: Pending): void {
  if (revisions.size + writes.size > TRANSACTION_KEY_LIMIT) throw tooMany();
}

/** Merges what is stored with what is staged, as if it were all stored. */
async function scan(
  store: Store,
  pending: Pending,
  prefix: Key,
  { limit, after, reverse }: TransactionScan,
): Promise<readonly SeenEntry[]> {
  const direction = reverse ? -1 : 1;
  const beyond = (key: Key) => after === undefined || compareKeys(key, after) * direction > 0;
  const own = [...pending.writes.values()]
    .filter(({ key }) => startsWith(key, prefix) && beyond(key))
    .sort((a, b) => compareKeys(a.key, b.key) * direction);
  const found: SeenEntry[] = [];
  const takeOwn = (isNext: (key: Key) => boolean) => {
    for (let next = own[0]; next && found.length < limit && isNext(next.key); next = own[0]) {
      own.shift();
      if (next.value !== undefined) found.push({ key: next.key, value: next.value });
    }
  };
  for await (const entry of store.scan({ prefix, reverse, ...(after === undefined ? {} : { after }) })) {
    takeOwn((key) => compareKeys(key, entry.key) * direction <= 0);
    if (found.length >= limit) break;
    if (pending.writes.has(JSON.stringify(entry.key))) continue;
    remember(pending, entry.key, entry.rev);
    found.push({ key: entry.key, value: entry.value });
  }
  takeOwn(() => true);
  return found;
}

function toPart({ revisions, writes, appended, renewals }: Pending): ReturnType<Transaction["staged"]> {
  const all = [...writes.values()];
  return {
    check: [...revisions.values()],
    set: all.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }])),
    del: all.filter(({ value }) => value === undefined).map(({ key }) => key),
    append: appended.map(({ log, make }) => ({ log, entry: make() })),
    renew: renewals,
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
