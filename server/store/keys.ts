import { hash } from "node:crypto";
import type { StateKey } from "../host-api.ts";
import type { Key } from "./store.ts";

/**
 * Keys of each kind of record. The tenant is a separate element, so no choice of names lets one tenant's keys run into
 * another's.
 */

/** The calls of one version, by time. */
export function callsOfVersion(tenant: string, commit: string): Key {
  return ["call", tenant, commit];
}

/** The record of one call, unless it is in a segment: `calls/` finds it either way. For the first call of a conversation the call's id is the conversation's. */
export function callKey(tenant: string, commit: string, callId: string): Key {
  return ["call", tenant, commit, callId];
}

/** Key of the version of a conversation with a stateful tool, for callers who ask another version. */
export function conversationKey(tenant: string, conversationId: string): Key {
  return ["conversation", tenant, conversationId];
}

/** Index: the later calls of one conversation, by time. */
export function callsOfConversation(tenant: string, conversationId: string): Key {
  return ["turns", tenant, conversationId];
}

/** Key of a stateful tool's memory; the commit is part of the key because nothing is shared across versions. */
export function sessionsOf(tenant: string, commit: string): Key {
  return ["session", tenant, commit];
}

export function sessionKey(tenant: string, commit: string, conversationId: string): Key {
  return [...sessionsOf(tenant, commit), conversationId];
}

/** State of handlers; `scope` is the name that versions share, or the commit. */
export function stateKey(tenant: string, server: string, scope: string, key: StateKey): Key {
  return ["state", tenant, server, scope, ...key];
}

/** The lineage of a server's state; neither of the latter two has a slash, so no tenant's log runs into another's. */
export function lineageLog(tenant: string, server: string, scope: string): string {
  return `lineage/${tenant}/${server}/${scope}`;
}

/** The answer of a call with an idempotency key, of which only the digest is kept; not shared across tenants, actors, versions or tools. */
export function answerKey(tenant: string, commit: string, tool: string, actor: string, idempotencyKey: string): Key {
  return ["sealed-answer", tenant, commit, tool, actor, hash("sha256", idempotencyKey)];
}

/** Key of an answer from before answers were sealed. Such answers are kept for a day. */
export function plainAnswerKey(...[tenant, commit, tool, actor, key]: Parameters<typeof answerKey>): Key {
  return ["answer", tenant, commit, tool, actor, key];
}

/** Sum of what a tenant's calls of one day have cost; of those of one actor, where one is named. */
export function spentKey(tenant: string, day: string, actor?: string): Key {
  return actor === undefined ? ["spent", tenant, day] : ["spent", tenant, day, "actor", actor];
}

export function auditLog(tenant: string): string {
  return `${AUDIT_LOGS}${tenant}`;
}

/** Prefix of the names of all audit logs. */
export const AUDIT_LOGS = "audit/";

/** The record of a denial or a change, which the audit log names by its digest. */
export function eventKey(tenant: string, id: string): Key {
  return ["event", tenant, id];
}

/** Key of the state of the Merkle tree over a tenant's audit log. */
export function auditTree(tenant: string): Key {
  return ["audit-tree", tenant];
}

/** 256 neighbouring hashes of that tree: of leaves at level 0, of tiles of the level below otherwise. */
export function auditTile(tenant: string, level: number, index: number): Key {
  return ["audit-tile", tenant, level, index];
}

/** Signed checkpoints, the last one of each thousand entries. */
export function auditCheckpoints(tenant: string): Key {
  return ["audit-checkpoint", tenant];
}

/** Name of the log of one experiment of one version; it has no slash, so no tenant's log runs into another's. */
export function tuningLog(tenant: string, commit: string, experiment: string): string {
  return `tuning/${tenant}/${commit}/${experiment}`;
}

/** Key of a fold of that log, to start from. */
export function tuningKey(tenant: string, commit: string, experiment: string): readonly string[] {
  return ["tuning", tenant, commit, experiment];
}

/** Key of the values of a conversation or requested choice, with the state of its reward. */
export function tunedKey(tenant: string, id: string): Key {
  return ["tuned", tenant, id];
}

/** Key of the mark that a candidate of a search has its result. */
export function toldKey(tenant: string, commit: string, experiment: string, candidate: string): Key {
  return ["told", tenant, commit, experiment, candidate];
}

/** API tokens, of all tenants: whose one is, only its record says. */
export const TOKENS: Key = ["api-token"];

export function tokenKey(id: string): Key {
  return [...TOKENS, id];
}

