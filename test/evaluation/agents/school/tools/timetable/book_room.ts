import type { Handler } from "cairn-gitops/host-api";
import { compact } from "../_lib/school.ts";

interface Input {
  room: string;
  date: string;
  period: number;
}

const bookRoom: Handler<Input> = async (input, ctx) => {
  const booking_id = `B-${input.room}-${compact(input.date)}-${input.period}`;
  if ((await ctx.state.get(["booking", booking_id])) !== undefined) {
    throw ctx.fail("CONFLICT", "Somebody else has the room then.");
  }
  await ctx.state.set(["booking", booking_id], input);
  return { booking_id };
};

export default bookRoom;
