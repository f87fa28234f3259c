import { CairnError } from "../../../errors.ts";
import type { Principal } from "../../../principal.ts";
import { toTime } from "../../../text/to-time.ts";
import type { ProposalRecord } from "../api.ts";
import { findHeldRun, findTask, note, saveRun, type WorkDesk } from "../desk.ts";
import { explainStale, readArtifact, readReport } from "../evidence.ts";
import { changeRun, type Run } from "../run.ts";
import { endStep, findNextStep } from "../steps.ts";
import type { Task } from "../task.ts";
import { PATCH } from "../workflows.ts";
import { type Contributor, findRequester, toContributor } from "./requester.ts";

/** A run whose change is to land, with those who answer for it. */
export interface HandedRun {
  /** Tenant of the task. */
  readonly tenant: string;
  readonly task: Task;
  readonly run: Run;
  readonly requester: Contributor;
  readonly worker: Contributor;
}

/** Taker of the changes of runs to the repository. */
export interface Landing {
  /** Stages the record of a change that is on its way; resolves to its id. */
  readonly handOver: (desk: WorkDesk, handed: HandedRun) => Promise<string>;
  /** Reason why nothing can land here; absent: it can. */
  readonly whyNot?: string;
}

export interface ProposeRequest {
  readonly runId: string;
  /** The tool that asks for it: only the step of the workflow whose tool it is hands a run over. */
  readonly tool: string;
  readonly principal: Principal;
}

/** Outcome of handing a run over. */
export interface HandedOver {
  readonly status: "proposed" | "by_hand" | "nothing";
  readonly message: string;
}

/**
 * Hands the change of a run over, once: from then on the run is no worker's, and waits for what comes of its change. All of it is in
 * one transaction with the run's own fence, so that no lease that was lost, no cancelled run and no second call hands it over.
 *
 * What is handed over is the patch that the verifier has tried. A worker that changes files behind the gate's back, or has others
 * verified after somebody has approved these, gets CONFLICT.
 *
 * @throws what `findHeldRun` does; CONFLICT for a run whose gate has not passed, or has judged something else.
 */
export async function proposeRun(
  desk: WorkDesk,
  { runId, tool, principal }: ProposeRequest,
  landing: Landing | undefined,
): Promise<HandedOver> {
  const { tenant, record: run } = await findHeldRun(desk, runId);
  const step = findNextStep(desk, run);
  if (step?.tool !== tool) throw new CairnError("CONFLICT", `\`${tool}\` is not the next step of run \`${runId}\`.`);
  const { record: task } = await findTask(desk, run.task_id);
  const patch = (await readArtifact(desk, tenant, run, PATCH)) ?? "";
  if (patch.trim() === "") return { status: "nothing", message: "Nothing has changed." };
  await assertJudged(desk, tenant, run);
  const requester = await findRequester(desk, tenant, task.task_id);
  const worker = toContributor(principal);
  const why = explainByHand(requester, worker, landing);
  if (why !== undefined || requester === undefined || landing === undefined) {
    const message = `${why} The change is \`${PATCH}\` of this run: \`cairn work artifact ${task.task_id} ${runId} ${PATCH} | git apply\` makes it in a checkout.`;
    save(desk, tenant, run, { state: "by_hand", feedback: null, reason: message });
    return { status: "by_hand", message };
  }
  const feedback = await landing.handOver(desk, { tenant, task, run, requester, worker });
  const message = `Handed to the Architect as the task ${feedback}.`;
  const waits = { runId, step: step.name, status: "blocked", beganAt: desk.now, message } as const;
  const blocked = await endStep(desk, waits);
  save(desk, tenant, blocked, { state: "verifying", feedback });
  return { status: "proposed", message };
}

/** @throws CONFLICT unless what was verified last is what the gate has judged and somebody may have approved. */
async function assertJudged(desk: WorkDesk, tenant: string, run: Run): Promise<void> {
  const { run_id } = run;
  for (const name of ["verifier_report.json", "gate_report.json"]) {
    const status = (await readReport(desk, tenant, run, name))?.["status"];
    if (status === "passed") continue;
    throw new CairnError("CONFLICT", `Run \`${run_id}\` cannot be proposed: its \`${name}\` does not say \`passed\`.`);
  }
  const stale = explainStale(run, [PATCH]);
  if (stale !== undefined) throw new CairnError("CONFLICT", `Run \`${run_id}\` cannot be proposed: ${stale}`);
}

/** Finds why the service must leave a change to people; undefined where it need not. */
function explainByHand(
  requester: Contributor | undefined,
  worker: Contributor,
  landing: Landing | undefined,
): string | undefined {
  if (landing === undefined) return "It is not proposed: nothing here changes the repository.";
  if (landing.whyNot !== undefined) return `It is not proposed: ${landing.whyNot}`;
  if (requester === undefined)
    return "It is not proposed: no caller has created this task, so nobody has asked for a change of the repository.";
  const lacking = [requester, worker].find(({ mayPropose }) => !mayPropose);
  if (lacking === undefined) return undefined;
  const who = lacking === requester ? "has created this task" : "does it";
  return `It is not proposed: \`${lacking.actor}\`, who ${who}, may not have the repository changed (\`architect:chat\`, with credentials of the scope \`architect\`).`;
}

function save(
  desk: WorkDesk,
  tenant: string,
  run: Run,
  { state, feedback, reason }: Pick<ProposalRecord, "state" | "feedback" | "reason">,
): void {
  const proposal: ProposalRecord = {
    state,
    since: toTime(desk.now),
    feedback,
    run_id: null,
    ...(reason === undefined ? {} : { reason }),
  };
  saveRun(desk, tenant, changeRun(run, desk.now, { proposal }));
  note(desk, tenant, run, `proposal.${state}`, feedback === null ? {} : { feedback });
}
