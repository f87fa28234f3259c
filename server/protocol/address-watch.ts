import type { Registry } from "../versions/registry/registry-types.ts";
import type { Server } from "../versions/version.ts";

/** Which of a server's lists are different from what they were. */
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

/** Watches servers under the version segments of addresses, from what they list now. */
export type WatchAddress = (segment: string, server: Server) => AddressWatch;

export function createWatchAddress(registry: Pick<Registry, "resolve" | "subscribe">): WatchAddress {
  // Many may watch, and what they compare is large: they share it.
  const kept = new WeakMap<Server, Lists>();
  const listsOf = (server: Server): Lists => {
    const lists = kept.get(server) ?? toLists(server);
    kept.set(server, lists);
    return lists;
  };

  return (segment, server) => (listener) => {
    let known = listsOf(server);
    let stopped = false;

    const look = async () => {
      // An address that means nothing for the moment has not changed what it lists.
      const resolved = await registry.resolve(segment).catch(() => undefined);
      const next = resolved?.version.servers.get(server.name);
      if (stopped || next === undefined) return;
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
