import type { Context, StateKey } from "../../../server/host-api.ts";

/** Facts about its invocation that an artifact's code can read. */
export interface ArtifactFacts {
  readonly artifact: { readonly name: string; readonly revision: number; readonly owner: string };
  /** The principal that invokes it: a person's or program's name, or the owner of the artifact that does. */
  readonly caller: string;
}

/** The `ctx` of an artifact. What its record does not grant, it is refused. */
export interface ArtifactContext extends ArtifactFacts, Pick<Context, "log" | "now" | "random" | "fail"> {
  /** State of this artifact alone. Needs `state.read` and `state.write`. */
  readonly state: {
    get<T = unknown>(key: StateKey): Promise<T | undefined>;
    set(key: StateKey, value: unknown): Promise<void>;
    delete(key: StateKey): Promise<void>;
  };
  /** Invokes another artifact, or `artifact.method`, as the owner of this one, who pays. Needs `invoke`. */
  invoke<T = unknown>(name: string, args?: unknown, options?: { readonly maxPrice?: number }): Promise<T>;
}
