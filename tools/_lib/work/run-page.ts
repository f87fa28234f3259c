import type { Context, GateReport, ProposalRecord, RunEvent, RunRecord, TaskRecord } from "../../../server/host-api.ts";
import { listFiles } from "./diff.ts";
import { readReport } from "./read-report.ts";

interface Plan {
  readonly files?: readonly string[];
  readonly instructions?: string;
  readonly steps?: readonly { readonly description: string }[];
  readonly impact?: readonly string[];
}

interface Verification {
  readonly status: string;
  readonly checks?: readonly Check[];
  readonly warnings?: readonly string[];
}

interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly message?: string;
}

interface Approval {
  readonly status: string;
  readonly approver: string;
  readonly approved_by?: string;
  readonly reason: string;
  readonly timestamps: { readonly created_at: string };
}

export interface Decision {
  readonly decision: string;
  readonly by: string;
  readonly reason: string;
  readonly at: string;
}

/** Answers about a run, in the order in which a reviewer asks. */
export interface RunPage {
  readonly run_id: string;
  readonly task_id: string;
  readonly workflow: string;
  readonly asked: {
    readonly title: string;
    readonly objective: string;
    readonly by: string;
    readonly at: string;
    /** Answers to questions about it, the oldest first. */
    readonly answers: readonly string[];
  };
  readonly planned: {
    readonly files: readonly string[];
    readonly steps: readonly string[];
    readonly impact: readonly string[];
  } | null;
  readonly changed: { readonly files: readonly string[]; readonly added: number; readonly removed: number } | null;
  /** All attempts at the steps, and what each check found. */
  readonly tried: {
    readonly attempt: number;
    readonly worker_id: string;
    readonly version: string;
    readonly commit: string;
    readonly steps: readonly { readonly name: string; readonly status: string; readonly message: string | null }[];
    /** Rounds before the last: steps that failed, and were done again. */
    readonly failed_before: readonly { readonly name: string; readonly at: string; readonly message: string | null }[];
    readonly checks: readonly (Check & { readonly by: "verifier" | "gate" })[];
    /** Sentences of the verifier, such as what was not tried. */
    readonly warnings: readonly string[];
  };
  readonly decided: {
    readonly risk_level: string | null;
    readonly approval: Decision | null;
  };
  /** The way of the change to the repository; null where the run was not handed over. */
  readonly landing: (ProposalRecord & { readonly approval: Decision | null }) | null;
  readonly outcome: { readonly status: string; readonly summary: string | null; readonly ended_at: string | null };
  readonly evidence: readonly { readonly name: string; readonly bytes: number; readonly digest: string }[];
}

/** Lines of the journal that are looked at for failed rounds. */
const EVENTS = 1_000;

/** Gathers the page of a run from its records and its evidence. Rejects with NOT_FOUND where there is no such run. */
export async function loadRunPage(ctx: Context, runId: string): Promise<RunPage> {
  const run = await ctx.work.runs.get(runId);
  const [{ task }, events, plan, verified, judged, approval, patch] = await Promise.all([
    ctx.work.tasks.get(run.task_id),
    ctx.work.runs.events(runId, { limit: EVENTS }),
    readReport<Plan>(ctx, runId, "plan.json"),
    readReport<Verification>(ctx, runId, "verifier_report.json"),
    readReport<GateReport>(ctx, runId, "gate_report.json"),
    readReport<Approval>(ctx, runId, "approval.json"),
    run.artifacts["patch.diff"] && ctx.work.evidence.read(runId, "patch.diff").then(({ content }) => content),
  ]);
  return {
    run_id: runId,
    task_id: run.task_id,
    workflow: run.workflow,
    asked: {
      title: task.title,
      objective: task.objective,
      by: task.created_by,
      at: task.timestamps.created_at,
      answers: (task.answers ?? []).map(({ text, reading }) => reading ?? text),
    },
    planned: plan === undefined ? null : toPlanned(plan),
    changed: patch === undefined ? null : { files: listFiles(patch), ...countLines(patch) },
    tried: {
      ...toAttempt(run, task),
      failed_before: findFailedBefore(run, events),
      checks: [
        ...(verified?.checks ?? []).map((check) => ({ ...check, by: "verifier" as const })),
        ...(judged?.checks ?? []).map((check) => ({ ...check, by: "gate" as const })),
      ],
      warnings: verified?.warnings ?? [],
    },
    decided: { risk_level: run.risk_level, approval: approval === undefined ? null : toDecision(approval) },
    landing: run.proposal === undefined ? null : await toLanding(ctx, run.proposal),
    outcome: toOutcome(run, task),
    evidence: Object.entries(run.artifacts).map(([name, { bytes, digest }]) => ({ name, bytes, digest })),
  };
}

function toPlanned({ files = [], instructions, steps = [], impact = [] }: Plan): RunPage["planned"] {
  const described = steps.map(({ description }) => description);
  const isSaid = described.length > 0 || instructions === undefined || instructions === "";
  return { files, steps: isSaid ? described : [instructions], impact };
}

/** Finds the failures of steps that were done again: what stands in `steps` is the last round. */
function findFailedBefore({ steps }: RunRecord, events: readonly RunEvent[]): RunPage["tried"]["failed_before"] {
  const failed = events.flatMap(({ event: { kind, at, details } }) => {
    const { step, message } = details;
    if (kind !== "step.failed" || typeof step !== "string") return [];
    return [{ name: step, at, message: typeof message === "string" ? message : null }];
  });
  return failed.filter(({ name, at }) => {
    const last = steps.find((one) => one.name === name);
    return last === undefined || last.status !== "failed" || failed.some((one) => one.name === name && one.at > at);
  });
}

/** `version` is the one that `commit` is of: a run may follow the workflow of a later one. */
function toAttempt({ attempt, worker_id, commit, steps }: RunRecord, { version }: TaskRecord) {
  const shown = steps.map(({ name, status, message = null }) => ({ name, status, message }));
  return { attempt, worker_id, version, commit, steps: shown };
}

/** Adds who has decided about the proposal itself, as its own run says. */
async function toLanding(ctx: Context, proposal: ProposalRecord): Promise<NonNullable<RunPage["landing"]>> {
  const { run_id } = proposal;
  const approval = run_id === null ? undefined : await readReport<Approval>(ctx, run_id, "approval.json");
  return { ...proposal, approval: approval === undefined ? null : toDecision(approval) };
}

function toDecision({ status, approver, approved_by: by = approver, reason, timestamps }: Approval): Decision {
  return { decision: status, by: by === approver ? by : `${approver} (${by})`, reason, at: timestamps.created_at };
}

function toOutcome(run: RunRecord, task: TaskRecord): RunPage["outcome"] {
  // A later attempt may have ended the task otherwise.
  const summary = task.run_id === run.run_id ? task.result_summary : null;
  return { status: run.status, summary: run.result_summary ?? summary, ended_at: run.timestamps.ended_at };
}

/** Lines of the hunks of a unified diff. */
function countLines(patch: string): { readonly added: number; readonly removed: number } {
  let [added, removed, isHunk] = [0, 0, false];
  for (const line of patch.split("\n")) {
    if (line.startsWith("@@ ")) isHunk = true;
    else if (line.startsWith("diff --git ")) isHunk = false;
    else if (isHunk && line.startsWith("+")) added++;
    else if (isHunk && line.startsWith("-")) removed++;
  }
  return { added, removed };
}
