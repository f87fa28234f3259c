import type { Handler } from "cairn-gitops/host-api";
import { PUPILS, type Pupil } from "../_lib/school.ts";

interface Input {
  query: string;
  form?: string;
  sort: string;
  limit: number;
}

function key(pupil: Pupil, sort: string): string {
  if (sort === "form") return pupil.form.padStart(3, "0");
  return sort === "birthday" ? pupil.born : pupil.name;
}

const findPupils: Handler<Input> = ({ query, form, sort, limit }) => {
  const found = PUPILS.filter(
    (one) => one.name.toLowerCase().includes(query.toLowerCase()) && (form === undefined || one.form === form),
  ).toSorted((a, b) => key(a, sort).localeCompare(key(b, sort)));
  const pupils = found.slice(0, limit).map(({ pupil_id, name, form: of, bus_line }) => ({
    pupil_id,
    name,
    form: of,
    ...(bus_line === undefined ? {} : { bus_line }),
  }));
  return { pupils, total: found.length };
};

export default findPupils;
