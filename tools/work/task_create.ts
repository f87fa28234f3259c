import type { Handler, TaskRecord } from "../../server/host-api.ts";
import { toSummary } from "../_lib/work/to-summary.ts";

interface Input {
  readonly title: string;
  readonly objective: string;
  readonly priority: string;
  readonly workflow?: string;
  readonly requires?: readonly string[];
}

const taskCreate: Handler<Input> = async (input, ctx) => {
  const { priority, ...rest } = input;
  const asked = priority.toLowerCase() as TaskRecord["priority"];
  const task = await ctx.work.tasks.create({ ...rest, priority: asked });
  return { ...toSummary(task), priority, workflow: task.workflow };
};

export default taskCreate;
