import type { Redactor } from "../../../log/redact.ts";
import type { ChangePlan, Feedback, Plan } from "../plan.ts";
import type { Ground } from "../planner.ts";
import { applyEdits } from "./apply-edits.ts";
import { judgeTuning } from "./judge-tuning.ts";
import type { ModelLimits } from "./model-limits.ts";
import type { createSubmissionReader, Submission, SubmittedChange } from "./read-submission.ts";
import { toRejectPlan } from "./to-reject-plan.ts";

/** A draft that may become the plan, or what is wrong with it, which the model may put right. */
export type Judged =
  | {
      readonly plan: Plan;
      /** Why somebody would have to approve it, in sentences. */
      readonly approvals: readonly string[];
    }
  | { readonly faults: readonly string[] };

/** The drafts of one plan, tried one after the other. */
export interface Drafts {
  /** Judges a draft: its form, its edits, the guard, and verification. The same draft is verified once. */
  judge(input: unknown): Promise<Judged>;
  /** Counts an answer that is no draft at all as a faulty one. */
  miss(fault: string): Judged;
  /** Faulty drafts so far. */
  count(): number;
  /** Tells whether no repair is left. */
  isSpent(): boolean;
  /** Lists the faults of the draft that came nearest. */
  best(): readonly string[];
}

/** How far a draft came: what fails later is nearer to a plan. */
const STAGES = ["form", "edits", "trial"] as const;

interface Faulty {
  readonly stage: (typeof STAGES)[number];
  readonly faults: readonly string[];
}

type Tried = Faulty | Extract<Judged, { readonly plan: Plan }>;

export function createDrafts(options: {
  readonly feedback: Feedback;
  readonly ground: Ground;
  readonly redactor: Redactor;
  readonly limits: ModelLimits;
  readonly readSubmission: ReturnType<typeof createSubmissionReader>;
}): Drafts {
  const { feedback, ground, redactor, limits, readSubmission } = options;
  const known = new Map<string, Tried>();
  let count = 0;
  let best: Faulty | undefined;

  function note(faulty: Faulty): Judged {
    count += 1;
    const rank = ({ stage, faults }: Faulty) => STAGES.indexOf(stage) * 1000 - faults.join("\n").split("\n").length;
    if (best === undefined || rank(faulty) > rank(best)) best = faulty;
    return { faults: faulty.faults };
  }

  async function tryDraft({ change, tune, reject }: Submission): Promise<Tried> {
    if (reject !== undefined) return { plan: toRejectPlan(reject, redactor), approvals: [] };
    if (tune !== undefined) {
      const plan = judgeTuning(tune.adjustments, ground.version);
      if (plan.kind === "tune") return { plan, approvals: [] };
      return { stage: "edits", faults: [`${plan.reason} ${plan.accepted}`] };
    }
    if (change === undefined) return { stage: "form", faults: ["The plan has none of `change`, `tune` and `reject`."] };
    const applied = await toChangePlan(change, ground, limits);
    if ("faults" in applied) return applied;
    const { findings, approvals } = await ground.tryPlan(applied.plan, feedback);
    return findings.length > 0 ? { stage: "trial", faults: findings } : { plan: applied.plan, approvals };
  }

  return Object.freeze<Drafts>({
    async judge(input) {
      const read = readSubmission(input);
      if (!read.ok) return note({ stage: "form", faults: read.faults });
      const key = JSON.stringify(read.submission);
      const tried = known.get(key) ?? (await tryDraft(read.submission));
      known.set(key, tried);
      return "faults" in tried ? note(tried) : tried;
    },
    miss: (fault) => note({ stage: "form", faults: [fault] }),
    count: () => count,
    isSpent: () => count > limits.repairs,
    best: () => best?.faults ?? [],
  });
}

/** Makes the plan of a submitted change. */
async function toChangePlan(
  { title, changes, bump, edits }: SubmittedChange,
  ground: Ground,
  limits: ModelLimits,
): Promise<{ readonly plan: ChangePlan } | Faulty> {
  const texts = new Map<string, string | undefined>();
  const listed = new Set(ground.files);
  for (const { path } of edits) if (listed.has(path)) texts.set(path, await ground.readText(path));
  const applied = applyEdits(edits, (path) => texts.get(path), limits);
  if (!applied.ok) return { stage: "edits", faults: applied.faults };
  const changed = applied.files.filter(({ before, after }) => before !== after);
  const plan: ChangePlan = {
    kind: "change",
    title,
    changes,
    files: new Map(changed.map(({ path, after }) => [path, after ?? null])),
    ...(bump === undefined ? {} : { bump }),
  };
  return { plan };
}
