import { hash } from "node:crypto";
import type { CallRecord } from "../record.ts";
import type { Effects } from "../call.ts";
import type { CallState } from "./call-state.ts";

/** Makes the record of a call that has ended; `json` is its output's canonical JSON, absent where it failed. */
export function toRecord(
  { call, id, startedAt, salt, seed, conversationId, assigned, inputDigest }: CallState,
  effects: Effects | undefined,
  now: number,
  outcome: string,
  json: string | undefined,
  message?: string,
): CallRecord {
  const { parameters, assignments } = assigned;
  const { version, tool, principal, parent, approved, origin } = call;
  const { requestId, environment, address, client } = origin ?? {};
  // In the order of their names: see `toRecordJson`.
  return {
    actor: principal.actor,
    ...(address === undefined ? {} : { address }),
    ...(approved === undefined ? {} : { approval: { by: approved.by, task: approved.taskId } }),
    ...(assignments === undefined ? {} : { assignments }),
    ...(client === undefined ? {} : { client }),
    commit: version.commit,
    conversationId,
    durationMs: now - startedAt,
    ...(environment === undefined ? {} : { environment }),
    id,
    inputDigest,
    logs: effects?.logs ?? [],
    ...(message === undefined ? {} : { message }),
    outcome,
    ...(json === undefined ? {} : { outputDigest: hash("sha256", salt + json) }),
    parameters,
    ...(parent === undefined ? {} : { parent: parent.callId }),
    ...(requestId === undefined ? {} : { requestId }),
    salt,
    schemaVersion: 1,
    seed,
    server: tool.server,
    startedAt,
    tenant: principal.tenant,
    tool: tool.name,
    toolVersion: tool.version,
    version: version.semver,
  };
}
