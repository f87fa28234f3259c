import type { Handler } from "cairn-gitops/host-api";

interface Input {
  hours: number;
  helpers: number;
  night_shift: boolean;
  material_euros: number;
}

const STEPS: Readonly<Record<string, number>> = { exact: 0.01, euro: 1, ten_euros: 10 };

const estimateBuild: Handler<Input> = (input, ctx) => {
  const rates = ctx.params["build_rates"] ?? {};
  const { hourly_wage = 38, night_extra = 0.25, waste_share = 0.08, valid_days = 21, rounding = "exact" } = rates;
  const wage = Number(hourly_wage) * (input.night_shift ? 1 + Number(night_extra) : 1);
  // Helpers earn half of it.
  const work = input.hours * wage * (1 + input.helpers / 2);
  const step = STEPS[String(rounding)] ?? 0.01;
  const cost = Math.round((work + input.material_euros * (1 + Number(waste_share))) / step) * step;
  return { cost: Math.round(cost * 100) / 100, holds_days: Number(valid_days) };
};

export default estimateBuild;
