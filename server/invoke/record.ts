import { createHash } from "node:crypto";
import { canonicalJson } from "../canonical-json.ts";
import { createRecordReader } from "../stored.ts";
import { auditLog, callKey, callsOfConversation, callsOfVersion } from "../store/keys.ts";
import type { Commit, Json } from "../store/store.ts";
import type { Effects, LogLine } from "../syscalls/effects.ts";

/** What is kept of one call: enough to credit it, to find its logs, and to see later what it ran with. */
export interface CallRecord {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly conversationId: string;
  /** The call whose handler made this one. */
  readonly parent?: string;
  readonly tenant: string;
  readonly actor: string;
  readonly commit: string;
  readonly version: string;
  readonly server: string;
  readonly tool: string;
  readonly toolVersion: string;
  /** Experiment to parameter to the value that the handler saw. */
  readonly parameters: Json;
  /** What `ctx.random()` grew from. */
  readonly seed: string;
  /** SHA-256 of the canonical JSON. */
  readonly inputDigest: string;
  readonly outputDigest?: string;
  /** `ok`, or the name of the error. */
  readonly outcome: string;
  readonly message?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly logs: readonly LogLine[];
}

export const readCallRecord = createRecordReader<CallRecord>("call-record");

/** SHA-256 in hexadecimal of the value's canonical JSON (RFC 8785): equal values, equal digests, on any machine. */
export function digest(value: Json): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

/** One commit for everything a call leaves behind: its record, its indexes, its audit entry, and its staged effects. */
export function toCommit(record: CallRecord, effects?: Effects): Commit {
  const { tenant, id, conversationId } = record;
  const { check, set, del } = effects?.staged() ?? { check: [], set: [], del: [] };
  const { logs: _logs, ...audited } = record;
  const indexes = [[...callsOfVersion(tenant, record.commit), id]];
  if (conversationId !== id) indexes.push([...callsOfConversation(tenant, conversationId), id]);
  return {
    check,
    set: [
      ...set,
      { key: callKey(tenant, id), value: record as unknown as Json },
      ...indexes.map((key) => ({ key, value: 0 })),
    ],
    del,
    append: [{ log: auditLog(tenant), entry: audited as unknown as Json }],
  };
}
