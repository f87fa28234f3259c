import { createTask } from "../../capabilities/work/create-task.ts";
import type { Landing } from "../../capabilities/work/proposals/propose-run.ts";
import { toAsked } from "../../capabilities/work/task.ts";
import { ARCHITECT } from "../../capabilities/work/workflows.ts";
import { ARCHITECT_CHAT } from "../../principal.ts";
import { HANDED_OVER } from "../../store/proposal-keys.ts";
import { toTime } from "../../text/to-time.ts";
import { assertRoom, MESSAGE_LIMIT } from "../pipeline/submit-feedback.ts";
import { openFeedback } from "../pipeline/feedback-record.ts";

/**
 * Creates what takes runs on as feedback: a record with a task of its own, in the transaction that hands the run over. It holds no
 * right but to ask for a change, for the one who has created the task; the branch is asked about the worker, too.
 *
 * @throws RATE_LIMITED
 */
export function createHandOver(now: () => number): Landing["handOver"] {
  return async (desk, { tenant, task, run, requester, worker }) => {
    const own = { ...desk, tenant, actor: requester.actor };
    await assertRoom(own);
    const message = `${task.title}\n\n${toAsked(task)}`.slice(0, MESSAGE_LIMIT).toWellFormed();
    const { task_id: id } = await createTask(own, { title: task.title, objective: message, workflow: ARCHITECT.name });
    openFeedback(own, {
      id,
      tenant,
      actor: requester.actor,
      capabilities: [ARCHITECT_CHAT],
      roles: requester.roles,
      servers: [],
      version: task.version,
      commit: run.commit,
      scope: desk.scope,
      message,
      attachments: [],
      dry_run: false,
      work: {
        task_id: task.task_id,
        run_id: run.run_id,
        worker: { tenant: worker.tenant, actor: worker.actor, roles: worker.roles },
      },
      created_at: toTime(now()),
    });
    desk.set(HANDED_OVER, id);
    return id;
  };
}
