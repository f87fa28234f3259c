import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { PATIENCE, withWorkServer, WORK_OPTIONS } from "./work-service.ts";
import { defined } from "../../json/defined.ts";

/** `cairn work cancel`: ends a task before it is done. */
export const createWorkCancel: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work cancel", description: "End a task before it is done" },
    args: {
      task: { type: "positional", required: true, description: "The task's id" },
      reason: { type: "string", description: "Why (default: cancelled)" },
      ...WORK_OPTIONS,
    },
    run: ({ args: { task: task_id, reason, ...args } }) =>
      withWorkServer(context, args, PATIENCE, async (client) => {
        const { status } = await client.taskCancel({ task_id, ...defined({ reason }) });
        context.out(`Task ${task_id} is ${status}.`);
        return EXIT.OK;
      }),
  });
