import type { Handler } from "cairn-gitops/host-api";

const flagDefect: Handler<{ unit_no: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["defect", input.unit_no]);
  const slip_no = `S-${input.unit_no}-${earlier.length + 1}`;
  await ctx.state.set(["defect", input.unit_no, slip_no], input);
  return { slip_no };
};

export default flagDefect;
