import type { Handler } from "cairn-gitops/host-api";

/** Shares of the value by chapter of the tariff, and of value and duty by country. */
const DUTIES: Readonly<Record<string, number>> = { "52": 0.08, "62": 0.12, "85": 0.03 };
const VAT: Readonly<Record<string, number>> = { CH: 0.081, GB: 0.2, NO: 0.25 };

const estimateDuty: Handler<{ hs_code: string; destination: string; value: number; preferential?: boolean }> = (
  input,
) => {
  const share = input.preferential === true ? 0 : (DUTIES[input.hs_code.slice(0, 2)] ?? 0.05);
  const duty = Math.round(input.value * share * 100) / 100;
  const vat = Math.round((input.value + duty) * (VAT[input.destination] ?? 0.2) * 100) / 100;
  return { duty, vat };
};

export default estimateDuty;
