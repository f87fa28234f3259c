import { entryKey, findRun, findTask, note, type RecordDesk, saveRun, saveTask } from "../desk.ts";
import { changeRun, type Run } from "../run.ts";
import { changeTask } from "../task.ts";
import { toTime } from "../../../text/to-time.ts";
import type { ProposalRecord } from "../api.ts";

/** The outcome of a proposal for its run. */
export interface Settled {
  readonly summary: string;
  readonly hasLanded: boolean;
  /** True if another attempt at the task may mend what it was refused for. */
  readonly isMendable: boolean;
}

/**
 * Writes into a run how its proposal stands, and ends run and task once that is settled. One that was refused goes back to the workers
 * with the findings, where another attempt may mend it and the workflow allows one. A run that somebody has ended meanwhile stays so.
 */
export async function followProposal(
  desk: RecordDesk,
  runId: string,
  now: Omit<ProposalRecord, "since">,
  settled?: Settled,
): Promise<void> {
  const { tenant, record: run } = await findRun(desk, runId);
  const { proposal: was } = run;
  if (was?.feedback !== now.feedback) return;
  const since = was.state === now.state ? was.since : toTime(desk.now);
  const changed = changeRun(run, desk.now, { proposal: { ...now, since } });
  if (was.state !== now.state) note(desk, tenant, run, `proposal.${now.state}`, toDetails(now));
  if (settled === undefined || run.status !== "blocked") saveRun(desk, tenant, changed);
  else await settle(desk, tenant, changed, settled);
}

async function settle(desk: RecordDesk, tenant: string, run: Run, settled: Settled): Promise<void> {
  const { summary, hasLanded, isMendable } = settled;
  const { record: task } = await findTask(desk, run.task_id);
  const isRepeated = !hasLanded && isMendable && task.attempts < task.max_attempts;
  const status = hasLanded ? "completed" : isMendable ? "failed" : "rejected";
  const steps = run.steps.map((step) =>
    step.status === "blocked"
      ? {
          ...step,
          status: hasLanded ? ("completed" as const) : ("failed" as const),
          ended_at: toTime(desk.now),
          message: summary,
        }
      : step,
  );
  saveRun(desk, tenant, changeRun(run, desk.now, { status, steps, result_summary: summary }));
  note(desk, tenant, run, `run.${status}`, { summary });
  const after = isRepeated ? "pending" : hasLanded ? "completed" : isMendable ? "dead" : "rejected";
  saveTask(desk, tenant, changeTask(task, desk.now, { status: after, result_summary: summary }));
  if (isRepeated) desk.set(entryKey(tenant, desk.scope, task), task.task_id);
}

function toDetails({ url, branch, version, commit, reason }: Omit<ProposalRecord, "since">) {
  const all = { url, branch: url === undefined ? branch : undefined, version, commit, reason };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
