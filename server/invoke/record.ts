import { hash } from "node:crypto";
import { canonicalJson } from "../canonical-json.ts";
import { createRecordReader } from "../stored.ts";
import { auditLog, callKey, callsOfConversation } from "../store/keys.ts";
import type { Commit, Json, Write } from "../store/store.ts";
import type { Effects, LogLine } from "../syscalls/effects.ts";

/** What is kept of one call: enough to credit it, to find its logs, and to see later what it ran with. */
export interface CallRecord {
  readonly actor: string;
  readonly commit: string;
  readonly conversationId: string;
  readonly durationMs: number;
  readonly id: string;
  /** SHA-256 of the canonical JSON. */
  readonly inputDigest: string;
  readonly logs: readonly LogLine[];
  readonly message?: string;
  /** `ok`, or the name of the error. */
  readonly outcome: string;
  readonly outputDigest?: string;
  /** Experiment to parameter to the value that the handler saw. */
  readonly parameters: Json;
  /** The call whose handler made this one. */
  readonly parent?: string;
  readonly schemaVersion: 1;
  /** What `ctx.random()` grew from. */
  readonly seed: string;
  readonly server: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly tenant: string;
  readonly tool: string;
  readonly toolVersion: string;
  readonly version: string;
}

export const readCallRecord = createRecordReader<CallRecord>("call-record");

/** SHA-256 in hexadecimal of the value's canonical JSON (RFC 8785): equal values, equal digests, on any machine. */
export function digest(value: Json): string {
  return hash("sha256", canonicalJson(value));
}

/**
 * One commit for everything that calls leave behind: their records, the indexes to them, an audit entry that names each
 * record's digest, and what one of them changed.
 */
export function toCommit(records: readonly CallRecord[], effects?: Effects): Commit {
  const { check, set, del, append: staged } = effects?.staged() ?? NOTHING_STAGED;
  const sets: Write[] = [...set];
  const digests = new Map<string, { [id: string]: string }>();
  for (const record of records) {
    const { tenant, id, conversationId, commit } = record;
    const json = toRecordJson(record);
    sets.push({ key: callKey(tenant, commit, id), json });
    if (conversationId !== id) sets.push({ key: [...callsOfConversation(tenant, conversationId), id], value: 0 });
    const ofTenant = digests.get(tenant) ?? {};
    digests.set(tenant, ofTenant);
    ofTenant[id] = hash("sha256", json);
  }
  const audited = [...digests].map(([tenant, calls]) => ({ log: auditLog(tenant), entry: { calls } }));
  return { check, set: sets, del, append: [...staged, ...audited] };
}

/**
 * The record's canonical JSON. Members that stand in order already need not be sorted: those of a record do, and what
 * handlers wrote into its log is all that may not.
 */
export function toRecordJson(record: CallRecord): string {
  return record.logs.length === 0 ? JSON.stringify(record) : canonicalJson(record);
}

const NOTHING_STAGED = { check: [], set: [], del: [], append: [] };
