import type { Context, StateKey } from "../../../server/host-api.ts";

/** State and lineage as an invocation sees them. What it writes is there for others when it succeeds, else not at all. */
export interface Layer {
  get<T>(key: StateKey): Promise<T | undefined>;
  set(key: StateKey, value: unknown): Promise<void>;
  delete(key: StateKey): Promise<void>;
  append(entry: unknown): Promise<void>;
}

/** A layer over another one; `keep` hands on what was written. */
export interface InnerLayer extends Layer {
  keep(): Promise<void>;
}

/** The call itself: what is written goes into its transaction. */
export function toLayer({ state, lineage }: Pick<Context, "state" | "lineage">): Layer {
  return {
    get: (key) => state.get(key),
    set: (key, value) => state.set(key, value),
    delete: (key) => state.delete(key),
    append: (entry) => lineage.append(entry),
  };
}

export function createLayer(outer: Layer): InnerLayer {
  const written = new Map<string, { readonly key: StateKey; readonly value: unknown }>();
  const appended: unknown[] = [];
  return {
    async get<T>(key: StateKey): Promise<T | undefined> {
      const own = written.get(JSON.stringify(key));
      return own === undefined ? outer.get<T>(key) : (own.value as T | undefined);
    },
    async set(key, value) {
      written.set(JSON.stringify(key), { key, value });
    },
    async delete(key) {
      written.set(JSON.stringify(key), { key, value: undefined });
    },
    async append(entry) {
      appended.push(entry);
    },
    async keep() {
      for (const { key, value } of written.values()) {
        if (value === undefined) await outer.delete(key);
        else await outer.set(key, value);
      }
      for (const entry of appended) await outer.append(entry);
    },
  };
}
