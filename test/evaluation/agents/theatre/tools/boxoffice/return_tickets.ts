import type { Handler } from "cairn-gitops/host-api";

const returnTickets: Handler<{ booking_no: string; compensation: string }> = async (input, ctx) => {
  const key = ["booking", input.booking_no];
  const kept = await ctx.state.get<object>(key);
  if (kept === undefined) throw ctx.fail("NOT_FOUND", `There is no booking ${input.booking_no}.`);
  await ctx.state.set(key, { ...kept, returned: input });
  return { taken_back: true, fee: input.compensation === "money" ? 3 : 0 };
};

export default returnTickets;
