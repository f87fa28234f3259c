import type { Handler } from "cairn-gitops/host-api";

interface Input {
  day: string;
  kegs: readonly { count: number }[];
}

// The driver's sheet shows all that was asked for.
const planDrop: Handler<Input> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["day", input.day]);
  const drop_no = `D-${input.day.replaceAll("-", "")}-${earlier.length + 1}`;
  await ctx.state.set(["day", input.day, drop_no], true);
  await ctx.state.set(["drop", drop_no], input);
  const total_kegs = input.kegs.reduce((sum, { count }) => sum + count, 0);
  return { drop_no, total_kegs, deposit: total_kegs * 30 };
};

export default planDrop;
