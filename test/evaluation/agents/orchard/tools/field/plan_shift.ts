import type { Handler } from "cairn-gitops/host-api";

interface Input {
  day: string;
  pickers: readonly string[];
}

// All of the plan is kept; the board in the yard shows it.
const planShift: Handler<Input> = async (input, ctx) => {
  const planned = await ctx.state.scan(["shift", input.day]);
  const shift_no = `S-${input.day.replaceAll("-", "")}-${planned.length + 1}`;
  await ctx.state.set(["shift", input.day, shift_no], input);
  return { shift_no, hands: input.pickers.length };
};

export default planShift;
