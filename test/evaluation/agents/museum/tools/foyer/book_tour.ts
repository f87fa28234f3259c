import type { Handler } from "cairn-gitops/host-api";
import { TOURS } from "../_lib/museum.ts";

interface Input {
  tour_id: string;
  group: { size: number };
}

const bookTour: Handler<Input> = async (input, ctx) => {
  const tour = TOURS.find(({ tour_id }) => tour_id === input.tour_id);
  if (tour === undefined) throw ctx.fail("NOT_FOUND", `There is no tour ${input.tour_id}.`);
  const kept = await ctx.state.scan<Input>(["booked", input.tour_id]);
  const taken = kept.reduce((sum, { value }) => sum + value.group.size, 0);
  const booking_id = `K-${input.tour_id.slice(2)}-${kept.length + 1}`;
  // The whole request is kept: guides read from it what they have to know.
  await ctx.state.set(["booked", input.tour_id, booking_id], input);
  return {
    booking_id,
    status: taken + input.group.size <= tour.places ? "confirmed" : "waitlisted",
    total: tour.price * input.group.size,
  };
};

export default bookTour;
