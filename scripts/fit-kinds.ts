import { deflateSync } from "node:zlib";

/**
 * Linear classifiers of the kinds of change that messages want, one for each kind: support vector machines with squared hinge loss, by
 * coordinate descent in the dual (Hsieh et al., 2008). Used by `scripts/fit-sureness.ts`.
 */
export interface Example {
  readonly features: readonly string[];
  readonly kinds: readonly string[];
}

export interface KindModel {
  readonly kinds: readonly string[];
  readonly features: ReadonlyMap<string, number>;
  readonly rareness: Float64Array;
  /** A row for each kind, with a weight for each feature and the bias behind them. */
  readonly weights: readonly Float64Array[];
}

/** Messages that a feature and a kind stand in at least. */
const LEAST = 2;
const LEAST_OF_KIND = 5;
/** Cost of errors against the size of weights, and how much more those count on messages that want the kind. */
const COST = 0.5;
const WANTED = 3;
const ROUNDS = 25;
/** Largest weight of a written model, and those that it leaves out. */
const MOST = 127;
const SLIGHT = 2;

interface Row {
  readonly at: readonly number[];
  readonly by: readonly number[];
}

/** Fits a model to some messages. */
export function fitKinds(examples: readonly Example[]): KindModel {
  const counts = countAll(examples.map(({ features }) => features));
  const features = new Map(
    [...counts]
      .filter(([, count]) => count >= LEAST)
      .map(([feature]) => feature)
      .sort()
      .map((feature, at) => [feature, at]),
  );
  const rareness = Float64Array.from(features.keys(), (one) => Math.log(examples.length / (counts.get(one) ?? 1)));
  const rows = examples.map((one) => toRow(one.features, features, rareness));
  const kinds = [...countAll(examples.map((one) => one.kinds))]
    .filter(([, count]) => count >= LEAST_OF_KIND)
    .map(([kind]) => kind)
    .sort();
  const weights = kinds.map((kind) =>
    fitOne(
      rows,
      examples.map((one) => one.kinds.includes(kind)),
      features.size,
    ),
  );
  return { kinds, features, rareness, weights };
}

function countAll(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const one of new Set(list)) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

/** A message as a vector of length 1, in which rare features weigh more. */
function toRow(own: readonly string[], features: ReadonlyMap<string, number>, rareness: Float64Array): Row {
  const at = own.flatMap((feature) => features.get(feature) ?? []);
  const length = Math.hypot(...at.map((place) => rareness[place] ?? 0));
  return { at, by: at.map((place) => (rareness[place] ?? 0) / length) };
}

function fitOne(rows: readonly Row[], isWanted: readonly boolean[], size: number): Float64Array {
  const weights = new Float64Array(size + 1);
  const duals = new Float64Array(rows.length);
  for (let round = 0; round < ROUNDS; round += 1)
    for (let step = 0; step < rows.length; step += 1) {
      // A stride that is prime to nearly every number of rows visits them in another order each time.
      const place = (step * 7919 + round * 104_729) % rows.length;
      const { at, by } = rows[place] ?? { at: [], by: [] };
      const sign = isWanted[place] === true ? 1 : -1;
      const slack = 1 / (2 * COST * (sign > 0 ? WANTED : 1));
      let score = weights[size] ?? 0;
      for (let next = 0; next < at.length; next += 1) score += (weights[at[next] ?? 0] ?? 0) * (by[next] ?? 0);
      const old = duals[place] ?? 0;
      const slope = sign * score - 1 + slack * old;
      const dual = Math.max(0, old - slope / (2 + slack));
      if (dual === old) continue;
      duals[place] = dual;
      const change = (dual - old) * sign;
      weights[size] = (weights[size] ?? 0) + change;
      for (let next = 0; next < at.length; next += 1) {
        const index = at[next] ?? 0;
        weights[index] = (weights[index] ?? 0) + change * (by[next] ?? 0);
      }
    }
  return weights;
}

/** Scores of a message for each kind: above 0 it wants such a change. */
export function scoreKinds(model: KindModel, own: readonly string[]): ReadonlyMap<string, number> {
  const { at, by } = toRow(own, model.features, model.rareness);
  return new Map(
    model.kinds.map((kind, row) => {
      const weights = model.weights[row] ?? new Float64Array();
      return [
        kind,
        at.reduce((sum, place, next) => sum + (weights[place] ?? 0) * (by[next] ?? 0), weights.at(-1) ?? 0),
      ];
    }),
  );
}

/** The model as it is written: weights in whole units, without features of which none weighs anything. */
export function toKindFile({ kinds, features, rareness, weights }: KindModel): string {
  const unit =
    weights.reduce((most, row) => row.slice(0, -1).reduce((all, one) => Math.max(all, Math.abs(one)), most), 0) / MOST;
  const rows = [...features].map(([feature, at]) => ({
    feature,
    rareness: rareness[at] ?? 0,
    row: weights.map((own) => {
      const weight = Math.round((own[at] ?? 0) / unit);
      return Math.abs(weight) > SLIGHT ? weight : 0;
    }),
  }));
  const kept = rows.filter(({ row }) => row.some((weight) => weight !== 0));
  const model = {
    kinds,
    unit: Number(unit.toPrecision(6)),
    biases: weights.map((own) => (own.at(-1) ?? 0).toFixed(3)).join(" "),
    features: kept.map(({ feature }) => feature).join("\n"),
    rareness: kept.map((one) => one.rareness.toFixed(2)).join(" "),
    weights: deflateSync(Int8Array.from(kept.flatMap(({ row }) => row)), { level: 9 }).toString("base64"),
  };
  return `${JSON.stringify(model, undefined, 2)}\n`;
}
