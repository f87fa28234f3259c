import type { Handler } from "cairn-gitops/host-api";
import { ROWS, type Row } from "../_lib/trees.ts";

interface Input {
  fruit: string;
  ripeness: number;
  slope?: string;
  max_height_m?: number;
  organic_only: boolean;
  varieties?: readonly string[];
  count: number;
}

const findRows: Handler<Input> = (input, ctx) => {
  const { first = "ripest", spare_rows = 1, steep_penalty = 0.25 } = ctx.params["picking_order"] ?? {};
  const score = (one: Row): number => {
    const base =
      first === "nearest" ? 1 - one.metres / 1000 : first === "heaviest" ? one.kilos / 2000 : one.ripeness / 10;
    return base - (one.slope === "steep" ? Number(steep_penalty) : 0);
  };
  const ripe = ROWS.filter(
    (one) =>
      one.fruit === input.fruit &&
      one.ripeness >= input.ripeness &&
      (input.slope === undefined || one.slope === input.slope) &&
      one.height_m <= (input.max_height_m ?? Number.POSITIVE_INFINITY) &&
      !(input.organic_only && one.sprayed) &&
      (input.varieties === undefined || input.varieties.includes(one.variety)),
  ).toSorted((a, b) => score(b) - score(a));
  const kept = ripe.length > 3 ? Math.min(Number(spare_rows), ripe.length - 1) : 0;
  return {
    rows: ripe
      .slice(0, ripe.length - kept)
      .slice(0, input.count)
      .map(({ row_no, variety, kilos, slope }) => ({ row_no, variety, kilos, slope })),
    ripe: ripe.length,
  };
};

export default findRows;
