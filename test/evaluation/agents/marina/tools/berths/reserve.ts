import type { Handler } from "cairn-gitops/host-api";
import { BERTHS } from "../_lib/harbour.ts";

interface Input {
  berth_no: string;
  boat: { length_m: number };
  nights: number;
}

// The whole request is kept, so the office sees everything that was asked for.
const reserve: Handler<Input> = async (input, ctx) => {
  const berth = BERTHS.find(({ berth_no }) => berth_no === input.berth_no);
  if (berth === undefined) throw ctx.fail("NOT_FOUND", `There is no berth ${input.berth_no}.`);
  const earlier = await ctx.state.scan(["reserved", input.berth_no]);
  const reservation_no = `R-${input.berth_no.replace("-", "")}-${earlier.length + 1}`;
  await ctx.state.set(["reserved", input.berth_no, reservation_no], input);
  await ctx.state.set(["reservation", reservation_no], input);
  return {
    reservation_no,
    status: earlier.length === 0 && input.boat.length_m <= berth.length_m ? "confirmed" : "on_request",
    total: berth.fee * input.nights,
  };
};

export default reserve;
