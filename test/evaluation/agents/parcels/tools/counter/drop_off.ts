import type { Handler } from "cairn-gitops/host-api";

interface Input {
  weight_kg: number;
  recipient: { postcode: string };
}

// All of the request is kept, so the drivers see whatever was asked for.
const dropOff: Handler<Input> = async (input, ctx) => {
  const { postcode } = input.recipient;
  const earlier = await ctx.state.scan(["taken", postcode]);
  const parcel_no = `W${postcode}-${earlier.length + 1}`;
  await ctx.state.set(["taken", postcode, parcel_no], input);
  await ctx.state.set(["parcel", parcel_no], input);
  return { parcel_no, status: input.weight_kg > 25 ? "set_aside" : "accepted" };
};

export default dropOff;
