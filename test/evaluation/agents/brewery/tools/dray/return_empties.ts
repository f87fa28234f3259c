import type { Handler } from "cairn-gitops/host-api";

interface Input {
  pub: string;
  count: number;
  deposit_euros: number;
}

const returnEmpties: Handler<Input> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["empties", input.pub]);
  const receipt_no = `E-${earlier.length + 1}`;
  await ctx.state.set(["empties", input.pub, receipt_no], input);
  return { receipt_no, refund: Math.round(input.count * input.deposit_euros * 100) / 100 };
};

export default returnEmpties;
