import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { PATIENCE, printText, withWorkServer, WORK_OPTIONS } from "./work-service.ts";

/** `cairn work report`: one page about a run, for a reviewer. */
export const createWorkReport: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work report", description: "Show a run on one page: asked, planned, changed, tried, decided" },
    args: {
      run: { type: "positional", required: true, description: "The run's id" },
      json: { type: "boolean", description: "As the service says it" },
      ...WORK_OPTIONS,
    },
    run: ({ args: { run: run_id, json, ...args } }) =>
      withWorkServer(context, args, PATIENCE, async (client) => {
        const { markdown, ...page } = await client.runReport({ run_id });
        printText(context, json === true ? JSON.stringify(page, undefined, 2) : markdown);
        return EXIT.OK;
      }),
  });
