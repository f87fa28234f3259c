import type { Handler } from "cairn-gitops/host-api";

interface Input {
  weight_kg: number;
  zone: string;
  service: string;
  pieces: number;
  insured_value: number;
  bulky: boolean;
}

/** What is not listed is taken for far away. */
const ZONES: Readonly<Record<string, number>> = { city: 1, region: 1.25, country: 1.6 };
const STEPS: Readonly<Record<string, number>> = { cents: 0.01, tens: 0.1, halves: 0.5 };

const pricePostage: Handler<Input> = (input, ctx) => {
  const set = ctx.params["tariff"] ?? {};
  const { base_price = 4.2, kilo_price = 0.65, express_factor = 1.8 } = set;
  const { bulk_from = 10, bulk_discount = 0.05, rounding = "cents" } = set;
  const weight = Number(base_price) + Number(kilo_price) * Math.max(0, Math.ceil(input.weight_kg) - 1);
  const speed = input.service === "express" ? Number(express_factor) : input.service === "economy" ? 0.85 : 1;
  const raw = weight * speed * (ZONES[input.zone] ?? 2.4) + input.insured_value * 0.01 + (input.bulky ? 6 : 0);
  const off = input.pieces >= Number(bulk_from) ? Number(bulk_discount) : 0;
  const step = STEPS[String(rounding)] ?? 0.01;
  const per_piece = Math.round(Math.ceil((raw * (1 - off)) / step - 1e-9) * step * 100) / 100;
  return { per_piece, total: Math.round(per_piece * input.pieces * 100) / 100 };
};

export default pricePostage;
