import type { PlanQuestion } from "../../capabilities/knowledge/api.ts";
import { printable } from "../../text/printable.ts";
import type { ProposalRecord } from "../../capabilities/work/api.ts";
import { isAsking } from "../../capabilities/work/task.ts";
import type { TaskStatus } from "../../worker/work-tools.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { PATIENCE, withWorkServer, WORK_OPTIONS } from "./work-service.ts";

/** `cairn work status`: a task, its latest run, and the evidence of that. */
export const createWorkStatus: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work status", description: "Say how far a task is" },
    args: {
      task: { type: "positional", required: true, description: "The task's id" },
      json: { type: "boolean", description: "As the service says it" },
      ...WORK_OPTIONS,
    },
    run: ({ args }) =>
      withWorkServer(context, args, PATIENCE, async (client) => {
        const status = await client.taskStatus({ task_id: args.task });
        if (args.json === true) context.out(JSON.stringify(status, undefined, 2));
        else for (const line of describe(status)) context.out(printable(line));
        return EXIT.OK;
      }),
  });

function describe({
  task_id,
  title,
  status,
  priority,
  workflow,
  attempts,
  result_summary,
  question,
  run,
}: TaskStatus): string[] {
  const lines = [
    `task      ${task_id}`,
    `title     ${title}`,
    `status    ${status}`,
    `priority  ${priority}`,
    `workflow  ${workflow}`,
    `attempts  ${attempts}`,
    ...(result_summary === null ? [] : [`result    ${result_summary}`]),
    ...(question !== undefined && isAsking({ status, question }) ? describeQuestion(task_id, question) : []),
  ];
  if (run === null) return lines;
  const { run_id, worker_id, lease, risk_level, steps, artifacts, warnings = [], proposal } = run;
  return [
    ...lines,
    `run       ${run_id} (${run.status})`,
    `worker    ${worker_id}${run.status === "running" ? `, until ${lease.expires_at}` : ""}`,
    ...(risk_level === null ? [] : [`risk      ${risk_level}`]),
    ...warnings.map((warning) => `warning   ${warning}`),
    ...steps.map(
      (step) => `step      ${step.name}: ${step.status}${step.message === undefined ? "" : `, ${step.message}`}`,
    ),
    ...(proposal === undefined ? [] : [`proposal  ${describeProposal(proposal)}`]),
    ...Object.entries(artifacts).map(([name, { bytes }]) => `evidence  ${name} (${bytes} bytes)`),
  ];
}

/** One line: where it stands, and by what it can be found. */
function describeProposal({ state, since, url, branch, version, commit, feedback }: ProposalRecord): string {
  const where = [url ?? (branch === undefined ? undefined : `branch ${branch}`), version, commit?.slice(0, 12)];
  const task = state === "approval" && feedback !== null ? `task ${feedback}` : undefined;
  return [`${state.replace("_", " ")} since ${since}`, ...where, task].filter((part) => part !== undefined).join(", ");
}

/** Describes what the planners ask about a task, and the command that answers. */
export function describeQuestion(taskId: string, { text, readings = [] }: PlanQuestion): readonly string[] {
  const how = readings.length === 0 ? "'...'" : (readings[0]?.id ?? "");
  return [
    `asks      ${text}`,
    ...readings.map(({ id, title }) => `reading   ${id}: ${title}`),
    `answer    cairn work answer ${taskId} ${how}`,
  ];
}
