import type { Handler } from "cairn-gitops/host-api";

interface Input {
  to: string;
  kilos: number;
  dangerous?: object;
}

// All of it is kept; only weight and danger decide here.
const consignFreight: Handler<Input> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["freight", input.to]);
  const consignment_no = `W-${input.to}-${earlier.length + 1}`;
  await ctx.state.set(["freight", input.to, consignment_no], input);
  return {
    consignment_no,
    charge: Math.max(15, Math.round(input.kilos * 8) / 100),
    state: input.dangerous === undefined ? "accepted" : "on_hold",
  };
};

export default consignFreight;
