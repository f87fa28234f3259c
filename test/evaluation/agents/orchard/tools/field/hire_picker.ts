import type { Handler } from "cairn-gitops/host-api";

const hirePicker: Handler<object> = async (input, ctx) => {
  const others = await ctx.state.scan(["picker"]);
  const picker_no = `P-${String(others.length + 1).padStart(3, "0")}`;
  await ctx.state.set(["picker", picker_no], input);
  return { picker_no };
};

export default hirePicker;
