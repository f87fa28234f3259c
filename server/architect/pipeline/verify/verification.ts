import type { TestResult } from "../../../examples/test-results.ts";
import type { Level } from "../../../semver/level.ts";

/** What was tried of a change before it may be proposed. */
export interface Verification {
  readonly status: "passed" | "failed";
  /** One of each kind, in the order in which they were made. */
  readonly checks: readonly VerifyCheck[];
  /** The least bump that the change needs; `none` where the tree makes no version. */
  readonly required: Level;
  /** How the examples come out, with what stands in the place of a commit; absent where none were tried. */
  readonly examples?: TestResult;
  /** What of it somebody else has to approve, whatever policies say: sentences about how later changes come about. */
  readonly concerns: readonly string[];
}

export interface VerifyCheck {
  readonly name: "version" | "types" | "semver" | "examples" | "replay" | "tests" | "secrets";
  /** `skipped`: nothing was tried, or an earlier check has failed; the message says which. */
  readonly status: "passed" | "failed" | "skipped";
  /** What was found, for the reviewer; of what failed everything that is wrong, with its place, up to some thousand characters. */
  readonly message: string;
  readonly durationMs: number;
}
