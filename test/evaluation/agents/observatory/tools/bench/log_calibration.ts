import type { Handler } from "cairn-gitops/host-api";

const logCalibration: Handler<{ telescope: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["calibration", input.telescope]);
  const entry_no = `C-${input.telescope}-${earlier.length + 1}`;
  await ctx.state.set(["calibration", input.telescope, entry_no], input);
  return { entry_no };
};

export default logCalibration;
