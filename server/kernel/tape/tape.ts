import type { ClientAbilities } from "../../host-api.ts";
import type { Json } from "../../store/store.ts";

/** Answers to the handler of one call, so that another version can be given the same answers. */
export interface Tape {
  /** Seed of `ctx.random()`. */
  readonly seed: string;
  readonly conversationId: string;
  /** The time that the handler saw at first, in milliseconds since 1970. */
  readonly startedAt: number;
  /** True if `ctx.model` had a model behind it. */
  readonly model: boolean;
  readonly client: ClientAbilities;
  /** Parameters by set; empty where the tool reads none. */
  readonly parameters: { readonly [set: string]: Json };
  /** Names of the secrets that were there for the call. Never their values. */
  readonly secrets: readonly string[];
  /** In the order in which the handler asked. */
  readonly steps: readonly TapeStep[];
  /** Reason why the tape does not hold all of the call; `steps` is empty then. */
  readonly incomplete?: string;
}

/** One request of a handler, with its answer. */
export interface TapeStep {
  readonly name: string;
  readonly args: Json;
  /** The time that the handler saw from the answer on, in milliseconds since 1970; absent where the call ended before it came. */
  readonly at?: number;
  /** Absent where the answer was nothing, or an error. */
  readonly answer?: Json;
  readonly error?: TapeError;
}

/** An error as the handler got it. */
export interface TapeError {
  readonly name: string;
  readonly message: string;
  readonly details?: Json;
}

/** Link between a handler and what it asks for, where a call is taped or played. */
export interface TapeHead {
  /** Answers a request of the handler; `carryOut` has it done. */
  ask(name: string, args: Json, carryOut: () => Promise<Json | undefined>): Promise<Json | undefined>;
  /** The time that the handler sees: that of its last answer, in milliseconds since 1970. */
  readonly time: () => number;
  /** Forgets all, because the handler begins anew. */
  restart(): void;
}
