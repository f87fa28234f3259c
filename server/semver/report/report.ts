import type { Json } from "../../json/types.ts";
import type { Level } from "../level.ts";

/** One change in a report. */
export interface ReportEntry {
  readonly level: Level;
  readonly rule: string;
  readonly why: string;
  /** One sentence. */
  readonly message: string;
  readonly value?: Json;
  /** Sentence on the example: what came of it before, and what comes of it now. */
  readonly example?: string;
  /** Part of the surface, and its member. */
  readonly of?: string;
  /** Sentence on who accepts the change and why, which the verdict then leaves out of account. */
  readonly accepted?: string;
  /** Place in words, for lists that people read: a file with its line, or a path. */
  readonly where: string;
  /** Place in the files that are looked at; absent for what is in none of them. */
  readonly at?: { readonly file: string; readonly line: number; readonly column: number };
}

/** Difference as people and their tools read it: what it needs, then what was found, the largest bump first. */
export interface Report {
  /** Sentences, the most important first. */
  readonly verdict: readonly string[];
  readonly isRefused: boolean;
  readonly required: Level;
  readonly entries: readonly ReportEntry[];
  /** File that the verdict is about, where there is one. */
  readonly file?: string;
}
