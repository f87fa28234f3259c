import { CairnError } from "../../errors.ts";
import type { WorkClient } from "../../worker/work-client.ts";
import type { RunReport } from "../../worker/work-tools.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { PATIENCE, printText, withWorkServer, WORK_OPTIONS } from "./work-service.ts";

/** `cairn work report`: one page about a run, for a reviewer. */
export const createWorkReport: CreateCommand = (context) =>
  createCommand({
    meta: { name: "work report", description: "Show a run on one page: asked, planned, changed, tried, decided" },
    args: {
      run: { type: "positional", required: true, description: "The run's id, or its task's (the latest run)" },
      json: { type: "boolean", description: "As the service says it" },
      ...WORK_OPTIONS,
    },
    run: ({ args: { run: id, json, ...args } }) =>
      withWorkServer(context, args, PATIENCE, async (client) => {
        const { markdown, ...page } = await loadReport(client, id);
        printText(context, json === true ? JSON.stringify(page, undefined, 2) : markdown);
        return EXIT.OK;
      }),
  });

/** Loads the report of a run, or of the latest run of a task. @throws NOT_FOUND; CONFLICT for a task without a run. */
async function loadReport(client: WorkClient, id: string): Promise<RunReport> {
  const found = await client.runReport({ run_id: id }).catch((error: unknown) => {
    if (error instanceof CairnError && error.name === "NOT_FOUND") return undefined;
    throw error;
  });
  if (found !== undefined) return found;
  const { run } = await client.taskStatus({ task_id: id }).catch((error: unknown) => {
    if (!(error instanceof CairnError) || error.name !== "NOT_FOUND") throw error;
    const shown = id.slice(0, 64);
    throw new CairnError(
      "NOT_FOUND",
      `There is no task and no run \`${shown}\` here; \`cairn work list\` has the tasks.`,
    );
  });
  if (run === null) throw new CairnError("CONFLICT", `Task \`${id}\` has no run yet.`);
  return client.runReport({ run_id: run.run_id });
}
