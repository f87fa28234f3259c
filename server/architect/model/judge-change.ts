import type { Redactor } from "../../redact.ts";
import { findChangeFaults } from "../overreach/find-change-faults.ts";
import { findPathFaults } from "../overreach/find-path-faults.ts";
import { refuseOverreach } from "../overreach/refuse-overreach.ts";
import type { ChangePlan, Feedback, RejectPlan } from "../plan.ts";
import type { Ground } from "../planner.ts";
import { applyEdits } from "./apply-edits.ts";
import type { ModelLimits } from "./model-limits.ts";
import type { SubmittedChange } from "./read-submission.ts";

export interface JudgedChange {
  readonly plan: ChangePlan;
  readonly touchesPolicies: boolean;
}

/** A change to plan, a rejection, or in sentences what the model may put right. */
export type ChangeJudgement = JudgedChange | RejectPlan | { readonly faults: readonly string[] };

/** Holds a change that a model has submitted to everything that plans of models are held to. */
export async function judgeChange(
  { title, changes, bump, edits }: SubmittedChange,
  feedback: Feedback,
  ground: Ground,
  redactor: Redactor,
  limits: ModelLimits,
): Promise<ChangeJudgement> {
  const texts = new Map<string, string | undefined>();
  const listed = new Set(ground.files);
  for (const { path } of edits) if (listed.has(path)) texts.set(path, await ground.readText(path));
  const isText = (path: string) => texts.get(path) !== undefined;
  const wrongPaths = findPathFaults(
    edits.map(({ path }) => path),
    { files: ground.files, isText },
  );
  if (wrongPaths.length > 0) return refuseOverreach(wrongPaths, redactor);
  const applied = applyEdits(edits, (path) => texts.get(path), limits);
  if (!applied.ok) return { faults: applied.faults };
  const { files } = applied;
  const said: readonly (readonly [string, string])[] = [
    ["title", title],
    ...changes.map((change, index) => [`change ${index + 1}`, change] as const),
  ];
  // Only what the model was shown can it have copied.
  const shown = feedback.attachments.slice(0, limits.attachments).map((attachment) => {
    return { ...attachment, text: attachment.text.slice(0, limits.attachmentCharacters) };
  });
  const seen = { message: feedback.message, attachments: shown };
  const findings = findChangeFaults({ files, said }, seen, ground.version, redactor);
  if (findings.length > 0) return refuseOverreach(findings, redactor);
  const plan: ChangePlan = {
    kind: "change",
    title,
    changes,
    files: new Map(
      files.filter(({ before, after }) => before !== after).map(({ path, after }) => [path, after ?? null]),
    ),
    ...(bump === undefined ? {} : { bump }),
  };
  return { plan, touchesPolicies: files.some(({ path }) => path.startsWith("manifests/policies/")) };
}
