import { findWaitingRuns } from "../../capabilities/work/approvals/find-waiting-runs.ts";
import { toWaiting, type Waiting } from "../../capabilities/work/approvals/to-waiting.ts";
import { printable } from "../../text/printable.ts";
import type { WorkClient } from "../../worker/work-client.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { formatTable } from "../table.ts";
import { DATA_OPTION, withStore } from "../with-store.ts";
import { findMachineData } from "./data-of-machine.ts";
import { PATIENCE, withWorkServer, WORK_OPTIONS } from "./work-service.ts";

/** `cairn work waiting`: runs and calls that a person has to decide about. */
export const createWorkWaiting: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work waiting", description: "List what waits for an approval" },
    args: {
      json: { type: "boolean", description: "Print JSON" },
      ...DATA_OPTION,
      ...WORK_OPTIONS,
    },
    async run({ args }) {
      const data = await findMachineData(context, args);
      const found =
        data === undefined
          ? await withWorkServer(context, args, PATIENCE, askForWaiting)
          : await withStore({ context, command: "work waiting", data }, async (store) =>
              (await findWaitingRuns(store)).map(({ task, run }) => toWaiting(task, run)),
            );
      if (args.json === true) context.out(JSON.stringify(found, undefined, 2));
      else for (const line of describe(found)) context.out(line);
      return EXIT.OK;
    },
  });

async function askForWaiting(client: WorkClient): Promise<readonly Waiting[]> {
  const found: Waiting[] = [];
  for (let after: string | undefined; ;) {
    const page = await client.taskList({ status: "blocked", limit: 200, ...(after === undefined ? {} : { after }) });
    for (const task of page.tasks) {
      const { run } = await client.taskStatus({ task_id: task.task_id });
      // Of one that was handed over, its proposal waits, which has a run of its own.
      if (run?.status === "blocked" && run.proposal === undefined) found.push(toWaiting(task, run));
    }
    if (page.next === null) return found;
    after = page.next;
  }
}

function describe(waiting: readonly Waiting[]): readonly string[] {
  if (waiting.length === 0) return ["Nothing waits for an approval."];
  const rows = waiting.map(({ task_id, workflow, created_by, since, title }) =>
    [task_id, workflow, created_by, since, title].map(printable),
  );
  const reasons = waiting.flatMap(({ task_id, reason, warnings }) =>
    [reason, ...warnings].map((line) => printable(`${task_id}: ${line}`)),
  );
  return [formatTable(["TASK", "WORKFLOW", "ASKED BY", "SINCE", "TITLE"], rows), ...reasons];
}
