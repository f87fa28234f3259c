import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly task_id: string;
  readonly answer: string;
}

const taskAnswer: Handler<Input> = async ({ task_id, answer }, ctx) => {
  const { status, answers = [] } = await ctx.work.tasks.answer(task_id, answer);
  const { reading } = answers.at(-1) ?? {};
  return { task_id, status, ...(reading !== undefined && { reading }) };
};

export default taskAnswer;
