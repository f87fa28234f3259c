import { CairnError } from "../errors.ts";
import { isUuid } from "../identifiers.ts";
import { callKey, sessionKey } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { Call } from "./call.ts";
import { readCallRecord } from "./record.ts";

/**
 * The conversation that a stateful tool's input asks to continue, or undefined for a new one. An id that does not
 * exist and another tenant's id get the same answer, so that ids cannot be probed.
 */
export async function findConversation(
  store: Store,
  { version, tool, principal }: Call,
  input: unknown,
): Promise<string | undefined> {
  if (tool.session !== "stateful") return undefined;
  const id = (input as { conversation_id?: unknown }).conversation_id;
  if (typeof id !== "string") return undefined;
  const unknown = new CairnError(
    "CONVERSATION_NOT_FOUND",
    `There is no conversation \`${id.slice(0, 64)}\`. Leave \`conversation_id\` out to begin one.`,
  );
  if (!isUuid(id)) throw unknown;
  const [session, first] = await store.getMany([
    sessionKey(principal.tenant, version.commit, id),
    callKey(principal.tenant, id),
  ]);
  const record = first && readCallRecord(first.value);
  if (record && record.commit !== version.commit) {
    throw new CairnError(
      "CONFLICT",
      `Conversation \`${id}\` belongs to version ${record.version}; continue it at /agent/${record.commit}/${record.server}.`,
    );
  }
  if (record && record.tool !== tool.name) {
    throw new CairnError("CONFLICT", `Conversation \`${id}\` belongs to \`${record.tool}\`, not to \`${tool.name}\`.`);
  }
  if (!session) throw unknown;
  return id;
}
