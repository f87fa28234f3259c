import type { Handler } from "cairn-gitops/host-api";
import { FARES } from "../_lib/fleet.ts";

interface Input {
  from: string;
  to: string;
  passengers: number;
  vehicle: string;
  length_m: number;
  season: string;
  resident: boolean;
  concession: string;
  round_trip: boolean;
}

const STEPS: Readonly<Record<string, number>> = { cent: 0.01, half_euro: 0.5, euro: 1 };

const quoteFare: Handler<Input> = (input, ctx) => {
  const rules = ctx.params["fare_rules"] ?? {};
  const {
    resident_discount = 0.35,
    high_season_factor = 1.4,
    metre_price = 6.5,
    group_from = 10,
    rounding = "cent",
  } = rules;
  if (input.from === input.to) throw ctx.fail("UNPROCESSABLE", "The ship is there already.");
  const person = Math.max(FARES[input.from] ?? 0, FARES[input.to] ?? 0);
  // Whatever concession there is takes a fifth off.
  const off = (input.concession === "none" ? 1 : 0.8) * (input.passengers >= Number(group_from) ? 0.9 : 1);
  const times =
    (input.season === "high" ? Number(high_season_factor) : 1) *
    (input.resident ? 1 - Number(resident_discount) : 1) *
    (input.round_trip ? 2 : 1);
  const step = STEPS[String(rounding)] ?? 0.01;
  const round = (euros: number): number => Math.round(Math.round(euros / step) * step * 100) / 100;
  const metres = input.vehicle === "none" ? 0 : input.vehicle === "bicycle" ? 0.5 : input.length_m;
  const vehicle_share = round(metres * Number(metre_price) * times);
  return { total: round(person * input.passengers * off * times + vehicle_share), vehicle_share };
};

export default quoteFare;
