import type { Json, Store } from "../../store/store.ts";
import { isObject } from "../../json/is-object.ts";
import { type AuditedRecord, readWithRecords, type Stretch } from "./read-log.ts";

/** Criteria of the records to find; an absent one matches every record. */
export interface AuditFilter {
  readonly kind?: "call" | "denial" | "change";
  readonly actor?: string;
  readonly tool?: string;
  /** `ok`, the name of an error, or that of a change. */
  readonly outcome?: string;
  /** Semver or commit. */
  readonly version?: string;
  readonly conversation?: string;
  /** Milliseconds since 1970: not before, and before. */
  readonly since?: number;
  readonly until?: number;
}

export interface Found {
  readonly tenant: string;
  readonly seq: number;
  readonly kind: "call" | "denial" | "change";
  readonly record: Json;
}

/** The records of a tenant's log that the filter lets through, oldest first; those that were taken away say nothing. */
export async function* queryLog(
  store: Store,
  tenant: string,
  filter: AuditFilter,
  stretch: Stretch = { from: 0, to: Number.MAX_SAFE_INTEGER },
): AsyncGenerator<Found> {
  for await (const { seq, records } of readWithRecords(store, tenant, stretch)) {
    for (const record of records) {
      const found = toFound(record);
      if (found !== undefined && matchesFilter(found, filter)) yield { tenant, seq, ...found };
    }
  }
}

function toFound({ commit, value }: AuditedRecord): Pick<Found, "kind" | "record"> | undefined {
  if (!isObject(value)) return undefined;
  const { kind } = value;
  if (commit !== undefined) return { kind: "call", record: value };
  return kind === "denial" || kind === "change" ? { kind, record: value } : undefined;
}

/** Checks a record of a log by the criteria of a search. */
export function matchesFilter(
  { kind, record }: Pick<Found, "kind"> & { readonly record: unknown },
  filter: AuditFilter,
): boolean {
  if (!isObject(record)) return false;
  const at = Number(record["startedAt"] ?? record["at"]);
  const outcome = record["outcome"] ?? record["reason"] ?? record["change"];
  const is = (wanted: string | undefined, ...values: unknown[]) => wanted === undefined || values.includes(wanted);
  return (
    is(filter.kind, kind) &&
    is(filter.actor, record["actor"]) &&
    is(filter.tool, record["tool"]) &&
    is(filter.outcome, outcome) &&
    is(filter.version, record["version"], record["commit"]) &&
    is(filter.conversation, record["conversationId"]) &&
    at >= (filter.since ?? Number.NEGATIVE_INFINITY) &&
    at < (filter.until ?? Number.POSITIVE_INFINITY)
  );
}
