import type { Handler } from "cairn-gitops/host-api";
import { AIRCRAFT } from "../_lib/field.ts";

interface Input {
  tail: string;
  minutes: number;
  headwind_knots: number;
  passengers: number;
  with_reserve: boolean;
  unit: string;
}

const STEPS: Readonly<Record<string, number>> = { litre: 1, five_litres: 5, ten_litres: 10 };

const fuelPlan: Handler<Input> = (input, ctx) => {
  const figures = ctx.params["field_figures"] ?? {};
  const { taxi_litres = 3, reserve_minutes = 45, contingency = 0.05, rounding = "litre" } = figures;
  const an_hour = (AIRCRAFT[input.tail]?.litres_an_hour ?? 24) * (1 + 0.02 * input.passengers);
  const minutes_in_air = Math.round(input.minutes * (100 / (100 - input.headwind_knots)));
  const reserve = input.with_reserve ? Number(reserve_minutes) : 0;
  const flown = (an_hour / 60) * (minutes_in_air * (1 + Number(contingency)) + reserve);
  const step = STEPS[String(rounding)] ?? 1;
  const litres = Math.ceil((flown + Number(taxi_litres)) / step) * step;
  return { amount: input.unit === "kilos" ? Math.round(litres * 0.72) : litres, minutes_in_air };
};

export default fuelPlan;
