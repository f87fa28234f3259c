import type { Handler } from "cairn-gitops/host-api";
import { CLASSES } from "../_lib/mill.ts";

interface Input {
  class_no: string;
  day: string;
  guests: number;
}

// All of the request is kept; the trainer reads it on the list of the class.
const bookSpot: Handler<Input> = async (input, ctx) => {
  const found = CLASSES.find(({ class_no }) => class_no === input.class_no);
  if (found === undefined) throw ctx.fail("NOT_FOUND", `There is no class ${input.class_no}.`);
  const earlier = await ctx.state.scan(["spot", input.class_no]);
  const spot_no = `S-${input.class_no.replace("-", "")}-${earlier.length + 1}`;
  await ctx.state.set(["spot", input.class_no, spot_no], input);
  await ctx.state.set(["held", spot_no], input);
  const taken = found.taken + earlier.length + input.guests;
  return { spot_no, state: taken < found.capacity ? "booked" : "waiting" };
};

export default bookSpot;
