import { runLog } from "../../store/keys.ts";
import { readLogEntry } from "../../store/log-entry.ts";
import type { Json, Store } from "../../store/store.ts";
import { createRecordReader } from "../../json/stored.ts";

/** A line of a run's journal. */
export interface JournalEvent {
  readonly schema_version: 1;
  readonly kind: string;
  /** RFC 3339, in UTC. */
  readonly at: string;
  readonly task_id: string;
  readonly run_id: string;
  readonly actor: string;
  /** The name of the error that it ended with. */
  readonly error?: string;
  readonly details: { readonly [name: string]: Json };
}

export interface NumberedEvent {
  /** 0 is the first. */
  readonly seq: number;
  /** Covers the event and everything before it. */
  readonly hash: string;
  readonly event: JournalEvent;
}

const readJournalEvent = createRecordReader<JournalEvent>("journal-event");

/** At most `limit` events of a run, from sequence number `from` on. */
export async function readJournal(
  store: Store,
  tenant: string,
  runId: string,
  { from, limit }: { from: number; limit: number },
): Promise<readonly NumberedEvent[]> {
  const events: NumberedEvent[] = [];
  for await (const { seq, hash, bytes } of store.readLog(runLog(tenant, runId), { from, limit })) {
    events.push({ seq, hash, event: readJournalEvent(readLogEntry(bytes)) });
  }
  return events;
}

/** Events of a run's journal that are written out as one file; those behind them are read with `readJournal`. */
const WRITTEN_EVENTS = 10_000;

/** The first events of a run as JSON Lines, each with its place in the chain. */
export async function writeOutJournal(store: Store, tenant: string, runId: string): Promise<string> {
  const events = await readJournal(store, tenant, runId, { from: 0, limit: WRITTEN_EVENTS });
  return events.map(({ seq, hash, event }) => `${JSON.stringify({ seq, hash, ...event })}\n`).join("");
}
