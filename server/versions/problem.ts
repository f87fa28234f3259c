/** One thing that is wrong with a tree, said so that its author can put it right without asking. */
export interface Problem {
  /** Path inside the tree, with forward slashes. */
  readonly file: string;
  /** 1-based; 1:1 where the whole file is meant. */
  readonly line: number;
  readonly column: number;
  /** Stable, kebab-case: what kind of mistake this is. */
  readonly rule: string;
  /** Fault in one sentence, naming the offending value. */
  readonly message: string;
  /** Remedy. */
  readonly fix: string;
  /** Of callers: whoever has not all of these capabilities is not told what it is about. */
  readonly needs?: readonly string[];
}
