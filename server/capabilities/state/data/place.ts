import type { StateKey } from "../../../host-api.ts";
import { lineageLog, stateKey } from "../../../store/keys.ts";
import type { Key } from "../../../store/store.ts";

/** One server's data of one tenant: `scope` is the name that versions share, or the commit of the version whose own it is. */
export interface StatePlace {
  readonly tenant: string;
  readonly server: string;
  readonly scope: string;
}

export function toStoreKey({ tenant, server, scope }: StatePlace, key: StateKey = []): Key {
  return stateKey(tenant, server, scope, key);
}

export function toLogName({ tenant, server, scope }: StatePlace): string {
  return lineageLog(tenant, server, scope);
}

/** The key as handlers know it. */
export function toHandlerKey(place: StatePlace, key: Key): StateKey {
  return key.slice(toStoreKey(place).length);
}

/** The place as people name it to commands of one tenant. */
export function showPlace({ server, scope }: StatePlace): string {
  return `${server}/${scope}`;
}