/** Key of the last results of a commit's examples. */
export function testResultKey(commit: string): Key {
  return ["versions", "tests", commit];
}

/** Prefix of others' reports about the tests of a commit. */
export function testReportsOf(commit: string): Key {
  return ["versions", "reports", commit];
}

export function testReportKey(commit: string, source: string, reporter: string): Key {
  return [...testReportsOf(commit), source, reporter];
}

/** Key of the input and output of a call, where its tool's manifest allows to keep them. */
export function bodyKey(tenant: string, commit: string, callId: string): Key {
  return [...bodiesOf(tenant, commit), callId];
}

export function bodiesOf(tenant: string, commit: string): Key {
  return ["body", tenant, commit];
}

/** Tasks of one tenant; `scope` is the name that versions share, or the commit. */
export function tasksOf(tenant: string, scope: string): Key {
  return ["task", tenant, scope];
}

export function taskKey(tenant: string, scope: string, taskId: string): Key {
  return [...tasksOf(tenant, scope), taskId];
}

export function runKey(tenant: string, scope: string, runId: string): Key {
  return ["run", tenant, scope, runId];
}

/** Until when a run is its worker's, once that has asked for longer. */
export function runLeaseKey(tenant: string, scope: string, runId: string): Key {
  return ["run-lease", tenant, scope, runId];
}

/** Whose a task or a run is, for workers that serve several tenants. */
export function workOwnerKey(scope: string, id: string): Key {
  return ["work-owner", scope, id];
}

/** Tasks of one priority and of one kind of worker that wait or are leased, in order of age. */
export function workQueue(tenant: string, scope: string, rank: number, kind: string): Key {
  return ["work-queue", tenant, scope, rank, kind];
}

/** Prefix of a tenant's queues. */
export function workQueuesOf(tenant: string, scope: string): Key {
  return ["work-queues", tenant, scope];
}

/** Tenants that ever had a task. */
export function workTenants(scope: string): Key {
  return ["work-tenants", scope];
}

/** Prefix of the tenants last served by a worker that serves all. */
export function workServed(scope: string): Key {
  return ["work-served", scope];
}

/** Key of a piece of evidence, by its digest. */
export function evidenceKey(tenant: string, digest: string): Key {
  return ["evidence", tenant, digest];
}

/** Workers, and when each was last heard of. */
export function workersOf(tenant: string, scope: string): Key {
  return ["worker", tenant, scope];
}

/** Name of the log of one run; the run's id has no slash, so no tenant's log runs into another's. */
export function runLog(tenant: string, runId: string): string {
  return `run/${tenant}/${runId}`;
}

/** Whose run has a workspace on this machine. */
export function workspaceKey(runId: string): Key {
  return ["workspace", runId];
}

/** Key of the replay of a recorded call of version `from` with a candidate, both by their commits. */
export function replayKey(tenant: string, candidate: string, from: string, callId: string): Key {
  return [...replaysOf(tenant, candidate), from, callId];
}

/** Prefix of the results of replays: of one candidate, or of all of them. */
export function replaysOf(tenant: string, candidate?: string): Key {
  return candidate === undefined ? ["replay", tenant] : ["replay", tenant, candidate];
}

/** Prefix of the results of checks for a commit. Commits are common to all tenants, so the key has none. */
export function forgeChecksOf(head: string): Key {
  return ["forge-check", head];
}

export function forgeCheckKey(head: string, check: string): Key {
  return [...forgeChecksOf(head), check];
}

/** Changes that land once the checks of a commit are green. */
export function forgeArmedBy(head: string): Key {
  return ["forge-armed", head];
}

export const feedbackOf = (tenant: string): Key => ["feedback", tenant];

/** Key of feedback to the Architect, by its id. */
export function feedbackKey(tenant: string, id: string): Key {
  return [...feedbackOf(tenant), id];
}

/** Feedback that nobody has an answer to yet, of all tenants; the value is the tenant. */
export const OPEN_FEEDBACK: Key = ["feedback-open"];

export function openFeedbackKey(id: string): Key {
  return [...OPEN_FEEDBACK, id];
}

/** Key of the feedback sent under an idempotency key. */
export function feedbackOnceKey(tenant: string, actor: string, idempotencyKey: string): Key {
  return ["feedback-once", tenant, actor, idempotencyKey];
}

/** Key of the adjustment that reverts tuning by feedback. */
export function undoKey(tenant: string, id: string): Key {
  return ["feedback-undo", tenant, id];
}
