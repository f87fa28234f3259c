import type { Handler } from "cairn-gitops/host-api";
import { LOCKERS } from "../_lib/streets.ts";

// The whole reservation is kept; the locker reads it.
const reserveCompartment: Handler<{ locker_no: string; size: string }> = async (input, ctx) => {
  const locker = LOCKERS.find(({ locker_no }) => locker_no === input.locker_no);
  if (locker === undefined) throw ctx.fail("NOT_FOUND", `There is no locker ${input.locker_no}.`);
  const earlier = await ctx.state.scan(["kept", input.locker_no]);
  const reservation_no = `C-${input.locker_no.replace("-", "")}-${earlier.length + 1}`;
  await ctx.state.set(["kept", input.locker_no, reservation_no], input);
  return { reservation_no, status: earlier.length < (locker.free[input.size] ?? 0) ? "held" : "queued" };
};

export default reserveCompartment;
