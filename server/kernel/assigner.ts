import type { Json, Write } from "../store/store.ts";
import type { Tool, Version } from "../versions/version.ts";

/** The parameters that a call runs with. */
export interface Assigned {
  /** By the name of the set. */
  readonly parameters: { readonly [set: string]: Json };
  /** Of the sets that are tuned; absent when none is. */
  readonly assignments?: Assignments;
}

/** Arms and candidates that experiments gave a conversation, with their probabilities. */
export type Assignments = Readonly<
  Record<
    string,
    {
      readonly arm?: string;
      readonly candidate?: string;
      /** Set where a guardrail gave what it would go back to, and no arm says so. */
      readonly former?: true;
      /** By arm; they add up to 1. Absent where there are no arms. */
      readonly propensities?: Readonly<Record<string, number>>;
      /** The last event of the log that the decision knew of. */
      readonly seq: number;
    }
  >
>;

export interface AssignRequest {
  readonly version: Version;
  readonly tool: Tool;
  readonly tenant: string;
  readonly actor: string;
  readonly conversationId: string;
  /** True when a handler made the call: nobody knows its id, so nobody could reward it. */
  readonly isNested: boolean;
}

/** Gives conversations the values of their parameters. */
export interface Assigner {
  /** The values for a conversation that begins; at once when everything it takes is at hand. */
  assign(request: AssignRequest): Assigned | Promise<Assigned>;
  /** Writes that credit what the first call of a conversation was given; committed with the call's record. */
  toCredit(call: FirstCall): Credit;
}

export interface Credit {
  readonly set: readonly Write[];
  readonly append: readonly { readonly log: string; readonly entry: Json }[];
}

/** The record of a conversation's first call, as far as tuning goes by it. */
export interface FirstCall {
  readonly actor: string;
  readonly assignments: Assignments;
  readonly commit: string;
  readonly conversationId: string;
  /** `ok`, or the name of the error that it ended with. */
  readonly outcome: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly tenant: string;
  readonly version: string;
}
