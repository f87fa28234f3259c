import { hash } from "node:crypto";
import { CairnError } from "../../../errors.ts";
import { canonicalJson } from "../../../json/canonical-json.ts";
import type { PreferenceStrategy } from "../../../versions/experiment.ts";
import { fitFeatures } from "../preferences/fit-features.ts";
import { fitItems } from "../preferences/fit-items.ts";
import type { TunedSet } from "../state/tuned-set.ts";
import type { Fit, Values } from "../state/values.ts";
import { type Desk, openBook } from "./desk.ts";

/** One item was preferred to another, or, with `tie`, neither was. */
export interface ItemPair {
  readonly winner: string;
  readonly loser: string;
  readonly tie?: boolean;
}

/** Something with these features was preferred to something with others; each names every feature. */
export interface FeaturesPair {
  readonly preferred: Readonly<Record<string, number>>;
  readonly other: Readonly<Record<string, number>>;
}

export interface FitRequest {
  readonly experiment: string;
  readonly pairs?: readonly (ItemPair | FeaturesPair)[];
  /** Items, best first. */
  readonly rankings?: readonly (readonly string[])[];
}

/** Fits the experiment's model anew to what is given, and stages what it found. */
export async function fitPreferences(desk: Desk, request: FitRequest) {
  const { experiment, pairs = [], rankings = [] } = request;
  const { set, state, enter } = await openBook(desk, experiment);
  const { strategy } = set.experiment;
  if (strategy.kind !== "preference") {
    throw new CairnError("BAD_REQUEST", `\`${experiment}\` is tuned by \`${strategy.kind}\`, which fits no pairs.`);
  }
  if ((pairs.length === 0) === (rankings.length === 0)) {
    throw new CairnError("BAD_REQUEST", "Give `pairs` or `rankings`, and at least one of them.");
  }
  const { estimates, threshold, ...report } =
    strategy.model === "items"
      ? fitItems(
          set.experiment.arms.map(({ name }) => name),
          pairs.map(toItemPair),
          rankings,
          strategy,
          set.seed,
        )
      : fitFeatures([...set.parameters.keys()], toFeaturePairs(pairs, rankings), strategy, set.seed);
  const fit: Fit = {
    pairs: hash("sha256", canonicalJson({ pairs, rankings })),
    count: pairs.length + rankings.length,
    estimates,
    threshold: threshold?.threshold ?? null,
    values: toParameters(set, strategy, estimates),
  };
  enter({ kind: "fitted", fit, at: desk.now });
  return { set, state: state(), fit, threshold, ...report };
}

function toItemPair(pair: ItemPair | FeaturesPair, index: number): ItemPair {
  if ("winner" in pair) return pair;
  throw new CairnError(
    "BAD_REQUEST",
    `Pair ${index} has features; this experiment compares items: \`winner\`, \`loser\`.`,
  );
}

function toFeaturePairs(pairs: FitRequest["pairs"] & {}, rankings: readonly unknown[]): readonly FeaturesPair[] {
  if (rankings.length > 0) throw new CairnError("BAD_REQUEST", "Rankings are of items; this experiment fits features.");
  return pairs.map((pair, index) => {
    if ("preferred" in pair) return pair;
    throw new CairnError(
      "BAD_REQUEST",
      `Pair ${index} has items; this experiment fits features: \`preferred\`, \`other\`.`,
    );
  });
}

/** The strongest item; or the weights, as far as their parameters allow them. */
function toParameters(set: TunedSet, { model }: PreferenceStrategy, estimates: Fit["estimates"]): Values {
  const entries = Object.entries(estimates);
  if (model === "items") {
    const [best] = entries.toSorted(([, one], [, other]) => other.value - one.value);
    return set.experiment.arms.find(({ name }) => name === best?.[0])?.values ?? set.defaults;
  }
  return Object.fromEntries(
    entries.map(([name, { value }]) => {
      const parameter = set.parameters.get(name);
      if (parameter === undefined || parameter.type === "categorical") return [name, value];
      return [name, Math.min(parameter.max, Math.max(parameter.min, value))];
    }),
  );
}
