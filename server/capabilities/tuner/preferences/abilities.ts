import { Matrix } from "ml-matrix";
import { CairnError } from "../../../errors.ts";
import { type ChoiceFit, fitChoiceModel, type Offer } from "./choice-model.ts";

/** One fitted number. */
export interface Estimate {
  readonly value: number;
  readonly standardError: number;
  /** Not trusting the model to be true. */
  readonly robustStandardError: number;
}

/** Strengths of items, on the scale of log odds. Only differences have a meaning; the mean is 0. */
export interface Abilities {
  readonly items: readonly string[];
  /** In the order of `items`, then the model's further parameters. */
  readonly estimates: readonly Estimate[];
  readonly covariance: readonly (readonly number[])[];
  readonly logLikelihood: number;
  readonly l2: number;
  readonly iterations: number;
}

/**
 * Fits a model whose first columns are items and whose likelihood does not change when all abilities move together.
 * The objective is logL - l2/2 * |abilities|^2: `l2` is the inverse variance of a normal prior. Parameters after the
 * items are not penalised.
 */
export function fitAbilities(
  items: readonly string[],
  offers: readonly Offer[],
  further: number,
  l2: number,
): Abilities {
  if (!(l2 >= 0 && l2 < Infinity)) throw new CairnError("BAD_REQUEST", `\`l2\` is \`${l2}\`; it must be 0 or more.`);
  const count = items.length;
  // A penalty on the mean pins the gauge; it costs nothing at the maximum, where the mean is 0.
  const penalty = Matrix.zeros(count + further, count + further);
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) penalty.set(row, column, 1 / count + (row === column ? l2 : 0));
  }
  const fit = fitChoiceModel(offers, penalty);
  if (!fit.converged) {
    throw new CairnError(
      "UNPROCESSABLE",
      "The comparisons leave the likelihood without a maximum that is finite. Add comparisons, use a simpler model, or set `l2` above 0.",
    );
  }
  return { items, ...toEstimates(fit, count, l2), logLikelihood: fit.logLikelihood, l2, iterations: fit.iterations };
}

/** Abilities as differences from one item's, whose own are 0 without error; further parameters stay as they are. */
export function againstReference({ items, estimates, covariance }: Abilities, reference: string) {
  const place = items.indexOf(reference);
  if (place === -1) throw new CairnError("BAD_REQUEST", `The reference \`${reference}\` is none of the items.`);
  const contrasts = Matrix.eye(estimates.length);
  for (let row = 0; row < items.length; row += 1) contrasts.set(row, place, contrasts.get(row, place) - 1);
  const moved = contrasts.mmul(new Matrix(covariance.map((row) => [...row]))).mmul(contrasts.transpose());
  const values = contrasts.mmul(Matrix.columnVector(estimates.map(({ value }) => value))).to1DArray();
  return { values, standardErrors: rootsOf(moved), covariance: moved.to2DArray() };
}

/** Shares of the abilities' exponentials, which add up to 1: how often each item is the best of all. */
export function toWorths({ items, estimates }: Abilities): number[] {
  const abilities = estimates.slice(0, items.length).map(({ value }) => value);
  const highest = Math.max(...abilities);
  const worths = abilities.map((ability) => Math.exp(ability - highest));
  const total = worths.reduce((sum, worth) => sum + worth, 0);
  return worths.map((worth) => worth / total);
}

/** The places of items by name; refuses fewer than two, and one twice. */
export function placesOf(items: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map(items.map((item, place) => [item, place]));
  if (items.length < 2) throw new CairnError("BAD_REQUEST", "A comparison needs at least two items.");
  const twice = items.find((item, place) => places.get(item) !== place);
  if (twice !== undefined) throw new CairnError("BAD_REQUEST", `The item \`${twice}\` is listed twice.`);
  return places;
}

export function placeOf(places: ReadonlyMap<string, number>, item: string): number {
  const place = places.get(item);
  if (place === undefined) throw new CairnError("BAD_REQUEST", `\`${item}\` is compared but is none of the items.`);
  return place;
}

function toEstimates({ weights, covariance, robustCovariance }: ChoiceFit, count: number, l2: number) {
  // The gauge's own variance, which is of the penalty and not of the data, is taken out again.
  const centred = covariance.clone();
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      centred.set(row, column, centred.get(row, column) - 1 / (count * (l2 + 1)));
    }
  }
  const errors = rootsOf(centred);
  const robust = rootsOf(robustCovariance);
  const estimates = weights.map((value, place) => ({
    value,
    standardError: errors[place] ?? 0,
    robustStandardError: robust[place] ?? 0,
  }));
  return { estimates, covariance: centred.to2DArray() };
}

function rootsOf(matrix: Matrix): number[] {
  return matrix.diagonal().map((variance) => Math.sqrt(Math.max(0, variance)));
}
