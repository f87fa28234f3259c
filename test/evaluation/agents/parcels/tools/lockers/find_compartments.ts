import type { Handler } from "cairn-gitops/host-api";
import { LOCKERS, type Locker } from "../_lib/streets.ts";

interface Input {
  postcode: string;
  size: string;
  within_km: number;
  access: string;
  step_free: boolean;
  shelter?: string;
  limit: number;
}

const DRY: Readonly<Record<string, number>> = { none: 0, roofed: 0.6, indoors: 1 };

const findCompartments: Handler<Input> = (input, ctx) => {
  const { lead = "nearest", spare_doors = 1, kerb_penalty = 0.2 } = ctx.params["compartment_order"] ?? {};
  const free = (one: Locker): number => Math.max(0, (one.free[input.size] ?? 0) - Number(spare_doors));
  const rank = (one: Locker): number => {
    const base = lead === "emptiest" ? free(one) / 20 : lead === "driest" ? (DRY[one.shelter] ?? 0) : 1 - one.km / 25;
    return base - (one.kerb ? Number(kerb_penalty) : 0);
  };
  const suits = LOCKERS.filter(
    (one) =>
      one.area === input.postcode.slice(0, 2) &&
      one.km <= input.within_km &&
      free(one) > 0 &&
      (input.access !== "always" || one.always) &&
      !(input.step_free && one.kerb) &&
      (input.shelter === undefined || one.shelter === input.shelter),
  );
  const lockers = suits
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, input.limit)
    .map((one) => ({ locker_no: one.locker_no, street: one.street, km: one.km, free: free(one) }));
  return { lockers, matching: suits.length };
};

export default findCompartments;
