import { hash } from "node:crypto";
import { canonicalJson } from "../json/canonical-json.ts";
import { createRecordReader } from "../json/stored.ts";
import { toSegmentKey, toSegmentText } from "../store/calls/segment.ts";
import { auditLog, callKey, callsOfConversation } from "../store/keys.ts";
import type { Commit, Json, Write } from "../store/store.ts";
import type { LogLine } from "./call.ts";
import type { CommitPart } from "./transaction.ts";
import type { Assigner, Assignments } from "./assigner.ts";

/** The stored record of one call: enough to credit it, to find its logs, and to see later what it ran with. */
export interface CallRecord {
  readonly actor: string;
  /** Version segment of the address that was called, as the caller wrote it. */
  readonly address?: string;
  /** Of a call that somebody else had to approve: who did, and the task by which it waited. */
  readonly approval?: { readonly by: string; readonly task: string };
  /** Of a conversation's first call: what the experiments that it takes part in gave it. */
  readonly assignments?: Assignments;
  /** Name of the client's program, as it says itself. */
  readonly client?: string;
  readonly commit: string;
  readonly conversationId: string;
  readonly durationMs: number;
  /** The environment that the caller said it runs in. */
  readonly environment?: string;
  readonly id: string;
  /** SHA-256 of the salt and the canonical JSON; empty when the input was refused. */
  readonly inputDigest: string;
  readonly logs: readonly LogLine[];
  readonly message?: string;
  /** `ok`, or the name of the error. */
  readonly outcome: string;
  readonly outputDigest?: string;
  /** Experiment to parameter to the value that the handler saw. */
  readonly parameters: { readonly [experiment: string]: Json };
  /** The call whose handler made this one. */
  readonly parent?: string;
  /** The caller's own name of its request. */
  readonly requestId?: string;
  /** Without it nobody can tell from the digests in the audit log what a record said. */
  readonly salt: string;
  readonly schemaVersion: 1;
  /** The seed of `ctx.random()`. */
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

/** A record as it is stored, with the digest that the audit log names. */
export interface Written {
  readonly record: CallRecord;
  readonly json: string;
  readonly digest: string;
}

export function toWritten(record: CallRecord): Written {
  const json = toRecordJson(record);
  return { record, json, digest: hash("sha256", json) };
}

export interface CommitOptions {
  /** Changes by one of the calls. */
  readonly part?: CommitPart | undefined;
  /** Those that share a value: see `toSegments`. */
  readonly segments?: readonly (readonly Written[])[];
  readonly toCredit?: Assigner["toCredit"] | undefined;
}

/**
 * One commit for everything that calls leave behind: their records, the indexes to them, an audit entry that names each
 * record's digest under its commit, and what one of them changed.
 */
export function toCommit(
  all: readonly Written[],
  { part, segments = [], toCredit }: CommitOptions = {},
): Commit & Required<Pick<Commit, "append">> {
  const sets: Write[] = [...(part?.set ?? []), ...toRecordWrites(all, segments)];
  const tuned: NonNullable<Commit["append"]>[number][] = [];
  const digests = new Map<string, { [commit: string]: { [id: string]: string } }>();
  for (const { record, digest: own } of all) {
    const { tenant, id, conversationId, commit } = record;
    if (conversationId !== id) sets.push({ key: [...callsOfConversation(tenant, conversationId), id], value: 0 });
    if (record.assignments !== undefined && toCredit !== undefined) {
      const credit = toCredit({ ...record, assignments: record.assignments });
      sets.push(...credit.set);
      tuned.push(...credit.append);
    }
    const ofTenant = digests.get(tenant) ?? {};
    digests.set(tenant, ofTenant);
    (ofTenant[commit] ??= {})[id] = own;
  }
  const audited = [...digests].map(([tenant, calls]) => ({
    log: auditLog(tenant),
    entry: { calls, kind: "calls", schemaVersion: 1 },
  }));
  return { ...part, set: sets, append: [...(part?.append ?? []), ...tuned, ...audited] };
}

function toRecordWrites(all: readonly Written[], segments: readonly (readonly Written[])[]): readonly Write[] {
  const shared = new Set(segments.flat());
  const alone = all.filter((written) => !shared.has(written));
  return [
    ...alone.map(({ record: { tenant, commit, id }, json }) => ({ key: callKey(tenant, commit, id), json })),
    ...segments.map((records) => ({ key: toSegmentKey(records), json: toSegmentText(records) })),
  ];
}

/**
 * The record's canonical JSON. Members that stand in order already need not be sorted: those of a record do, and only what
 * handlers wrote into its log, and arms with numbers for names, may not.
 */
export function toRecordJson(record: CallRecord): string {
  return record.logs.length === 0 && record.assignments === undefined ? JSON.stringify(record) : canonicalJson(record);
}
