import { refuse } from "../../guard/refuse.ts";

const UP = /^(?:raise|increase|bump)/i;
const DOWN = /^(?:lower|reduce|decrease)/i;

/** Refuses to raise something to less than it is, or to lower it to more: one of the two was a slip. */
export function checkDirection(verb: string, what: string, from: unknown, to: unknown): void {
  if (typeof from !== "number" || typeof to !== "number") return;
  if (!(UP.test(verb) && to < from) && !(DOWN.test(verb) && to > from)) return;
  const reason = `The ${what} is ${from}, so it cannot be ${UP.test(verb) ? "raised" : "lowered"} to ${to}.`;
  throw refuse(reason, `Say "set the ${what} to ${to}" if that is meant.`);
}
