import type { Handler } from "cairn-gitops/host-api";

const releaseHold: Handler<{ hold_id: string; why: string }> = async (input, ctx) => {
  const kept = await ctx.state.get<object>(["hold", input.hold_id]);
  if (kept === undefined) throw ctx.fail("NOT_FOUND", `There is no hold ${input.hold_id}.`);
  await ctx.state.set(["hold", input.hold_id], { ...kept, released: input.why });
  return { released: true };
};

export default releaseHold;
