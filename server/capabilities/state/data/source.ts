import type { StateKey } from "../../../host-api.ts";
import type { Json, Store } from "../../../store/store.ts";
import type { LineageEntry } from "../../lineage/api.ts";
import { readLineage } from "../../lineage/lineage-log.ts";
import { type StatePlace, toHandlerKey, toLogName, toStoreKey } from "./place.ts";

export interface DataEntry {
  readonly key: StateKey;
  readonly value: Json;
}

/** Data that can be read more than once: what a place holds, or a file of an export. */
export interface DataSource {
  /** Entries in key order. */
  entries(): AsyncIterable<DataEntry>;
  /** The whole lineage in order, each entry held against its hash and its predecessor. */
  lineage(): AsyncIterable<LineageEntry<Json>>;
}

/** Reads what a place holds, page by page: beside a running service not as of one moment. */
export function createPlaceSource(store: Store, place: StatePlace): DataSource {
  return {
    async *entries() {
      for await (const { key, value } of store.scan({ prefix: toStoreKey(place) })) {
        yield { key: toHandlerKey(place, key), value };
      }
    },
    lineage: () => readLineage(store, toLogName(place), { from: 0 }),
  };
}
