import type { TestResult } from "../../../examples/test-results.ts";
import type { AnswerChange } from "./compare-answers.ts";
import type { Finding } from "../../../semver/finding.ts";
import type { Level } from "../../../semver/level.ts";

/** Checks of a change before it may be proposed. */
export interface Verification {
  readonly status: "passed" | "failed";
  /** One of each kind, in the order in which they were made. */
  readonly checks: readonly VerifyCheck[];
  /** The least bump that the change needs; `none` where the tree makes no version. */
  readonly required: Level;
  /** Ways in which the versions differ, the largest bump first, and the tools that the change makes; absent where there is no version. */
  readonly difference?: { readonly findings: readonly Finding[]; readonly tools: readonly string[] };
  /** Results of the examples, with the candidate in place of a commit; absent where none ran. */
  readonly examples?: TestResult;
  /** Examples with other answers than before; absent where they were not compared. */
  readonly answers?: readonly AnswerChange[];
  /** Sentences about how later changes are made, which another person has to approve regardless of policies. */
  readonly concerns: readonly string[];
}

/** Numbers of what a change declares to be tried by. */
export interface Tried {
  readonly ran: number;
  readonly skipped: number;
}

export interface VerifyCheck {
  readonly name: "version" | "types" | "semver" | "examples" | "replay" | "tests" | "secrets";
  /** `skipped`: nothing was tried, or an earlier check has failed; the message says which. */
  readonly status: "passed" | "failed" | "skipped";
  /** Findings for the reviewer; for a failed check every fault with its place, up to some thousand characters. */
  readonly message: string;
  /** Declared commands or examples that ran, and those that did not; absent for checks of other kinds. */
  readonly tried?: Tried;
  readonly durationMs: number;
}
