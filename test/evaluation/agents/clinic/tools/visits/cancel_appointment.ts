import type { Handler } from "cairn-gitops/host-api";

interface Input {
  appointment_id: string;
  reason: string;
  waive_fee: boolean;
}

const cancelAppointment: Handler<Input> = async (input, ctx) => {
  const key = ["appointment", input.appointment_id];
  const booked = await ctx.state.get<{ kind: string; cancelled?: boolean }>(key);
  if (booked === undefined) throw ctx.fail("NOT_FOUND", `There is no appointment ${input.appointment_id}.`);
  const isFree = input.waive_fee || input.reason === "owner_ill" || booked.kind === "emergency";
  await ctx.state.set(key, { ...booked, cancelled: true, reason: input.reason });
  return {
    cancelled: booked.cancelled !== true,
    fee: isFree ? 0 : Number(ctx.params["invoicing"]?.["late_cancel_fee"] ?? 15),
  };
};

export default cancelAppointment;
