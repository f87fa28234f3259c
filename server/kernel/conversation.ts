import { CairnError } from "../errors.ts";
import { holdsAll } from "../principal.ts";
import { isUuid } from "../identifiers.ts";
import { findInSegments } from "../store/calls/find-calls.ts";
import { callKey, conversationKey, sessionKey } from "../store/keys.ts";
import type { Json, Store } from "../store/store.ts";
import { createRecordReader } from "../json/stored.ts";
import type { Call, RunningCall } from "./call.ts";
import { type CallRecord, readCallRecord } from "./record.ts";

/** The stored state of a conversation with a stateful tool. */
export interface SessionRecord {
  readonly schemaVersion: 1;
  readonly conversationId: string;
  readonly server: string;
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly calls: number;
  /** The value that the handler set. */
  readonly value: Json;
}

export const readSessionRecord = createRecordReader<SessionRecord>("session-record");

/** The stored owner of a conversation, by which one version knows that it is another's. */
export interface ConversationRecord {
  readonly schemaVersion: 1;
  readonly commit: string;
  readonly version: string;
  readonly server: string;
}

const readConversationRecord = createRecordReader<ConversationRecord>("conversation-record");

/**
 * The first call of the conversation that a stateful tool's input asks to continue, or undefined for a new one. An id that does not
 * exist, another tenant's id, and the id of a call of a tool that the caller may not use get the same answer, so that
 * ids cannot be probed.
 */
export async function findConversation(
  store: Store,
  { version, tool, principal }: Call,
  input: unknown,
): Promise<CallRecord | undefined> {
  if (tool.session !== "stateful") return undefined;
  const id = (input as { conversation_id?: unknown }).conversation_id;
  if (typeof id !== "string") return undefined;
  const unknown = new CairnError(
    "CONVERSATION_NOT_FOUND",
    `There is no conversation \`${id.slice(0, 64)}\`. Leave \`conversation_id\` out to begin one.`,
  );
  if (!isUuid(id)) throw unknown;
  const { tenant } = principal;
  const { commit } = version;
  const [session, elsewhere, single] = await store.getMany([
    sessionKey(tenant, commit, id),
    conversationKey(tenant, id),
    callKey(tenant, commit, id),
  ]);
  const call = single === undefined ? await findInSegments(store, { tenant, commit, id }) : single.value;
  if (call !== undefined) {
    const first = readCallRecord(call);
    const { tool: owner } = first;
    if (owner === tool.name && session !== undefined) return first;
    const mayKnow = holdsAll(principal, version.tools.get(owner)?.requiredCapabilities ?? []);
    if (owner !== tool.name && mayKnow) {
      throw new CairnError("CONFLICT", `Conversation \`${id}\` belongs to \`${owner}\`, not to \`${tool.name}\`.`);
    }
  }
  const owner = elsewhere && readConversationRecord(elsewhere.value);
  if (owner !== undefined && owner.commit !== commit) {
    throw new CairnError(
      "CONFLICT",
      `Conversation \`${id}\` belongs to version ${owner.version}; continue it at /agent/${owner.commit}/${owner.server}.`,
    );
  }
  throw unknown;
}

/** Makes sure that a conversation exists once its first call succeeded, even if the handler set nothing. */
export async function keepSession(call: RunningCall, at: number): Promise<void> {
  if ((await findSession(call)) === undefined) writeSession(call, at, undefined, null);
}

function keyOf({ principal, version, info }: RunningCall) {
  return sessionKey(principal.tenant, version.commit, info.conversationId);
}

/** The session of the conversation that a call is part of, as its transaction sees it. */
export async function findSession(call: RunningCall): Promise<SessionRecord | undefined> {
  const stored = await call.effects.get(keyOf(call));
  return stored === undefined ? undefined : readSessionRecord(stored);
}

/** Stages a session; the first write of a conversation also says which version it belongs to. */
export function writeSession(call: RunningCall, at: number, before: SessionRecord | undefined, value: Json): void {
  const { server, tool, conversationId, commit, version } = call.info;
  const record: SessionRecord = {
    schemaVersion: 1,
    conversationId,
    server,
    tool,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    calls: (before?.calls ?? 0) + 1,
    value,
  };
  call.effects.set(keyOf(call), record as unknown as Json);
  if (before !== undefined) return;
  const owner: ConversationRecord = { schemaVersion: 1, commit, version, server };
  call.effects.set(conversationKey(call.principal.tenant, conversationId), owner as unknown as Json);
}
