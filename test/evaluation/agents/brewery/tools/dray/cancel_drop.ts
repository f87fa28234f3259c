import type { Handler } from "cairn-gitops/host-api";

const cancelDrop: Handler<{ drop_no: string }> = async (input, ctx) => {
  const key = ["drop", input.drop_no];
  const drop = await ctx.state.get<object>(key);
  if (drop === undefined) throw ctx.fail("NOT_FOUND", `There is no drop ${input.drop_no}.`);
  await ctx.state.set(key, { ...drop, cancelled: input });
  return { cancelled: true };
};

export default cancelDrop;
