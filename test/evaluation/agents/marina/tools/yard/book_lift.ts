import type { Handler } from "cairn-gitops/host-api";

interface Input {
  weight_t: number;
  day: string;
}

const bookLift: Handler<Input> = async (input, ctx) => {
  const { heavy_above = 15, wind_stop = 24, wash_water = "filtered" } = ctx.params["crane"] ?? {};
  const earlier = await ctx.state.scan(["lift", input.day]);
  const lift_no = `L-${input.day.replaceAll("-", "")}-${earlier.length + 1}`;
  await ctx.state.set(["lift", input.day, lift_no], { ...input, wash_water });
  return { lift_no, riggers: input.weight_t > Number(heavy_above) ? 2 : 1, wind_stop: Number(wind_stop) };
};

export default bookLift;
