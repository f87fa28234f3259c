import { defined } from "../../../json/defined.ts";
import type { Store } from "../../../store/store.ts";
import { readLineage } from "../../lineage/lineage-log.ts";
import { type StatePlace, toLogName } from "./place.ts";

/** Size of what a place holds. */
export interface StateSize {
  readonly keys: number;
  /** Bytes of keys and values as JSON. */
  readonly bytes: number;
  /** Entries of the lineage. */
  readonly lineage: number;
  /** Milliseconds since 1970: when the last of those was appended. */
  readonly appendedAt?: number;
}

export type StateFound = Pick<StatePlace, "server" | "scope"> & StateSize;

/**
 * Measures all data of a tenant, by server and scope. A lineage without any keys is found where `known` names its place;
 * places that hold nothing are left out. `onKeys` hears how many keys are counted.
 */
export async function findStates(
  store: Store,
  tenant: string,
  known: readonly Pick<StatePlace, "server" | "scope">[],
  onKeys: (count: number) => void,
): Promise<readonly StateFound[]> {
  const sizes = new Map<string, { server: string; scope: string; keys: number; bytes: number }>();
  const find = (server: string, scope: string) => {
    const name = `${server}/${scope}`;
    const size = sizes.get(name) ?? { server, scope, keys: 0, bytes: 0 };
    sizes.set(name, size);
    return size;
  };
  for (const { server, scope } of known) find(server, scope);
  let count = 0;
  for await (const { key, value } of store.scan({ prefix: ["state", tenant] })) {
    const [, , server, scope, ...rest] = key;
    const size = find(String(server), String(scope));
    size.keys += 1;
    size.bytes += Buffer.byteLength(JSON.stringify(rest)) + Buffer.byteLength(JSON.stringify(value));
    onKeys(++count);
  }
  const found: StateFound[] = [];
  for (const size of sizes.values()) {
    const log = toLogName({ tenant, ...size });
    const [head] = await Array.fromAsync(readLineage(store, log, { from: -1, limit: 1 }));
    if (size.keys === 0 && head === undefined) continue;
    found.push({ ...size, lineage: (head?.seq ?? -1) + 1, ...defined({ appendedAt: head?.at }) });
  }
  return found.sort((one, other) => compare(one.server, other.server) || compare(one.scope, other.scope));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
