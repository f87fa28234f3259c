import type { Arguments } from "../fill/draft.ts";
import type { Reading } from "./clock.ts";

/** Reply of `runner.chat`. */
export interface Reply {
  /** For people: everything that matters is in it. */
  readonly text: string;
  /** Kind of the reply: an answer, a question back, an overview of the tools, or an error. */
  readonly kind: "answer" | "question" | "help" | "failure";
  /** Author of the reply. */
  readonly via: "pipeline" | "model";
  /** The model was meant to answer but failed, so the pipeline did. */
  readonly fallback?: true;
  /** The tool that was called, or is about to be. */
  readonly tool?: string;
  readonly arguments?: Arguments;
  /** Result of the tool. */
  readonly result?: unknown;
  /** Possible answers to a question: tools, or values. */
  readonly alternatives?: readonly string[];
}

/** A question that the next message may answer. */
export type Awaiting =
  | (Reading & { readonly for: "argument"; readonly tool: string; readonly field: string; readonly asked: number })
  | { readonly for: "tool"; readonly tools: readonly string[]; readonly message: string };

/** Decision of the pipeline about a message: a text, or a call. */
export type Decision =
  | { readonly say: Reply; readonly awaiting?: Awaiting }
  | (Reading & {
      readonly call: string;
      /** A second name beside the one that was taken: "Paris and London". */
      readonly left?: string;
    });

/** The call that a follow-up such as "and tomorrow?" changes. */
export interface LastCall extends Reading {
  readonly tool: string;
}
