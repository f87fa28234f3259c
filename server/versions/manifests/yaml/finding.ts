import type { Rule } from "../rules.ts";

/** Finding of a check of one reader's result, by offset in the text. */
export interface Finding {
  readonly offset: number;
  readonly rule: Rule;
  readonly message: string;
  readonly fix: string;
}
