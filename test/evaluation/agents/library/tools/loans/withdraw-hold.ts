import type { Handler } from "cairn-gitops/host-api";

const withdrawHold: Handler<{ hold: string; because: string }> = async (input, ctx) => {
  const kept = await ctx.state.get<object>(["hold", input.hold]);
  if (kept === undefined) throw ctx.fail("NOT_FOUND", `There is no hold ${input.hold}.`);
  await ctx.state.set(["hold", input.hold], {
    ...kept,
    withdrawn: input.because,
  });
  return { withdrawn: true };
};

export default withdrawHold;
