import type { Principal } from "../principal.ts";
import type { ResourceRequest } from "../resources/provider.ts";
import { watchCall } from "../store/calls/watch-call.ts";
import { callsOfConversation, callsOfVersion, sessionKey, sessionsOf } from "../store/keys.ts";
import type { Key, Store } from "../store/store.ts";
import type { Server, Version } from "../versions/version.ts";
import { createResourceFinder } from "./resource-finder.ts";

/** Milliseconds in which many changes of a resource are told as one. */
const GATHERING_MS = 50;

/** A way to hear of changes of what is at `uri`; undefined when nothing is there. What never changes is never told of. */
export type ResourceWatch = (uri: string, principal: Principal) => ((notify: () => void) => () => void) | undefined;

type Watched = Pick<Store, "scan" | "watch">;
type Watch = (store: Watched, tell: () => void) => () => void;

export function createResourceWatch(version: Version, server: Server, store: Watched): ResourceWatch {
  const find = createResourceFinder(server);
  return (uri, principal) => {
    const found = find(uri);
    if (found === undefined) return undefined;
    const { source } = found.resource;
    const { variables } = found;
    const watches =
      source.kind === "provider" ? toWatches(source.provider, { version, server, principal, uri, variables }) : [];
    return (notify) => {
      let timer: NodeJS.Timeout | undefined;
      const tell = () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          notify();
        }, GATHERING_MS);
      };
      const stops = watches.map((watch) => watch(store, tell));
      return () => {
        clearTimeout(timer);
        for (const stop of stops) stop();
      };
    };
  };
}

/** Lists the places in the store where something changes when the view of this provider does. */
function toWatches(provider: string, { version, principal, variables }: ResourceRequest): readonly Watch[] {
  const { tenant } = principal;
  const { commit } = version;
  const of =
    (key: Key): Watch =>
    (store, tell) =>
      store.watch(key, tell);
  const id = variables["conversation_id"] ?? "";
  switch (provider) {
    case "session.read":
      return [of(sessionKey(tenant, commit, id))];
    case "session.index":
      return [of(sessionsOf(tenant, commit))];
    case "logs.recent":
      return [of(callsOfVersion(tenant, commit))];
    case "logs.read":
      return [(store, tell) => watchCall(store, { tenant, commit, id }, tell), of(callsOfConversation(tenant, id))];
    default:
      return [];
  }
}
