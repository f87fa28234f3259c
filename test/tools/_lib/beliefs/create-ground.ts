import type { LineageEntry, State, StateKey } from "../../../../server/host-api.ts";
import type { Ground } from "../../../../tools/_lib/beliefs/open-graph.ts";
import { createError } from "../../../helpers/fake-context.ts";

export interface TestGround extends Ground {
  readonly entries: LineageEntry[];
  /** Keys read and written so far; set it back to 0. */
  touched: number;
  /** Keeps what a call wrote only if it succeeds, as the service does. */
  call<T>(work: (ground: Ground) => Promise<T>): Promise<T>;
}

/** State and lineage in memory. */
export function createGround(): TestGround {
  let kept = new Map<string, unknown>();
  let working = kept;
  const parse = (key: string) => JSON.parse(key) as StateKey;
  const touch = () => void (ground.touched += 1);
  const state: State = {
    get: async <T>(key: StateKey) => {
      touch();
      return structuredClone(working.get(JSON.stringify(key))) as T | undefined;
    },
    async scan<T>(prefix: StateKey, { limit = 1000, after }: { limit?: number; after?: StateKey } = {}) {
      const found = [...working]
        .map(([key, value]) => ({ key: parse(key), value: value as T }))
        .filter(({ key }) => prefix.every((element, index) => key[index] === element))
        .sort((a, b) => compare(a.key, b.key))
        .filter(({ key }) => after === undefined || compare(key, after) > 0)
        .slice(0, limit);
      found.forEach(touch);
      return structuredClone(found);
    },
    async set(key, value) {
      touch();
      working.set(JSON.stringify(key), JSON.parse(JSON.stringify(value)));
    },
    async delete(key) {
      working.delete(JSON.stringify(key));
    },
  };
  const entries: LineageEntry[] = [];
  let staged: LineageEntry[] = [];
  const refuse = () => Promise.reject(new Error("not part of this ground"));
  const ground: TestGround = {
    state,
    entries,
    touched: 0,
    fail: createError,
    lineage: {
      append: async (entry) => void staged.push({ seq: entries.length + staged.length, checksum: "", at: 0, entry }),
      head: refuse,
      read: refuse,
      export: refuse,
    },
    async call(work) {
      working = new Map(kept);
      staged = [];
      const result = await work(ground);
      kept = working;
      entries.push(...staged);
      return result;
    },
  };
  return ground;
}

function compare(a: StateKey, b: StateKey): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [x = -1, y = -1] = [a[index], b[index]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}
