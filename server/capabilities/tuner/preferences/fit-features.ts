import { CairnError } from "../../../errors.ts";
import type { PreferenceStrategy } from "../../../versions/experiment.ts";
import { type FeaturePair, fitFeaturePreference } from "./feature-preference.ts";
import { judgeHeldOut, type PairsReport } from "./judge-held-out.ts";

interface NamedPair {
  readonly preferred: Readonly<Record<string, number>>;
  readonly other: Readonly<Record<string, number>>;
}

/** Weights of features, and how well they foretell pairs held out. */
export function fitFeatures(
  features: readonly string[],
  pairs: readonly NamedPair[],
  { l2, targetPrecision }: Pick<PreferenceStrategy, "l2" | "targetPrecision">,
  seed: string,
): PairsReport {
  const rows = pairs.map(({ preferred, other }, index): FeaturePair => ({
    preferred: toRow(features, preferred, index),
    other: toRow(features, other, index),
  }));
  const whole = fitFeaturePreference(features, rows, { l2 });
  const judged = judgeHeldOut(rows, seed, targetPrecision, (rest) => {
    const { weights } = fitFeaturePreference(features, rest, { l2 });
    return ({ preferred, other }) =>
      weights.reduce((sum, { value }, at) => sum + value * ((preferred[at] ?? 0) - (other[at] ?? 0)), 0);
  });
  return {
    estimates: Object.fromEntries(
      features.map((feature, at) => {
        const { value = 0, standardError = null } = whole.weights[at] ?? {};
        return [feature, { value, standardError }];
      }),
    ),
    logLikelihood: whole.logLikelihood,
    separable: whole.separable,
    ...judged,
  };
}

function toRow(features: readonly string[], values: Readonly<Record<string, number>>, pair: number): number[] {
  const names = Object.keys(values);
  const missing = features.find((feature) => !names.includes(feature));
  const strange = names.find((name) => !features.includes(name));
  if (missing === undefined && strange === undefined) return features.map((feature) => values[feature] ?? 0);
  const wrong = strange === undefined ? `lacks \`${missing}\`` : `has \`${strange.slice(0, 64)}\``;
  const all = features.map((feature) => `\`${feature}\``).join(", ");
  throw new CairnError("BAD_REQUEST", `Pair ${pair} ${wrong}; its features are ${all}.`);
}
