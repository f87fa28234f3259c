/** A range of a text, in UTF-16 units; `end` is the first that no longer belongs to it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Effect of a sentence. `imperative` asks for something, as an order, a request or a wish. `condition` depends on
 * something else. `negation` denies or forbids something. `report` states something or passes on words of others, and
 * also covers fragments without a verb.
 */
export type Mood = "imperative" | "question" | "condition" | "negation" | "report";

/** A sentence in the sender's own words. */
export interface Sentence extends Span {
  readonly kind: "sentence";
  /** As people see it: without what has no width, with plain line breaks, and without the sign of a list item before it. */
  readonly text: string;
  readonly mood: Mood;
  /** True if the sentence only introduces data, such as `Here is the log of yesterday:`, and asks for nothing. */
  readonly introduces: boolean;
}

/**
 * Form of data. `fenced`, `indented`, `diff` and `json` are blocks; `marked` has a quotation mark before each line (`>`)
 * or tags around it; `forwarded` follows the head of a mail; `introduced` follows a sentence that announces words of
 * another person; `comment` is in an HTML comment, which readers do not see; `attached` came with the message; `document`
 * is a message that is nothing but JSON or a diff.
 */
export type Form =
  "fenced" | "indented" | "diff" | "json" | "marked" | "forwarded" | "introduced" | "comment" | "attached" | "document";

/** A text that the message carries and that is not the sender's own sentence. */
export interface Data extends Span {
  readonly kind: "data";
  readonly form: Form;
  /** Language behind the fence, in lower case; `diff` and `json` where the block looks like one; else "". */
  readonly language: string;
  /** Without fences and quotation marks. */
  readonly text: string;
  /** The first of its lines, from 1; 0 of what is attached. */
  readonly line: number;
  /** True if the sender ordered to apply it. Otherwise it is evidence, and never an order. */
  readonly isApplied: boolean;
  /** True if the sender puts it forward as what is to be, without an order: nothing of it is done unasked. */
  readonly isOffered: boolean;
}

export type Segment = Sentence | Data;

/** A message taken apart: its own sentences and the data between them, in their order. */
export interface Message {
  readonly text: string;
  readonly segments: readonly Segment[];
}
