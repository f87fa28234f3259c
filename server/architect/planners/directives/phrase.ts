import type { Json } from "../../../store/store.ts";
import type { Ground } from "../planner.ts";
import type { Bench } from "./bench.ts";

/** Effect of a sentence, run after all of the message is understood. */
export type Deed = (bench: Bench) => Promise<void> | void;

/** One way of saying something. */
export interface Phrase {
  /** Matches the whole clause; its named groups are what is read. */
  readonly pattern: RegExp;
  /**
   * Undefined where, seen closer, the sentence is about something else. Throws a refusal where it is clear what is wanted,
   * and that it cannot be done.
   */
  read(said: Said): Deed | undefined;
}

/** A clause that a pattern has matched. */
export interface Said {
  readonly ground: Ground;
  /** The group of that name as a name: without quotes, articles and the like; "" where it did not take part. */
  name(group: string): string;
  /** The group as a value: quoted text, JSON, a number or a bare word; undefined where it is several words. */
  value(group: string): Json | undefined;
  /** The group as several values: `a`, `a and b`, `a, b or c`; undefined where one of them is several words. */
  values(group: string): readonly Json[] | undefined;
  /** The block of text that stands next to the sentence. A phrase that looks at it takes it as its own. */
  block(): Block | undefined;
  readonly attachments: readonly Block[];
}

/** A text that stands apart from the sentences of a message. */
export interface Block {
  /** Language behind the fence, in lower case, or the one that the block looks like. */
  readonly language: string;
  readonly text: string;
}
