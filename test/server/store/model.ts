import type { Claimed, Commit, Json, Key } from "../../../server/store/store.ts";

interface ModelEntry {
  readonly key: Key;
  readonly value: Json;
  readonly rev: number;
  readonly expiresAt: number;
  readonly leasedUntil: number;
}

export type Outcome = { ok: true; seqs: number[] } | { ok: false; conflict: Key } | "refused";

export type Model = ReturnType<typeof createModel>;

/** The port as the simplest program that keeps its promises within one process: a list that is searched. */
export function createModel(now: () => number) {
  let entries: ModelEntry[] = [];
  const logs = new Map<string, Json[]>();
  const ids = new Map<string, { outcome: Outcome; until: number }>();
  let lastRev = 0;

  const get = (key: Key) =>
    entries.find((entry) => name(entry.key) === name(key) && (entry.expiresAt === 0 || entry.expiresAt > now()));
  const put = (entry: ModelEntry) => {
    entries = entries.filter((other) => name(other.key) !== name(entry.key)).concat(entry);
  };
  const number = (key: Key) => get(key)?.value ?? 0;

  return {
    get,
    live: () => entries.filter((entry) => get(entry.key) === entry),
    log: (log: string) => logs.get(log) ?? [],

    commit({ check = [], renew = [], set = [], del = [], add = [], append = [], id }: Commit): Outcome {
      const earlier = id === undefined ? undefined : ids.get(id);
      if (earlier !== undefined && earlier.until > now()) return earlier.outcome;
      for (const { key, rev } of check) if ((get(key)?.rev ?? 0) !== rev) return { ok: false, conflict: key };
      for (const { key, fence } of renew) {
        const entry = get(key);
        if (entry?.rev !== fence || entry.leasedUntil <= now()) return { ok: false, conflict: key };
      }
      for (const { key, delta, min = -Infinity, max = Infinity } of add) {
        const value = number(key);
        if (typeof value !== "number") return "refused";
        if (value + delta < min || value + delta > max) return { ok: false, conflict: key };
      }
      lastRev++;
      for (const { key, leaseMs } of renew) {
        const entry = get(key);
        if (entry) put({ ...entry, leasedUntil: now() + leaseMs });
      }
      const fresh = { rev: lastRev, leasedUntil: 0 };
      for (const write of set) {
        const value: Json = "json" in write ? JSON.parse(write.json) : write.value;
        put({ key: write.key, value, expiresAt: write.ttl ? now() + write.ttl : 0, ...fresh });
      }
      for (const key of del) entries = entries.filter((entry) => name(entry.key) !== name(key));
      for (const { key, delta } of add) {
        put({ key, value: Number(number(key)) + delta, expiresAt: get(key)?.expiresAt ?? 0, ...fresh });
      }
      const seqs = append.map(({ log, entry }) => {
        logs.set(log, [...(logs.get(log) ?? []), entry]);
        return (logs.get(log)?.length ?? 0) - 1;
      });
      const outcome: Outcome = { ok: true, seqs };
      if (id !== undefined) ids.set(id, { outcome, until: now() + 7 * 24 * 60 * 60 * 1_000 });
      return outcome;
    },

    claim({ queue, leaseMs, limit }: { queue: Key; leaseMs: number; limit: number }): Claimed[] {
      lastRev++;
      return entries
        .filter(({ key }) => get(key) && key.length === queue.length + 1 && name(key.slice(0, -1)) === name(queue))
        .filter(({ leasedUntil }) => leasedUntil <= now())
        .toSorted((a, b) => rank(a) - rank(b) || (String(a.key.at(-1)) < String(b.key.at(-1)) ? -1 : 1))
        .slice(0, limit)
        .map((entry) => {
          put({ ...entry, rev: lastRev, leasedUntil: now() + leaseMs });
          return { key: entry.key, value: entry.value, rev: lastRev, fence: lastRev };
        });
    },
  };
}

/** Leases that ran out by their end, then what is free. */
function rank({ leasedUntil }: ModelEntry): number {
  return leasedUntil === 0 ? Number.MAX_SAFE_INTEGER : leasedUntil;
}

function name(key: Key): string {
  return JSON.stringify(key);
}
