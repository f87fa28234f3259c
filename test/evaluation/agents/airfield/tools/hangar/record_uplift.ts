import type { Handler } from "cairn-gitops/host-api";

interface Input {
  tail: string;
  litres: number;
  grade: string;
}

/** Cents for a litre. */
const CENTS: Readonly<Record<string, number>> = { avgas: 275, mogas: 205 };

const recordUplift: Handler<Input> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["uplift", input.tail]);
  const uplift_no = `U-${input.tail}-${earlier.length + 1}`;
  await ctx.state.set(["uplift", input.tail, uplift_no], input);
  return { uplift_no, euros: Math.round((CENTS[input.grade] ?? 275) * input.litres) / 100 };
};

export default recordUplift;
