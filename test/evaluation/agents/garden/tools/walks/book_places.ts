import type { Handler } from "cairn-gitops/host-api";
import { WALKS } from "../_lib/grounds.ts";

interface Input {
  walk_no: string;
  places: number;
  children: number;
}

const bookPlaces: Handler<Input> = async (input, ctx) => {
  const walk = WALKS.find(({ walk_no }) => walk_no === input.walk_no);
  if (walk === undefined) throw ctx.fail("NOT_FOUND", `There is no walk ${input.walk_no}.`);
  const earlier = await ctx.state.scan(["places", input.walk_no]);
  const booking_no = `G-${input.walk_no.replace("-", "")}-${earlier.length + 1}`;
  await ctx.state.set(["places", input.walk_no, booking_no], input);
  await ctx.state.set(["booking", booking_no], input);
  return {
    booking_no,
    status: input.places <= walk.places ? "confirmed" : "waitlisted",
    total: walk.price * Math.max(0, input.places - input.children),
  };
};

export default bookPlaces;
