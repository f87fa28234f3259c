import type { Handler } from "cairn-gitops/host-api";
import { SLOTS } from "../_lib/field.ts";

interface Input {
  slot_no: string;
  day: string;
}

// The whole request is kept, so the desk sees whatever was asked for.
const bookSlot: Handler<Input> = async (input, ctx) => {
  const slot = SLOTS.find(({ slot_no }) => slot_no === input.slot_no);
  if (slot === undefined) throw ctx.fail("NOT_FOUND", `There is no slot ${input.slot_no}.`);
  const earlier = await ctx.state.scan(["slot", input.slot_no]);
  const booking_no = `B-${input.slot_no.slice(2)}-${earlier.length + 1}`;
  const taken = await ctx.state.get(["taken", input.day, input.slot_no]);
  await ctx.state.set(["slot", input.slot_no, booking_no], input);
  await ctx.state.set(["taken", input.day, input.slot_no], booking_no);
  await ctx.state.set(["booking", booking_no], input);
  return { booking_no, state: taken === undefined ? "confirmed" : "standby", fee: slot.fee };
};

export default bookSlot;
