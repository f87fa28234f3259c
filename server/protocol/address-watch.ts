import type { Registry } from "../versions/registry/registry-types.ts";
import { stateKey } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { Server, Version } from "../versions/version.ts";

/** Milliseconds in which many changes of what a server keeps are told as one. */
const GATHERING_MS = 50;

/** Changes of a server's lists. */
export interface ListChanges {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
}

/** Watches what an address that may move lists; the listener hears of differences only. Returns "stop". */
export type AddressWatch = (listener: (changes: ListChanges) => void) => () => void;

interface Lists {
  readonly tools: string;
  readonly prompts: string;
  readonly resources: string;
}

/** Watches servers under the version segments of addresses, from what they list now to somebody of that tenant. */
export type WatchAddress = (segment: string, version: Version, server: Server, tenant: string) => AddressWatch;

export function createWatchAddress(
  registry: Pick<Registry, "resolve" | "subscribe">,
  store: Pick<Store, "watch">,
): WatchAddress {
  // Many may watch, and what they compare is large: they share it.
  const kept = new WeakMap<Server, Lists>();
  const listsOf = (server: Server): Lists => {
    const lists = kept.get(server) ?? toLists(server);
    kept.set(server, lists);
    return lists;
  };

  /** Tells of changes of the live tools, if it has any. Returns "stop". */
  const watchLive = (version: Version, server: Server, tenant: string, tell: () => void): (() => void) => {
    const { liveTools, name, state = version.commit } = server;
    if (liveTools === undefined) return () => undefined;
    let timer: NodeJS.Timeout | undefined;
    const stop = store.watch(stateKey(tenant, name, state, [liveTools.changes]), () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        tell();
      }, GATHERING_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  };

  return (segment, version, server, tenant) => (listener) => {
    let known = listsOf(server);
    let meant = server;
    let stopped = false;
    const tell = () => listener({ tools: true, prompts: false, resources: false });
    let stopLive = watchLive(version, server, tenant, tell);

    const look = async () => {
      // An address that means nothing for the moment has not changed what it lists.
      const resolved = await registry.resolve(segment).catch(() => undefined);
      const next = resolved?.version.servers.get(server.name);
      if (stopped || resolved === undefined || next === undefined) return;
      if (next !== meant) {
        stopLive();
        stopLive = watchLive(resolved.version, next, tenant, tell);
        meant = next;
      }
      const lists = listsOf(next);
      const changes = {
        tools: lists.tools !== known.tools,
        prompts: lists.prompts !== known.prompts,
        resources: lists.resources !== known.resources,
      };
      known = lists;
      if (changes.tools || changes.prompts || changes.resources) listener(changes);
    };
    // The address may have moved since the request came that this watch is for.
    let looking = look();
    const unsubscribe = registry.subscribe(({ kind }) => {
      if (kind === "added" || kind === "quarantined" || kind === "labels" || kind === "dev")
        looking = looking.then(look);
    });
    return () => {
      stopped = true;
      stopLive();
      unsubscribe();
    };
  };
}

/** All that the lists of a server show, as text to compare. */
function toLists({ tools, prompts, resources, resourceTemplates }: Server): Lists {
  return {
    tools: JSON.stringify(
      tools.map(({ name, title, version, description, input, output, sideEffect, idempotent, uses, examples }) => [
        [name, title, version, description, input, output],
        [sideEffect, idempotent, [...uses], examples],
      ]),
    ),
    prompts: JSON.stringify(
      prompts.map(({ name, title, description, arguments: declared }) => [name, title, description, declared]),
    ),
    resources: JSON.stringify([
      resources.map(({ source: _source, ...resource }) => resource),
      resourceTemplates.map(({ source: _source, suggestions: _suggestions, ...template }) => template),
    ]),
  };
}
