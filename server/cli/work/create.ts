import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { CairnError } from "../../errors.ts";
import { createCommand, type CreateCommand, type CliContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readRepeated } from "../repeated.ts";
import { PATIENCE, withWorkServer, WORK_OPTIONS } from "./work-service.ts";
import { defined } from "../../json/defined.ts";

/** `cairn work create`: prints the id of the task, and nothing else there. */
export const createWorkCreate: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work create", description: "Ask for something to be done; prints the task's id" },
    args: {
      title: { type: "string", required: true, description: "A line that says what it is" },
      "objective-file": {
        type: "string",
        required: true,
        valueHint: "path",
        description: "File that says what is to be reached; `-` is standard input",
      },
      priority: {
        type: "enum",
        options: ["critical", "high", "medium", "low"],
        default: "medium",
        description: "Which goes first",
      },
      workflow: { type: "string", description: "The workflow to follow (default: the version's own)" },
      requires: { type: "string", description: "What a worker must be able to do; may stand several times" },
      ...WORK_OPTIONS,
    },
    async run({ args, rawArgs }) {
      const { title, priority, workflow } = args;
      const requires = readRepeated(rawArgs, "requires");
      const objective = await loadObjective(context, args["objective-file"]);
      return withWorkServer(context, args, PATIENCE, async (client) => {
        const created = await client.taskCreate({
          title,
          objective,
          priority,
          ...defined({ workflow }),
          ...(requires.length === 0 ? {} : { requires }),
        });
        context.out(created.task_id);
        if (workflow === undefined) context.err(`cairn: the task follows the workflow \`${created.workflow}\``);
        return EXIT.OK;
      });
    },
  });

async function loadObjective({ folder, input }: CliContext, file: string): Promise<string> {
  if (file === "-") return text(input());
  return readFile(resolve(folder, file), "utf8").catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `The file \`${file}\` of \`--objective-file\` cannot be read.`, { cause });
  });
}
