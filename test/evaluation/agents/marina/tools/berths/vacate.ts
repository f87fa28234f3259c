import type { Handler } from "cairn-gitops/host-api";

const vacate: Handler<{ reservation_no: string; cause: string; refund: boolean }> = async (input, ctx) => {
  const key = ["reservation", input.reservation_no];
  const kept = await ctx.state.get<object>(key);
  if (kept === undefined) throw ctx.fail("NOT_FOUND", `There is no reservation ${input.reservation_no}.`);
  await ctx.state.set(key, { ...kept, vacated: input });
  return { freed: true };
};

export default vacate;
