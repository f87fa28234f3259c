import type { ExecuteContext, Outcome } from "../execute.ts";
import type { ClaimedTask } from "../work-tools.ts";
import type { Files } from "./folder.ts";
import { listChanges, toPatch } from "./to-patch.ts";

export interface Submission {
  readonly claimed: ClaimedTask;
  readonly context: ExecuteContext;
  /** Files of the workspace as they are. */
  readonly before: Files;
  /** Files that the workspace is to have. */
  readonly files: Files;
  /** The paths that differ from the commit of the run. */
  readonly changed: readonly string[];
  /** The program that has made the change. */
  readonly by: string;
  /** Hears that the workspace has the files. */
  readonly accept: () => void;
  readonly now: () => number;
}

/**
 * Brings a change into the workspace of a run, with a plan that names its files, and has the service do the steps that are
 * left. Resolves to what a step found wrong, or to the outcome.
 */
export async function submit(submission: Submission): Promise<{ outcome: Outcome } | { findings: string }> {
  const { claimed, context, before, files, changed, by, accept, now } = submission;
  const { client, signal } = context;
  const { run_id, task_id, title, objective } = claimed;
  const report = {
    schema_version: 1,
    task_id,
    run_id,
    timestamps: { created_at: new Date(now()).toISOString() },
    metrics: { files: changed.length },
    warnings: [],
    errors: [],
  };
  const write = (name: string, more: object) =>
    client.artifactWrite({ run_id, name, content: JSON.stringify({ ...report, ...more }) }, { signal });
  const plan = (paths: readonly string[]) =>
    write("plan.json", {
      status: "planned",
      objective: `${title}: ${objective}`,
      files: paths,
      instructions: `Done outside by \`${by}\`; its patch is applied as it is.`,
    });
  // What is put back as it was is written, too, and is no part of the change then.
  const written = [...new Set([...changed, ...listChanges(before, files)])];
  await plan(written);
  const patch = toPatch(before, files);
  if (patch !== "") {
    const applied = await client.fsApplyPatch({ run_id, patch }, { signal });
    if (applied.status === "rejected")
      return { findings: `The patch does not apply: ${JSON.stringify(applied.files)}` };
  }
  accept();
  if (written.length > changed.length) await plan(changed);
  await write("executor_report.json", { status: "completed", summary: `Done by \`${by}\`.`, files: changed });
  return advance(run_id, context);
}

/** Has the service do the steps that are left of a run. Resolves to what a step found wrong, or to the outcome. */
export async function advance(
  run_id: string,
  { client, signal, tell }: ExecuteContext,
): Promise<{ outcome: Outcome } | { findings: string }> {
  for (let last = ""; ;) {
    const { state, step = "", message } = await client.runAdvance({ run_id }, { signal });
    if (step !== "") {
      last = message === undefined ? step : `${step}: ${message}`;
      tell(last);
    }
    if (state === "failed") return { findings: last };
    if (state === "step") continue;
    if (state === "released") return { outcome: { status: state, summary: last, isGivenBack: true } };
    return {
      outcome: { status: state === "done" ? "completed" : "blocked", summary: last || "Nothing was to be done." },
    };
  }
}
