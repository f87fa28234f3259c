import { defined } from "../json/defined.ts";
import type { Json } from "../json/types.ts";
import { mkdir, stat } from "node:fs/promises";
import { CairnError } from "../errors.ts";
import { readJson } from "../json/read-json.ts";
import {
  type CommitPlan,
  encodeEntryKey,
  encodeLogName,
  integer,
  MAX_LEASE_MS,
  toCommitPlan,
} from "../store/commit-plan.ts";
import { createInFlight } from "../store/in-flight.ts";
import { encodeKey } from "../store/key-codec.ts";
import type { Commit, Entry, Key, LogEntry, ScanOptions, Store } from "../store/store.ts";
import { createWatchers } from "../store/watchers.ts";
import type { Peer } from "./ask-holder.ts";
import type { WireCommit } from "./messages.ts";

type Ask = Peer["ask"];

/**
 * The store of the process that has the data folder, which is asked for each operation. What is wrong with a request is
 * known before it is sent. Ranges arrive page by page; hints of `watch` come from this process's own writes.
 */
export function createRemoteStore(peer: Pick<Peer, "ask" | "close">): Store {
  const watchers = createWatchers();
  const inFlight = createInFlight();
  let closing: Promise<void> | undefined;

  const ask: Ask = async (name, details) => {
    if (closing !== undefined) throw new CairnError("UNAVAILABLE", "The store is closed.");
    return inFlight.track(peer.ask(name, details));
  };

  async function close(): Promise<void> {
    await inFlight.settled();
    peer.close();
  }

  return Object.freeze<Store>({
    get: async (key) => (await getMany(ask, [key]))[0],
    getMany: (keys) => getMany(ask, keys),
    scan: (options) => scan(ask, options),
    async commit(commit) {
      const plan = toCommitPlan(commit);
      const result = await ask("commit", { commit: toWireCommit(commit, plan) });
      const written = [...plan.sets, ...plan.adds].map(({ key }) => key);
      if (result.ok) watchers.hint([...written, ...plan.dels].map(({ key }) => key));
      return result;
    },
    async claim({ queue, leaseMs, limit, entry }) {
      encodeEntryKey(entry === undefined ? queue : [...queue, entry]);
      integer("leaseMs", leaseMs, 1, MAX_LEASE_MS);
      const claimed = await ask("claim", { queue, leaseMs, limit: integer("limit", limit, 1), ...defined({ entry }) });
      watchers.hint(claimed.map(({ key }) => key));
      return claimed;
    },
    readLog: (log, options) => readLog(ask, log, options),
    async head(log) {
      for await (const entry of readLog(ask, log, { from: -1, limit: 1 })) return entry;
      return undefined;
    },
    watch(prefix, notify) {
      encodeKey(prefix);
      return watchers.watch(prefix, notify);
    },
    admin: Object.freeze<Store["admin"]>({
      async backup(directory) {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        const { dev, ino } = await stat(directory, { bigint: true });
        await ask("backup", { directory, device: String(dev), inode: String(ino) });
      },
      check: () => ask("check", {}),
      close: () => (closing ??= close()),
    }),
  });
}

async function getMany(ask: Ask, keys: readonly Key[]): Promise<readonly (Entry | undefined)[]> {
  for (const key of keys) encodeEntryKey(key);
  return (await ask("getMany", { keys })).map((entry) => entry ?? undefined);
}

async function* scan(ask: Ask, { prefix, after, limit, reverse = false }: ScanOptions): AsyncGenerator<Entry> {
  encodeKey(prefix);
  let left = toCount(limit);
  let last = after;
  for (let more = true; more && left > 0;) {
    const page = await ask("scan", { prefix, reverse, ...toLimit(left), ...(last && { after: last }) });
    yield* page.entries;
    last = page.entries.at(-1)?.key;
    left -= page.entries.length;
    ({ more } = page);
  }
}

async function* readLog(
  ask: Ask,
  log: string,
  { from, limit }: { from: number; limit?: number },
): AsyncGenerator<LogEntry> {
  encodeLogName(log);
  let left = toCount(limit);
  let next = integer("from", from, -Number.MAX_SAFE_INTEGER);
  for (let more = true; more && left > 0;) {
    const page = await ask("readLog", { log, from: next, ...toLimit(left) });
    for (const { bytes, ...entry } of page.entries) yield { ...entry, bytes: Buffer.from(bytes, "base64") };
    next = (page.entries.at(-1)?.seq ?? 0) + 1;
    left -= page.entries.length;
    ({ more } = page);
  }
}

function toCount(limit = Infinity): number {
  return limit === Infinity ? limit : integer("limit", limit, 0);
}

/** JSON has no Infinity; without a limit the answer holds as much as it may. */
function toLimit(left: number): { readonly limit?: number } {
  return left === Infinity ? {} : { limit: left };
}

function toWireCommit({ set = [], ...commit }: Commit, { adds }: CommitPlan): WireCommit {
  return {
    ...commit,
    set: set.map((write) => {
      if (!("json" in write)) return write;
      const { json, ...rest } = write;
      return { ...rest, value: readJson(json) as Json };
    }),
    add: adds.map(({ key, delta, min, max }) => ({
      key: key.key,
      delta,
      ...(min === -Infinity ? {} : { min }),
      ...(max === Infinity ? {} : { max }),
    })),
  };
}
