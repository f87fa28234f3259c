import { findAskingTasks, findWaitingRuns } from "../../capabilities/work/approvals/find-waiting-runs.ts";
import { toWaiting, type Waiting } from "../../capabilities/work/approvals/to-waiting.ts";
import type { TaskRecord } from "../../capabilities/work/api.ts";
import { isAsking } from "../../capabilities/work/task.ts";
import { printable } from "../../text/printable.ts";
import type { WorkClient } from "../../worker/work-client.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { formatTable } from "../table.ts";
import { DATA_OPTION, withStore } from "../with-store.ts";
import { findMachineData } from "./data-of-machine.ts";
import { describeQuestion } from "./status.ts";
import { PATIENCE, withWorkServer, WORK_OPTIONS } from "./work-service.ts";

/** Task whose planners ask its creator something. */
type Asking = Pick<TaskRecord, "task_id" | "title" | "workflow" | "created_by" | "question"> & {
  /** RFC 3339, in UTC. */
  readonly since: string;
};

interface Found {
  readonly approvals: readonly Waiting[];
  readonly questions: readonly Asking[];
}

const ON_THE_MACHINE = "On the machine of the service, `cairn work waiting --data <its data folder>` lists what waits.";

/** `cairn work waiting`: runs and calls that a person has to decide about, and questions that the creators of tasks answer. */
export const createWorkWaiting: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work waiting", description: "List what waits for people: approvals, and answers to questions" },
    args: {
      json: { type: "boolean", description: "Print JSON; what has a `question` waits for an answer" },
      ...DATA_OPTION,
      ...WORK_OPTIONS,
    },
    async run({ args }) {
      const data = await findMachineData(context, args);
      const { approvals, questions } =
        data === undefined
          ? await withWorkServer(context, { ...args, instead: ON_THE_MACHINE }, PATIENCE, askForWaiting)
          : await withStore({ context, command: "work waiting", data }, async (store) => ({
              approvals: (await findWaitingRuns(store)).map(({ task, run }) => toWaiting(task, run)),
              questions: (await findAskingTasks(store)).map(toAsking),
            }));
      if (args.json === true) context.out(JSON.stringify([...approvals, ...questions], undefined, 2));
      else for (const line of describe(approvals, questions)) context.out(line);
      return EXIT.OK;
    },
  });

async function askForWaiting(client: WorkClient): Promise<Found> {
  const approvals: Waiting[] = [];
  for await (const task of listTasks(client, "blocked")) {
    const { run } = await client.taskStatus({ task_id: task.task_id });
    // Of one that was handed over, its proposal waits, which has a run of its own.
    if (run?.status === "blocked" && run.proposal === undefined) approvals.push(toWaiting(task, run));
  }
  const questions: Asking[] = [];
  for await (const task of listTasks(client, "pending")) if (isAsking(task)) questions.push(toAsking(task));
  return { approvals, questions };
}

async function* listTasks(client: WorkClient, status: TaskRecord["status"]): AsyncGenerator<TaskRecord> {
  for (let after: string | undefined; ;) {
    const page = await client.taskList({ status, limit: 200, ...(after === undefined ? {} : { after }) });
    yield* page.tasks;
    if (page.next === null) return;
    after = page.next;
  }
}

function toAsking({ task_id, title, workflow, created_by, timestamps, question }: TaskRecord): Asking {
  return { task_id, title, workflow, created_by, since: timestamps.updated_at, ...(question && { question }) };
}

function describe(approvals: readonly Waiting[], questions: readonly Asking[]): readonly string[] {
  const all = [...approvals, ...questions];
  if (all.length === 0) return ["Nothing waits for an approval or an answer."];
  const rows = all.map(({ task_id, workflow, created_by, since, title }) =>
    [task_id, workflow, created_by, since, title].map(printable),
  );
  const reasons = approvals.flatMap(({ task_id, reason, warnings }) =>
    [reason, ...warnings].map((line) => `${task_id}: ${line}`),
  );
  const asked = questions.flatMap(({ task_id, question }) =>
    question === undefined ? [] : describeQuestion(task_id, question).map((line) => `${task_id}: ${line}`),
  );
  return [
    formatTable(["TASK", "WORKFLOW", "ASKED BY", "SINCE", "TITLE"], rows),
    ...[...reasons, ...asked].map(printable),
  ];
}
