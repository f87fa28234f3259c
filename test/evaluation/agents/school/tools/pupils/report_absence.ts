import type { Handler } from "cairn-gitops/host-api";
import { PUPILS, compact, digits } from "../_lib/school.ts";

interface Input {
  pupil_id: string;
  from: string;
  days: number;
  reason: string;
  doctors_note: boolean;
}

const reportAbsence: Handler<Input> = async (input, ctx) => {
  if (!PUPILS.some(({ pupil_id }) => pupil_id === input.pupil_id)) {
    throw ctx.fail("NOT_FOUND", `There is no pupil ${input.pupil_id}.`);
  }
  const { note_after_days = 3, call_after_days = 5, strictness = "usual" } = ctx.params["attendance"] ?? {};
  const absence_id = `A-${digits(input.pupil_id)}-${compact(input.from)}`;
  const needed = input.reason === "illness" && input.days >= Number(note_after_days) && strictness !== "lenient";
  const status = needed && !input.doctors_note ? "pending" : "excused";
  await ctx.state.set(["absence", input.pupil_id, absence_id], { ...input, status });
  return { absence_id, status, call_parents: input.days >= Number(call_after_days) };
};

export default reportAbsence;
