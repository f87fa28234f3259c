import { compileSchema } from "../../../versions/manifests/schema/compile-schema.ts";
import type { Level } from "../../../semver/level.ts";
import { PLAN_SCHEMA } from "./plan-schema.ts";

/** Submission of a model, as schemas/architect-plan.schema.json has it. */
export interface Submission {
  readonly change?: SubmittedChange;
  readonly tune?: { readonly adjustments: readonly SubmittedAdjustment[] };
  readonly reject?: { readonly reason: string; readonly question: string };
}

export interface SubmittedChange {
  readonly title: string;
  readonly changes: readonly string[];
  readonly bump?: Level;
  readonly edits: readonly SubmittedEdit[];
}

export interface SubmittedEdit {
  readonly path: string;
  readonly text?: string;
  readonly replace?: readonly { readonly find: string; readonly with: string }[];
  readonly delete?: true;
}

export interface SubmittedAdjustment {
  readonly kind: "promote" | "revert" | "reset";
  readonly experiment: string;
  readonly arm?: string;
  readonly values?: Readonly<Record<string, string | number | boolean>>;
}

export type SubmissionRead =
  { readonly ok: true; readonly submission: Submission } | { readonly ok: false; readonly faults: readonly string[] };

/** Creates a reader that checks submissions against the schema; a fault is a sentence. */
export function createSubmissionReader(): (input: unknown) => SubmissionRead {
  const check = compileSchema(PLAN_SCHEMA);
  return (input) => {
    const violations = check(input);
    if (violations.length === 0) return { ok: true, submission: input as Submission };
    const faults = violations.map(({ path, message }) => `${path === "" ? "The plan" : path}: ${message}.`);
    return { ok: false, faults };
  };
}
