import type { Handler } from "cairn-gitops/host-api";

interface Input {
  batch_no: string;
  brix: number;
}

const measureMust: Handler<Input> = async (input, ctx) => {
  const last = await ctx.state.get<Input>(["last", input.batch_no]);
  const samples = await ctx.state.scan(["sample", input.batch_no]);
  const sample_no = `${input.batch_no}-M${samples.length + 1}`;
  await ctx.state.set(["sample", input.batch_no, sample_no], input);
  await ctx.state.set(["last", input.batch_no], input);
  return { sample_no, stuck: last !== undefined && Math.abs(last.brix - input.brix) < 0.1 };
};

export default measureMust;
