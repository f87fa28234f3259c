import { CairnError } from "../errors.ts";
import { holdsAll } from "../principal.ts";
import { isUuid } from "../identifiers.ts";
import { callKey, conversationKey, sessionKey } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { readConversationRecord } from "../capabilities/session/session.ts";
import type { Call } from "./call.ts";
import { type CallRecord, readCallRecord } from "./record.ts";

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
  const [session, elsewhere, call] = await store.getMany([
    sessionKey(tenant, version.commit, id),
    conversationKey(tenant, id),
    callKey(tenant, version.commit, id),
  ]);
  if (call !== undefined) {
    const first = readCallRecord(call.value);
    const { tool: owner } = first;
    if (owner === tool.name && session !== undefined) return first;
    const mayKnow = holdsAll(principal, version.tools.get(owner)?.requiredCapabilities ?? []);
    if (owner !== tool.name && mayKnow) {
      throw new CairnError("CONFLICT", `Conversation \`${id}\` belongs to \`${owner}\`, not to \`${tool.name}\`.`);
    }
  }
  const owner = elsewhere && readConversationRecord(elsewhere.value);
  if (owner !== undefined && owner.commit !== version.commit) {
    throw new CairnError(
      "CONFLICT",
      `Conversation \`${id}\` belongs to version ${owner.version}; continue it at /agent/${owner.commit}/${owner.server}.`,
    );
  }
  throw unknown;
}
