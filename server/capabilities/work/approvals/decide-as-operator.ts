import { CairnError } from "../../../errors.ts";
import type { ChangeEvent } from "../../../kernel/audit/audit-event.ts";
import { toEventCommit } from "../../../kernel/audit/audit-event.ts";
import { joinParts, createTransaction, repeatStale } from "../../../kernel/transaction.ts";
import type { Store } from "../../../store/store.ts";
import { approveRun, type Decision } from "../approve-run.ts";
import type { Run } from "../run.ts";
import type { WaitingRun } from "./find-waiting-runs.ts";

export interface OperatorDecision extends Pick<Decision, "reason" | "decision"> {
  /** User of the machine who decides. */
  readonly actor: string;
}

export interface OperatorOptions {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Makes the members that every audit record has of its own. */
  readonly toHead: () => Pick<ChangeEvent, "schemaVersion" | "id" | "salt">;
}

/**
 * Decides about a run that waits, by the right of who has the data folder, with an entry in the audit log of its tenant. Who
 * may write there could give any role to anybody, so no role is asked for; but nobody approves what has the same name behind it.
 *
 * @throws what `approveRun` does, and CONFLICT when others change the run all the time.
 */
export async function decideAsOperator(
  { store, now, toHead }: OperatorOptions,
  { tenant, scope, task, run }: WaitingRun,
  { actor, reason, decision }: OperatorDecision,
): Promise<Run> {
  const attempt = async () => {
    const transaction = createTransaction(store);
    const at = now();
    const desk = { ...transaction, tenant, scope, actor, servesAll: false, now: at, time: now };
    const ids = { taskId: task.task_id, runId: run.run_id };
    const decided = { ...ids, approver: actor, reason, decision, decider: { right: "operator" } } as const;
    const result = await approveRun(desk, decided);
    const details = { task_id: task.task_id, workflow: run.workflow, reason };
    const change = decision === "approved" ? "work.approved" : "work.rejected";
    const event = { ...toHead(), kind: "change", tenant, at, change, actor, target: run.run_id, details } as const;
    const { ok } = await store.commit(joinParts(transaction.staged(), toEventCommit([event])));
    return { ok, result };
  };
  const { ok, result } = await repeatStale(attempt, (done) => !done.ok);
  if (!ok) throw new CairnError("CONFLICT", "The run was changed by others all the time; try again.");
  return result;
}
