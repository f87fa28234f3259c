import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly task_id: string;
  readonly run_id: string;
  readonly artifact_name: string;
}

const artifactRead: Handler<Input> = async ({ task_id, run_id, artifact_name }, ctx) => {
  const run = await ctx.work.runs.get(run_id);
  if (run.task_id !== task_id) return { error: `Run \`${run_id}\` is not of task \`${task_id}\`.` };
  try {
    const { content: raw } = await ctx.work.evidence.read(run_id, artifact_name);
    return { content: artifact_name.endsWith(".json") ? JSON.parse(raw) : null, raw };
  } catch (error) {
    if (error instanceof Error && error.name === "NOT_FOUND") return { error: error.message };
    throw error;
  }
};

export default artifactRead;
