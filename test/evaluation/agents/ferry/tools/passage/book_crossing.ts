import type { Handler } from "cairn-gitops/host-api";
import { FARES, SAILINGS } from "../_lib/fleet.ts";

interface Input {
  sailing_no: string;
  day: string;
  passengers: number;
  children: number;
}

// All of the request is kept, so the purser sees whatever was asked for.
const bookCrossing: Handler<Input> = async (input, ctx) => {
  const ship = SAILINGS.find(({ sailing_no }) => sailing_no === input.sailing_no);
  if (ship === undefined) throw ctx.fail("NOT_FOUND", `There is no sailing ${input.sailing_no}.`);
  const earlier = await ctx.state.scan(["crossing", input.sailing_no]);
  const booking_no = `B-${input.sailing_no}-${earlier.length + 1}`;
  await ctx.state.set(["crossing", input.sailing_no, booking_no], input);
  await ctx.state.set(["booking", booking_no], input);
  const person = Math.max(FARES[ship.from] ?? 0, FARES[ship.to] ?? 0);
  return {
    booking_no,
    state: earlier.length < ship.spaces ? "confirmed" : "standby",
    price: person * Math.max(0, input.passengers - input.children),
  };
};

export default bookCrossing;
