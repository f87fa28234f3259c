import type { Handler } from "cairn-gitops/host-api";

interface Input {
  coaches: number;
  level: string;
  cleaners: number;
  graffiti_m2: number;
  agent: string;
  outdoors: boolean;
}

/** Effort of a level; what is not listed is like the standard. */
const EFFORT: Readonly<Record<string, number>> = { sweep: 0.4, standard: 1, deep: 2.5 };

const planCleaning: Handler<Input> = (input, ctx) => {
  const { rhythm = "thorough", minutes_per_coach = 18, litres_per_coach = 9 } = ctx.params["cleaning_plan"] ?? {};
  const effort = EFFORT[input.level] ?? 1;
  const pace = rhythm === "brisk" ? 0.8 : 1;
  const paint = input.graffiti_m2 * (input.agent === "citrus" ? 4 : 7);
  const work = input.coaches * Number(minutes_per_coach) * effort * pace + paint;
  return {
    minutes: Math.max(1, Math.ceil(work / input.cleaners) + (input.outdoors ? 10 : 0)),
    litres: Math.round(input.coaches * Number(litres_per_coach) * effort * 10) / 10,
  };
};

export default planCleaning;
