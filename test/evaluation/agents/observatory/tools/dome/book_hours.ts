import type { Handler } from "cairn-gitops/host-api";
import { RATES } from "../_lib/hill.ts";

interface Input {
  slot_no: string;
  night: string;
  hours: number;
}

// All of the request is kept, so the staff see whatever was asked for.
const bookHours: Handler<Input> = async (input, ctx) => {
  const rate = RATES[input.slot_no.slice(0, 2)];
  if (rate === undefined) throw ctx.fail("NOT_FOUND", `There is no slot ${input.slot_no}.`);
  const earlier = await ctx.state.scan(["hours", input.slot_no]);
  const booking_no = `K-${input.slot_no.replace("-", "")}-${earlier.length + 1}`;
  const taken = await ctx.state.get(["taken", input.night, input.slot_no]);
  await ctx.state.set(["hours", input.slot_no, booking_no], input);
  await ctx.state.set(["taken", input.night, input.slot_no], booking_no);
  await ctx.state.set(["booking", booking_no], input);
  return { booking_no, state: taken === undefined ? "firm" : "waiting", price: rate * input.hours };
};

export default bookHours;
