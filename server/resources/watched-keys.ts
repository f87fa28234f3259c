import { callKey, callsOfConversation, callsOfVersion, sessionKey, sessionsOf } from "../store/keys.ts";
import type { Key } from "../store/store.ts";
import type { ResourceRequest } from "./provider.ts";

/** Under which keys of the store something changes when the view of this provider does. */
export function toWatchedKeys(provider: string, { version, principal, variables }: ResourceRequest): readonly Key[] {
  const { tenant } = principal;
  const id = variables["conversation_id"] ?? "";
  switch (provider) {
    case "session.read":
      return [sessionKey(tenant, version.commit, id)];
    case "session.index":
      return [sessionsOf(tenant, version.commit)];
    case "logs.recent":
      return [callsOfVersion(tenant, version.commit)];
    case "logs.read":
      return [callKey(tenant, version.commit, id), callsOfConversation(tenant, id)];
    default:
      return [];
  }
}
