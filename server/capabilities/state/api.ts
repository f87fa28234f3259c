import type { Declarations, Grant } from "../declaration.ts";

/**
 * Durable state of this MCP server, apart for each tenant. Reads need `state.read`, writes `state.write`. A call is one
 * transaction: it reads what it wrote, all of it is kept when the call succeeds, and a call that met a concurrent write
 * runs again from the start. Where the server says which form its values have (`state.values`), values that do not fit reject
 * with INVARIANT_VIOLATION when they are written or read.
 */
export interface State {
  /** Reads the value under a key; undefined where there is none. */
  get<T = unknown>(key: StateKey): Promise<T | undefined>;
  /** Entries whose keys start with `prefix`, in key order. */
  scan<T = unknown>(prefix: StateKey, options?: ScanOptions): Promise<readonly { key: StateKey; value: T }[]>;
  /** Writes a JSON value under a key, in place of any that is there. */
  set(key: StateKey, value: unknown): Promise<void>;
  /** Removes a key; one that is not there is no error. */
  delete(key: StateKey): Promise<void>;
}

export type StateKey = readonly (string | number)[];

export interface ScanOptions {
  /** At most 1,000, which is also the default. */
  readonly limit?: number;
  readonly after?: StateKey;
  readonly reverse?: boolean;
}

export const STATE_GRANTS = {
  "state.read": { breaks: ["deterministic", "no tenant"] },
  "state.write": { breaks: ["deterministic", "no side effect", "no tenant"] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.state`. */
export const STATE = {
  get: { name: "state.get", takes: ["key"], needs: "state.read", inPreviews: true },
  scan: {
    name: "state.scan",
    takes: ["prefix", ["limit?", "after?", "reverse?"]],
    needs: "state.read",
    inPreviews: true,
  },
  set: {
    name: "state.set",
    takes: ["key", "value"],
    needs: "state.write",
    mutates: true,
    isStaged: true,
    inPreviews: true,
  },
  delete: {
    name: "state.delete",
    takes: ["key"],
    needs: "state.write",
    mutates: true,
    isStaged: true,
    inPreviews: true,
  },
} as const satisfies Declarations<State, keyof typeof STATE_GRANTS>;
