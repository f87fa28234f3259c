import type { Principal } from "../principal.ts";
import type { ResourceRequest } from "../resources/provider.ts";
import { callKey, callsOfConversation, callsOfVersion, sessionKey, sessionsOf } from "../store/keys.ts";
import type { Store, Key } from "../store/store.ts";
import type { Server, Version } from "../versions/version.ts";
import { createResourceFinder } from "./resource-finder.ts";

/** Milliseconds in which many changes of a resource are told as one. */
const GATHERING_MS = 50;

/** A way to hear of changes of what is at `uri`; undefined when nothing is there. What never changes is never told of. */
export type ResourceWatch = (uri: string, principal: Principal) => ((notify: () => void) => () => void) | undefined;

export function createResourceWatch(version: Version, server: Server, store: Pick<Store, "watch">): ResourceWatch {
  const find = createResourceFinder(server);
  return (uri, principal) => {
    const found = find(uri);
    if (found === undefined) return undefined;
    const { source } = found.resource;
    const keys =
      source.kind === "provider"
        ? toWatchedKeys(source.provider, { version, server, principal, uri, variables: found.variables })
        : [];
    return (notify) => {
      let timer: NodeJS.Timeout | undefined;
      const tell = () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          notify();
        }, GATHERING_MS);
      };
      const stops = keys.map((key) => store.watch(key, tell));
      return () => {
        clearTimeout(timer);
        for (const stop of stops) stop();
      };
    };
  };
}

/** Under which keys of the store something changes when the view of this provider does. */
function toWatchedKeys(provider: string, { version, principal, variables }: ResourceRequest): readonly Key[] {
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
