import type { Arguments } from "../fill/draft.ts";
import type { Reading } from "./clock.ts";

/** What `runner.chat` answers with. */
export interface Reply {
  /** For people: everything that matters is in it. */
  readonly text: string;
  /** Whether it answers, asks back, says what is possible, or says what went wrong. */
  readonly kind: "answer" | "question" | "help" | "failure";
  /** Who worked it out. */
  readonly via: "pipeline" | "model";
  /** The model was meant to answer but failed, so the pipeline did. */
  readonly fallback?: true;
  /** The tool that was called, or is about to be. */
  readonly tool?: string;
  readonly arguments?: Arguments;
  /** What the tool returned. */
  readonly result?: unknown;
  /** What may be answered to a question: tools, or values. */
  readonly alternatives?: readonly string[];
}

/** A question that the next message may answer. */
export type Awaiting =
  | (Reading & { readonly for: "argument"; readonly tool: string; readonly field: string; readonly asked: number })
  | { readonly for: "tool"; readonly tools: readonly string[]; readonly message: string };

/** What the pipeline makes of a message: something to say, or a call to make. */
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
