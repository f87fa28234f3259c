import type { Handler } from "cairn-gitops/host-api";
import { TIERS } from "../_lib/house.ts";

const quoteGroup: Handler<{ people: number; tier: string; school: boolean; rebate_pct: number; tour: string }> = (
  input,
) => {
  const seat = ((TIERS[input.tier] ?? 34) * (100 - input.rebate_pct)) / 100;
  const per_head = Math.round((seat + (input.tour === "none" ? 0 : 5)) * 100) / 100;
  const free_places = input.school ? Math.floor(input.people / 10) : 0;
  return { per_head, total: Math.round(per_head * (input.people - free_places) * 100) / 100, free_places };
};

export default quoteGroup;
