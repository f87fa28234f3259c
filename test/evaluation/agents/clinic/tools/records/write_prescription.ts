import type { Handler } from "cairn-gitops/host-api";
import { PATIENTS } from "../_lib/clinic.ts";

interface Input {
  patient_id: string;
  drug: string;
  dose_mg: number;
  times_per_day: number;
  days: number;
  refills: number;
}

const writePrescription: Handler<Input> = async (input, ctx) => {
  const patient = PATIENTS.find(({ patient_id }) => patient_id === input.patient_id);
  if (patient === undefined) throw ctx.fail("NOT_FOUND", `There is no patient ${input.patient_id}.`);
  const warnings = [];
  if (patient.species === "rabbit" && input.drug === "amoxicillin") warnings.push("Rabbits do not bear amoxicillin.");
  if (input.dose_mg > patient.weight_kg * 50) warnings.push("The dose is high for the weight.");
  const total_mg = input.dose_mg * input.times_per_day * input.days * (1 + input.refills);
  const prescription_id = `RX-${input.patient_id}-${input.drug}`;
  await ctx.state.set(["prescription", prescription_id], input);
  return { prescription_id, total_mg, warnings };
};

export default writePrescription;
