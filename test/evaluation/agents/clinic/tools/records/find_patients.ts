import type { Handler } from "cairn-gitops/host-api";
import { PATIENTS, type Patient } from "../_lib/clinic.ts";

interface Input {
  query: string;
  species?: string;
  microchip?: string;
  chip_no?: string;
  include_deceased: boolean;
  sort: string;
  limit: number;
}

const ORDERS: Readonly<Record<string, (a: Patient, b: Patient) => number>> = {
  last_visit: (a, b) => b.last_visit.localeCompare(a.last_visit),
  age: (a, b) => a.born.localeCompare(b.born),
};

const findPatients: Handler<Input> = (input) => {
  const chip = input.microchip ?? input.chip_no;
  const found = PATIENTS.filter(
    (one) =>
      `${one.name} ${one.owner}`.toLowerCase().includes(input.query.toLowerCase()) &&
      (input.species === undefined || one.species === input.species) &&
      (chip === undefined || one.microchip === chip) &&
      (input.include_deceased || !one.deceased),
  ).sort(ORDERS[input.sort] ?? ((a, b) => a.name.localeCompare(b.name)));
  return {
    patients: found.slice(0, input.limit).map(({ patient_id, name, species, owner, last_visit, weight_kg }) => ({
      patient_id,
      name,
      species,
      owner,
      last_visit,
      weight_kg,
    })),
    total: found.length,
  };
};

export default findPatients;
