import type { Handler } from "cairn-gitops/host-api";

interface Input {
  picker_no: string;
  kilos: number;
  grade: string;
  bruised_pct: number;
}

/** Cents for a kilo. */
const CENTS: Readonly<Record<string, number>> = { table: 9, juice: 6, windfall: 5 };

const weighBin: Handler<Input> = async (input, ctx) => {
  const { bin_bonus = 0.8, bruise_tolerance = 4 } = ctx.params["farm_rates"] ?? {};
  const weighed = await ctx.state.scan(["bin", input.picker_no]);
  const bin_no = `B-${input.picker_no}-${weighed.length + 1}`;
  await ctx.state.set(["bin", input.picker_no, bin_no], input);
  const bonus = input.bruised_pct <= Number(bruise_tolerance) ? Number(bin_bonus) : 0;
  return { bin_no, pay: Math.round((CENTS[input.grade] ?? 5) * input.kilos + bonus * 100) / 100 };
};

export default weighBin;
