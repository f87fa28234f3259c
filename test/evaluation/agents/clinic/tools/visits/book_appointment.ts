import type { Handler } from "cairn-gitops/host-api";
import { CLOSES, OPENS, PATIENTS, toMinutes } from "../_lib/clinic.ts";

interface Input {
  patient_id: string;
  date: string;
  time: string;
  kind: string;
}

const bookAppointment: Handler<Input> = async (input, ctx) => {
  if (!PATIENTS.some(({ patient_id }) => patient_id === input.patient_id)) {
    throw ctx.fail("NOT_FOUND", `There is no patient ${input.patient_id}.`);
  }
  const start = toMinutes(input.time);
  if (input.kind !== "emergency" && (start < OPENS || start >= CLOSES)) {
    throw ctx.fail("UNPROCESSABLE", "The clinic is closed at that time.");
  }
  const appointment_id = `A-${input.date.replaceAll("-", "")}-${input.time.replace(":", "")}`;
  const key = ["appointment", appointment_id];
  const isTaken = (await ctx.state.get(key)) !== undefined;
  if (isTaken) await ctx.state.set(["waiting", appointment_id, input.patient_id], input);
  else await ctx.state.set(key, input);
  return { appointment_id, status: isTaken ? "waitlisted" : "confirmed" };
};

export default bookAppointment;
