import type { ChangePlan } from "../plan.ts";
import type { Ground } from "../planner.ts";
import { applyEdits } from "./apply-edits.ts";
import type { ModelLimits } from "./model-limits.ts";
import type { SubmittedChange } from "./read-submission.ts";

export interface JudgedChange {
  readonly plan: ChangePlan;
  readonly touchesPolicies: boolean;
}

/** The plan that a submitted change makes, or in sentences what the model may put right about its form. */
export async function judgeChange(
  { title, changes, bump, edits }: SubmittedChange,
  ground: Ground,
  limits: ModelLimits,
): Promise<JudgedChange | { readonly faults: readonly string[] }> {
  const texts = new Map<string, string | undefined>();
  const listed = new Set(ground.files);
  for (const { path } of edits) if (listed.has(path)) texts.set(path, await ground.readText(path));
  const applied = applyEdits(edits, (path) => texts.get(path), limits);
  if (!applied.ok) return { faults: applied.faults };
  const changed = applied.files.filter(({ before, after }) => before !== after);
  const plan: ChangePlan = {
    kind: "change",
    title,
    changes,
    files: new Map(changed.map(({ path, after }) => [path, after ?? null])),
    ...(bump === undefined ? {} : { bump }),
  };
  return { plan, touchesPolicies: applied.files.some(({ path }) => path.startsWith("manifests/policies/")) };
}
