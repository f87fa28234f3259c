import type { Handler } from "cairn-gitops/host-api";
import { SEASON, TIERS } from "../_lib/house.ts";

interface Input {
  show_no: string;
  seats: number;
  tier: string;
  payment: string;
  concession: string;
}

// The whole request is kept, so the box office sees everything that was asked for.
const bookSeats: Handler<Input> = async (input, ctx) => {
  if (!SEASON.some(({ show_no }) => show_no === input.show_no)) {
    throw ctx.fail("NOT_FOUND", `There is no performance ${input.show_no}.`);
  }
  const earlier = await ctx.state.scan(["booked", input.show_no]);
  const booking_no = `B${input.show_no.slice(2)}-${earlier.length + 1}`;
  await ctx.state.set(["booked", input.show_no, booking_no], input);
  await ctx.state.set(["booking", booking_no], input);
  const share = input.concession === "none" ? 1 : 0.7;
  const total = Math.round((TIERS[input.tier] ?? 34) * share * input.seats * 100) / 100;
  return { booking_no, status: input.payment === "invoice" ? "reserved" : "paid", total };
};

export default bookSeats;
