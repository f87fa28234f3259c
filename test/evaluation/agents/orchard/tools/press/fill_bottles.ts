import type { Handler } from "cairn-gitops/host-api";

interface Input {
  batch_no: string;
  bottles: number;
}

const fillBottles: Handler<Input> = async (input, ctx) => {
  const lots = await ctx.state.scan(["lot", input.batch_no]);
  const lot_no = `${input.batch_no}-L${lots.length + 1}`;
  await ctx.state.set(["lot", input.batch_no, lot_no], input);
  return { lot_no, cases: Math.floor(input.bottles / 12) };
};

export default fillBottles;
