import type { Handler } from "cairn-gitops/host-api";

const cancelBooking: Handler<{ booking_id: string; because: string }> = async (input, ctx) => {
  const kept = await ctx.state.get<object>(["booking", input.booking_id]);
  if (kept === undefined) throw ctx.fail("NOT_FOUND", `There is no booking ${input.booking_id}.`);
  await ctx.state.set(["booking", input.booking_id], { ...kept, cancelled: input.because });
  return { cancelled: true };
};

export default cancelBooking;
