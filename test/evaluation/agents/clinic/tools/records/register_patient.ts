import type { Handler } from "cairn-gitops/host-api";
import { PATIENTS } from "../_lib/clinic.ts";

interface Input {
  name: string;
  species: string;
  owner: { name: string; phone: string };
}

const registerPatient: Handler<Input> = async (input, ctx) => {
  const known = PATIENTS.find(({ name, owner }) => name === input.name && owner === input.owner.name);
  if (known !== undefined) return { patient_id: known.patient_id, duplicate: true };
  const patient_id = `P-${String(1000 + Math.floor(ctx.random() * 90_000)).padStart(5, "0")}`;
  await ctx.state.set(["patient", patient_id], input);
  return { patient_id, duplicate: false };
};

export default registerPatient;
