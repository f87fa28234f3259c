import { CairnError } from "../errors.ts";
import { defined } from "../json/defined.ts";
import { createRecordReader } from "../json/stored.ts";
import { hash } from "node:crypto";
import { readsKey } from "../store/use-keys.ts";
import type { Key, Store } from "../store/store.ts";

/** One list or read of a version: a request that is no call, so that it leaves no record of its own. */
export interface Read {
  readonly tenant: string;
  readonly actor: string;
  readonly commit: string;
  readonly version: string;
  /** The protocol's method: `tools/list`. */
  readonly method: string;
  /** Version segment of the address, as the caller wrote it. */
  readonly address?: string;
  /** Name of the client's program, as it says itself. */
  readonly client?: string;
}

/** Reads that are alike, as the store keeps them. */
export interface ReadRecord extends Omit<Read, "tenant"> {
  readonly schemaVersion: 1;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly lastUse: number;
}

export const readReadRecord = createRecordReader<ReadRecord>("read-record");

/** Counter of lists and reads. */
export interface ReadCounter {
  /** Counts one; it is written within a second or so, and lost if the process is killed before. */
  count(read: Read): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
  /** Writes the rest, and counts no more. */
  close(): Promise<void>;
}

/** Milliseconds that counts may wait to be written together. */
const GATHERING_MS = 1_000;
/** Lines kept of one version and tenant. Callers choose the names of clients: later ones share lines without a name. */
const LINE_LIMIT = 500;
/** Lines that may wait to be written; further ones share lines likewise. */
const WAITING_LIMIT = 2_000;
/** Tries to write counts that others change at the same time. */
const WRITE_TRIES = 20;
const OTHERS = "others";

/** Creates a counter whose memory and storage are bounded, whatever callers say of themselves. */
export function createReadCounter(given: {
  readonly store: Pick<Store, "scan" | "commit">;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): ReadCounter {
  const { store, now, onError } = given;
  let waiting = new Map<string, { read: Read; count: number; lastUse: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function add(read: Read): void {
    const key = JSON.stringify([read.tenant, read.commit, read.version, ...toParts(read)]);
    const known = waiting.get(key);
    if (known === undefined && waiting.size >= WAITING_LIMIT && read.actor !== OTHERS) return add(toOthers(read));
    const lastUse = now();
    if (known === undefined) waiting.set(key, { read, count: 1, lastUse });
    else Object.assign(known, { count: known.count + 1, lastUse });
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = [...waiting.values()];
    waiting = new Map();
    const groups = Map.groupBy(batch, ({ read }) => JSON.stringify([read.tenant, read.commit]));
    for (const group of groups.values()) writing = writing.then(() => write(store, group)).catch(onError);
    return writing;
  }

  return Object.freeze<ReadCounter>({
    count(read) {
      add(read);
      timer ??= setTimeout(() => void flush(), GATHERING_MS).unref();
    },
    flush,
    close: flush,
  });
}

type Counted = readonly { readonly read: Read; readonly count: number; readonly lastUse: number }[];

/** Adds counts of one version and tenant to those in the store, which other nodes add to at the same time. @throws CONFLICT */
async function write(store: Pick<Store, "scan" | "commit">, group: Counted): Promise<void> {
  for (let tries = 1; !(await isWritten(store, group)); tries += 1) {
    if (tries === WRITE_TRIES)
      throw new CairnError("CONFLICT", "Counts of reads are lost: others change them all the time.");
  }
}

/** Adds counts to those in the store, unless somebody else changes one meanwhile. */
async function isWritten(store: Pick<Store, "scan" | "commit">, group: Counted): Promise<boolean> {
  const [first] = group;
  if (first === undefined) return true;
  const prefix = readsKey(first.read.tenant, first.read.commit);
  const lines = new Map<string, { key: Key; rev: number; record: ReadRecord }>();
  for await (const { key, rev, value } of store.scan({ prefix })) {
    const name = key[prefix.length];
    if (typeof name === "string") lines.set(name, { key, rev, record: readReadRecord(value) });
  }
  const changed = new Set<string>();
  for (const { read, count, lastUse } of group) {
    const isFull = lines.size >= LINE_LIMIT && !lines.has(toName(read));
    const line = toLine(isFull ? toOthers(read) : read);
    const name = toName(line);
    const known = lines.get(name);
    const record: ReadRecord = {
      ...line,
      schemaVersion: 1,
      count: (known?.record.count ?? 0) + count,
      lastUse: Math.max(known?.record.lastUse ?? 0, lastUse),
    };
    lines.set(name, { key: [...prefix, name], rev: known?.rev ?? 0, record });
    changed.add(name);
  }
  const written = [...changed].flatMap((name) => lines.get(name) ?? []);
  const set = written.map(({ key, record }) => ({ key, value: { ...record } }));
  return (await store.commit({ check: written.map(({ key, rev }) => ({ key, rev })), set })).ok;
}

function toLine({ actor, commit, version, method, address, client }: Read): Omit<Read, "tenant"> {
  return { actor, commit, version, method, ...defined({ address, client }) };
}

function toOthers({ tenant, commit, version, method }: Read): Read {
  return { tenant, actor: OTHERS, commit, version, method };
}

function toName(read: Omit<Read, "tenant">): string {
  return hash("sha256", JSON.stringify(toParts(read))).slice(0, 32);
}

/** Returns the parts that differ between reads of one version and tenant. */
function toParts({ actor, method, address = "", client = "" }: Omit<Read, "tenant">): readonly string[] {
  return [actor, method, address, client];
}
