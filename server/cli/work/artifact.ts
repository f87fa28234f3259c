import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { PATIENCE, printText, withWorkServer, WORK_OPTIONS } from "./work-service.ts";

/** `cairn work artifact`: a piece of evidence as it was written; on a terminal, without what could control that. */
export const createWorkArtifact: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work artifact", description: "Print a piece of a run's evidence" },
    args: {
      task: { type: "positional", required: true, description: "The task's id" },
      run: { type: "positional", required: true, description: "The run's id" },
      name: { type: "positional", required: true, description: "For example `patch.diff` or `journal/events.jsonl`" },
      ...WORK_OPTIONS,
    },
    run: ({ args: { task: task_id, run: run_id, name: artifact_name, ...args } }) =>
      withWorkServer(context, args, PATIENCE, async (client) => {
        const { raw, error } = await client.artifactRead({ task_id, run_id, artifact_name });
        if (raw === undefined) {
          context.err(`cairn: ${error ?? `There is no \`${artifact_name}\`.`}`);
          return EXIT.FAILED;
        }
        printText(context, raw);
        return EXIT.OK;
      }),
  });
