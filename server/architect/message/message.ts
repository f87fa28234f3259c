/** A range of a text, in UTF-16 units; `end` is the first that no longer belongs to it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * What a sentence does. `imperative`: asks for something, as an order, a request or a wish. `condition`: holds only if
 * something else does. `negation`: says that something is not so, or is not to be. `report`: tells, or passes on somebody
 * else's words; also a fragment without a verb.
 */
export type Mood = "imperative" | "question" | "condition" | "negation" | "report";

/** A sentence in the sender's own words. */
export interface Sentence extends Span {
  readonly kind: "sentence";
  /** As people see it: without what has no width, with plain line breaks, and without the sign of a list item before it. */
  readonly text: string;
  readonly mood: Mood;
  /** Whether it asks for nothing and only says what data follows: `Here is the log of yesterday:`. */
  readonly introduces: boolean;
}

/**
 * Where data stands: `fenced`, `indented`, `diff` and `json` are blocks; `marked` has a quotation mark before each line (`>`)
 * or tags around it, `forwarded` is what follows the head of a mail, `introduced` follows a sentence that says that somebody
 * else's words follow; `comment` is in an HTML comment, which nobody sees; `attached` was sent along with the message;
 * `document` is a message that is nothing but JSON or a diff.
 */
export type Form =
  "fenced" | "indented" | "diff" | "json" | "marked" | "forwarded" | "introduced" | "comment" | "attached" | "document";

/** A text that the message carries and that is not the sender's own sentence. */
export interface Data extends Span {
  readonly kind: "data";
  readonly form: Form;
  /** What was written behind a fence, in lower case; `diff` and `json` where it looks like one; else "". */
  readonly language: string;
  /** Without fences and quotation marks. */
  readonly text: string;
  /** The first of its lines, from 1; 0 of what is attached. */
  readonly line: number;
  /** Whether the sender has ordered to apply it. Otherwise it is evidence, and never an order. */
  readonly isApplied: boolean;
}

export type Segment = Sentence | Data;

/** A message taken apart: its own sentences and the data between them, in their order. */
export interface Message {
  readonly text: string;
  readonly segments: readonly Segment[];
}
