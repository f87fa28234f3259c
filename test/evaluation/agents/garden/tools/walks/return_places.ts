import type { Handler } from "cairn-gitops/host-api";

const returnPlaces: Handler<{ booking_no: string }> = async (input, ctx) => {
  const key = ["booking", input.booking_no];
  const booking = await ctx.state.get<object>(key);
  if (booking === undefined) throw ctx.fail("NOT_FOUND", `There is no booking ${input.booking_no}.`);
  await ctx.state.set(key, { ...booking, returned: input });
  return { returned: true };
};

export default returnPlaces;
