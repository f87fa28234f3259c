import type { Handler } from "cairn-gitops/host-api";

interface Input {
  activity: string;
  minutes: number;
  weight_kg: number;
  effort: number;
  unit: string;
  decimals: number;
}

/** Metabolic equivalents at a middling effort; what is not listed is taken for a brisk walk. */
const MET: Readonly<Record<string, number>> = { rowing: 7, cycling: 6.8, treadmill: 8.3, weights: 5 };

const estimateBurn: Handler<Input> = ({ activity, minutes, weight_kg, effort, unit, decimals }) => {
  const met = (MET[activity] ?? 4) * (0.5 + effort / 10);
  const kcal = (met * weight_kg * minutes) / 60;
  return { burned: Number((kcal * (unit === "kj" ? 4.184 : 1)).toFixed(decimals)) };
};

export default estimateBurn;
