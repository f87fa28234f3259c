import { printable } from "../../text/printable.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { PATIENCE, withWorkServer, WORK_OPTIONS } from "./work-service.ts";

/** `cairn work answer`: answers what the planners ask about a task. */
export const createWorkAnswer: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work answer", description: "Answer what is asked about a task, as `work status` shows it" },
    args: {
      task: { type: "positional", required: true, description: "The task's id" },
      answer: { type: "positional", required: true, description: "The letter of a reading, or an answer in words" },
      ...WORK_OPTIONS,
    },
    run: ({ args: { task: task_id, answer, ...args } }) =>
      withWorkServer(context, args, PATIENCE, async (client) => {
        const { status, reading } = await client.taskAnswer({ task_id, answer });
        context.out(printable(`Task ${task_id} is ${status}${reading === undefined ? "" : `: ${reading}`}`));
        return EXIT.OK;
      }),
  });
