import type { Json } from "../../json/types.ts";
import type { CommitResult, Store } from "../../store/store.ts";
import type { Alarm } from "../record.ts";

/** By tag. */
export type Alarms = ReadonlyMap<string, Alarm>;

const PREFIX = ["versions", "alarm"] as const;
const MAX_BATCH = 200;

/**
 * Loads the alarms of the last contact with the upstream, so that a start without it does not forget which tags are gone.
 */
export async function loadAlarms(store: Store): Promise<Alarms> {
  const alarms = new Map<string, Alarm>();
  for await (const { key, value } of store.scan({ prefix: PREFIX })) {
    const tag = key[PREFIX.length];
    const alarm = readAlarm(value);
    if (typeof tag === "string" && alarm !== undefined) alarms.set(tag, alarm);
  }
  return alarms;
}

/** Writes what differs between two sets of alarms. */
export async function saveAlarms(store: Store, before: Alarms, after: Alarms): Promise<void> {
  const set = [...after].filter(([tag, alarm]) => before.get(tag) !== alarm);
  const del = [...before.keys()].filter((tag) => !after.has(tag));
  const writes: Promise<CommitResult>[] = [];
  for (let at = 0; at < Math.max(set.length, del.length); at += MAX_BATCH) {
    writes.push(
      store.commit({
        set: set.slice(at, at + MAX_BATCH).map(([tag, alarm]) => ({ key: [...PREFIX, tag], value: { ...alarm } })),
        del: del.slice(at, at + MAX_BATCH).map((tag) => [...PREFIX, tag]),
      }),
    );
  }
  await Promise.all(writes);
}

/** The alarms after a look at the upstream; what was there before keeps its date, and `before` is returned when all was. */
export function nextAlarms(
  before: Alarms,
  seen: {
    readonly moved: ReadonlyMap<string, string>;
    readonly deleted: ReadonlySet<string>;
    readonly commitOf: (tag: string) => string;
    readonly now: number;
  },
): Alarms {
  const since = new Date(seen.now).toISOString();
  const next = new Map<string, Alarm>();
  for (const [tag, upstreamCommit] of seen.moved) {
    const known = before.get(tag);
    const same = known?.kind === "moved" && known.upstreamCommit === upstreamCommit;
    next.set(tag, same ? known : Object.freeze({ kind: "moved", commit: seen.commitOf(tag), upstreamCommit, since }));
  }
  for (const tag of seen.deleted) {
    const known = before.get(tag);
    next.set(
      tag,
      known?.kind === "deleted" ? known : Object.freeze({ kind: "deleted", commit: seen.commitOf(tag), since }),
    );
  }
  const same = next.size === before.size && [...next].every(([tag, alarm]) => before.get(tag) === alarm);
  return same ? before : next;
}

function readAlarm(value: Json): Alarm | undefined {
  if (typeof value !== "object" || value === null || !("kind" in value)) return undefined;
  const { kind, commit, upstreamCommit, since } = value;
  if (typeof commit !== "string" || typeof since !== "string") return undefined;
  if (kind === "deleted") return { kind, commit, since };
  return kind === "moved" && typeof upstreamCommit === "string" ? { kind, commit, upstreamCommit, since } : undefined;
}
