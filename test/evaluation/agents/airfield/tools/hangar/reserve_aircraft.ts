import type { Handler } from "cairn-gitops/host-api";
import { AIRCRAFT } from "../_lib/field.ts";

interface Input {
  tail: string;
  hours: number;
}

// Everything that was asked for is kept with the reservation.
const reserveAircraft: Handler<Input> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["reservation", input.tail]);
  const reservation_no = `R-${input.tail}-${earlier.length + 1}`;
  await ctx.state.set(["reservation", input.tail, reservation_no], input);
  return { reservation_no, price: (AIRCRAFT[input.tail]?.euros_an_hour ?? 150) * input.hours };
};

export default reserveAircraft;
