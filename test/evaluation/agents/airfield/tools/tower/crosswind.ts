import type { Handler } from "cairn-gitops/host-api";
import { HEADING } from "../_lib/field.ts";

interface Input {
  wind_from: number;
  wind_knots: number;
  gust_knots?: number;
  strip: string;
  decimals: number;
}

const crosswind: Handler<Input> = (input, ctx) => {
  const { crosswind_limit = 15, gust_weight = 0.5 } = ctx.params["field_figures"] ?? {};
  const gusts = Math.max(0, (input.gust_knots ?? input.wind_knots) - input.wind_knots);
  const knots = input.wind_knots + gusts * Number(gust_weight);
  const angle = ((input.wind_from - (HEADING[input.strip] ?? 270)) * Math.PI) / 180;
  const across = Math.abs(Number((knots * Math.sin(angle)).toFixed(input.decimals)));
  const along = Number((knots * Math.cos(angle)).toFixed(input.decimals));
  return { across, along, within_limit: across <= Number(crosswind_limit) };
};

export default crosswind;
