import { printable } from "../../text/printable.ts";
import { isAsking } from "../../capabilities/work/task.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readNumber } from "../read-number.ts";
import { formatTable } from "../table.ts";
import { PATIENCE, withWorkServer, WORK_OPTIONS } from "./work-service.ts";
import { defined } from "../../json/defined.ts";

/** `cairn work list`: tasks, newest first. */
export const createWorkList: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work list", description: "List tasks, newest first" },
    args: {
      status: {
        type: "enum",
        options: ["pending", "running", "blocked", "completed", "rejected", "cancelled", "dead"],
        description: "Only those that stand so",
      },
      limit: { type: "string", valueHint: "number", description: "At most so many (default: 50)" },
      after: { type: "string", valueHint: "task", description: "Only older ones than this task" },
      json: { type: "boolean", description: "As the service says it" },
      ...WORK_OPTIONS,
    },
    async run({ args }) {
      const { out, err } = context;
      const limit = readNumber("limit", args.limit, { otherwise: 50, min: 1, max: 200, isWhole: true });
      const filter = {
        limit,
        ...defined({ status: args.status, after: args.after }),
      };
      return withWorkServer(context, args, PATIENCE, async (client) => {
        const page = await client.taskList(filter);
        if (args.json === true) {
          out(JSON.stringify(page, undefined, 2));
          return EXIT.OK;
        }
        const rows = page.tasks.map((task) => [
          task.task_id,
          isAsking(task) ? `${task.status}, asks` : task.status,
          task.priority,
          task.workflow,
          printable(task.title),
        ]);
        out(rows.length === 0 ? "There are no such tasks." : formatTable(HEAD, rows));
        if (page.next !== null) err(`There may be more: \`--after ${page.next}\`.`);
        return EXIT.OK;
      });
    },
  });

const HEAD = ["TASK", "STATUS", "PRIORITY", "WORKFLOW", "TITLE"];
