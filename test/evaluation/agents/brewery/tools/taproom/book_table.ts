import type { Handler } from "cairn-gitops/host-api";

interface Input {
  evening: string;
  area: string;
}

const bookTable: Handler<Input> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["table", input.area]);
  const table_no = `T-${input.area}-${earlier.length + 1}`;
  const full = (await ctx.state.scan(["evening", input.evening, input.area])).length >= 8;
  await ctx.state.set(["table", input.area, table_no], input);
  await ctx.state.set(["evening", input.evening, input.area, table_no], true);
  return { table_no, status: full ? "waitlist" : "booked" };
};

export default bookTable;
