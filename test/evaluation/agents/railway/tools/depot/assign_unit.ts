import type { Handler } from "cairn-gitops/host-api";

// All of the duty is kept; the screen in the shed shows it.
const assignUnit: Handler<{ unit_no: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["duty", input.unit_no]);
  const duty_no = `U-${input.unit_no}-${earlier.length + 1}`;
  await ctx.state.set(["duty", input.unit_no, duty_no], input);
  return { duty_no };
};

export default assignUnit;
