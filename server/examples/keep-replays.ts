import { createRecordReader } from "../json/stored.ts";
import { replayKey, replaysOf } from "../store/keys.ts";
import type { Key, Store, Write } from "../store/store.ts";
import type { Replayed } from "./replay.ts";

/** Stored result of a recorded call with another version. */
export interface ReplayRecord extends Pick<Replayed, "tool" | "outcome" | "reasons"> {
  readonly schemaVersion: 1;
  /** Capabilities that callers of the tool needed in the version of the call. */
  readonly capabilities: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

export const readReplayRecord = createRecordReader<ReplayRecord>("replay-record");

/** Records that are kept of one tenant and candidate. */
export const REPLAY_LIMIT = 1_000;

export interface KeptReplay {
  /** The commit whose call it was, and the call's id. */
  readonly from: string;
  readonly id: string;
  readonly record: ReplayRecord;
  /** Milliseconds, as long as the call's body is kept. */
  readonly ttl: number;
}

/** Keeps how calls came out with a candidate, instead of how the same calls did before; of too many, the newest ones. */
export async function keepReplays(
  store: Store,
  tenant: string,
  candidate: string,
  replays: readonly KeptReplay[],
): Promise<void> {
  if (replays.length === 0) return;
  const own = replays.slice(-REPLAY_LIMIT);
  const set = own.map(({ from, id, record, ttl }): Write => {
    return { key: replayKey(tenant, candidate, from, id), value: { ...record }, ttl };
  });
  const replaced = new Set(set.map(({ key }) => JSON.stringify(key)));
  const others: { readonly key: Key; readonly at: number }[] = [];
  for await (const { key, value } of store.scan({ prefix: replaysOf(tenant, candidate) })) {
    if (!replaced.has(JSON.stringify(key))) others.push({ key, at: readReplayRecord(value).at });
  }
  const tooMany = others.toSorted((a, b) => b.at - a.at).slice(REPLAY_LIMIT - own.length);
  await store.commit({ set, del: tooMany.map(({ key }) => key) });
}
