import type { Handler } from "cairn-gitops/host-api";

interface Input {
  recipe: string;
  litres: number;
  plato: number;
  bitterness: number;
  hop_form: string;
  sparge: boolean;
}

/** How much of its weight a recipe's grain holds back as water; what is not listed is taken for plain. */
const THIRST: Readonly<Record<string, number>> = { pale_ale: 1, stout: 1.1, wheat: 1.2 };
const GRADE: Readonly<Record<string, number>> = { soft: 0.97, medium: 1, hard: 1.04 };

const scaleRecipe: Handler<Input> = (input, ctx) => {
  const { efficiency = 0.78, boil_off = 0.08, boil_minutes = 70, water_grade = "medium" } = ctx.params["kettle"] ?? {};
  const malt = (input.litres * input.plato) / 100 / (0.8 * Number(efficiency));
  const grip = (Number(boil_minutes) / 70) * (input.hop_form === "cones" ? 0.9 : 1);
  const hops = (input.litres * input.bitterness * (GRADE[String(water_grade)] ?? 1)) / (24 * grip);
  const water = input.litres * (1 + Number(boil_off)) + malt * (THIRST[input.recipe] ?? 1);
  const tenth = (value: number): number => Math.round(value * 10) / 10;
  return { malt_kg: tenth(malt), hops_g: tenth(hops), water_l: tenth(input.sparge ? water : water * 0.9) };
};

export default scaleRecipe;
