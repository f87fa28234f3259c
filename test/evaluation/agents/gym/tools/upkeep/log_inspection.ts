import type { Handler } from "cairn-gitops/host-api";

const logInspection: Handler<{ machine_no: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["inspection", input.machine_no]);
  const entry_no = `I-${input.machine_no}-${earlier.length + 1}`;
  await ctx.state.set(["inspection", input.machine_no, entry_no], input);
  return { entry_no };
};

export default logInspection;
