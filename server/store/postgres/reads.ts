import { setImmediate as nextTurn } from "node:timers/promises";
import type { Answer, Query } from "./connection.ts";
import { readEntryRow } from "./rows.ts";
import { STATEMENTS } from "./statements.ts";
import type { StoredRecord } from "../stored-record.ts";

/** Records by the names of their keys, which are bytes as `latin1`. */
export type Found = ReadonlyMap<string, StoredRecord>;

/** Keys of one statement, besides those of its last call: each call sees one moment. */
const MAX_KEYS = 1_000;

interface Asked {
  readonly keys: readonly Buffer[];
  readonly resolve: (found: Found) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates a reader that makes one statement of what is read in a turn of the event loop. */
export function createReads(read: (run: (query: Query) => Promise<Answer>) => Promise<Answer>) {
  let asked: Asked[] = [];

  async function flush(): Promise<void> {
    await nextTurn();
    const all = asked;
    asked = [];
    while (all.length > 0) {
      const some: Asked[] = [];
      for (let keys = 0; all[0] !== undefined && keys < MAX_KEYS; keys += all[0]?.keys.length ?? 0) {
        some.push(...all.splice(0, 1));
      }
      void answer(some);
    }
  }

  async function answer(some: readonly Asked[]): Promise<void> {
    const names = new Map(some.flatMap(({ keys }) => keys.map((key) => [key.toString("latin1"), key] as const)));
    try {
      const { rows } = await read((query) => query(STATEMENTS.readEntries, [[...names.values()]]));
      const found = new Map(
        rows.map((row) => {
          const { key, ...record } = readEntryRow(row);
          return [key.toString("latin1"), record] as const;
        }),
      );
      for (const { resolve } of some) resolve(found);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  return (keys: readonly Buffer[]): Promise<Found> =>
    new Promise((resolve, reject) => {
      if (asked.length === 0) void flush();
      asked.push({ keys, resolve, reject });
    });
}
