import type { Handler } from "cairn-gitops/host-api";

interface Input {
  square_metres: number;
  soil: string;
  rain_mm: number;
  heat: number;
  hose: string;
}

/** How thirsty a soil is; what is not listed is taken for loam. */
const THIRST: Readonly<Record<string, number>> = { sand: 1.3, loam: 1, clay: 0.8 };

const wateringPlan: Handler<Input> = (input, ctx) => {
  const { litres_per_metre = 8, rain_credit = 0.6, longest_run = 45, hour = "dawn" } = ctx.params["watering"] ?? {};
  const dry = Number(litres_per_metre) * (THIRST[input.soil] ?? 1) * (0.6 + input.heat * 0.2);
  const each = Math.max(0, dry - input.rain_mm * Number(rain_credit));
  const litres = Math.round(each * input.square_metres * (input.hose === "sprinkler" ? 1.4 : 1));
  const minutes = litres / 6;
  return { litres, runs: Math.ceil(minutes / Number(longest_run)), hour: String(hour) };
};

export default wateringPlan;
