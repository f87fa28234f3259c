import type { Handler } from "cairn-gitops/host-api";
import { EVENINGS } from "../_lib/hill.ts";

interface Input {
  night_no: string;
  seats: number;
  children: number;
}

const reserveSeats: Handler<Input> = async (input, ctx) => {
  const evening = EVENINGS.find(({ night_no }) => night_no === input.night_no);
  if (evening === undefined) throw ctx.fail("NOT_FOUND", `There is no night ${input.night_no}.`);
  const earlier = await ctx.state.scan(["seats", input.night_no]);
  const reservation_no = `S-${input.night_no.replace("-", "")}-${earlier.length + 1}`;
  await ctx.state.set(["seats", input.night_no, reservation_no], input);
  return {
    reservation_no,
    status: input.seats <= evening.seats ? "confirmed" : "waitlisted",
    total: evening.price * Math.max(0, input.seats - input.children),
  };
};

export default reserveSeats;
