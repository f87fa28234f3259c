import { alignDecimals } from "./decimal.ts";
import type { Question } from "./decision.ts";

/** The numbers of a question, exact, and turned so that more is always better. */
export interface PayoffTable {
  /** One row for each alternative. */
  readonly gains: readonly (readonly bigint[])[];
  readonly scale: number;
  /** Turns a gain back into what was asked about. */
  readonly sign: 1n | -1n;
  readonly probabilities?: { readonly digits: readonly bigint[]; readonly scale: number };
}

/** Tolerance of the sum of probabilities around 1: a billionth. */
const TOLERANCE_SCALE = 9;

/** Finds a fault for which a question of valid form is no payoff table. */
export function findProblem({ states, alternatives }: Question): string | undefined {
  const twice = findRepeated(states) ?? findRepeated(alternatives);
  if (twice !== undefined) return `The name \`${twice}\` is there twice.`;
  for (const { name, payoffs } of alternatives) {
    if (payoffs.length === states.length) continue;
    return `\`${name}\` has ${payoffs.length} payoffs, but there are ${states.length} states; each state needs one.`;
  }
  const probabilities = states.flatMap(({ probability }) => (probability === undefined ? [] : [probability]));
  if (probabilities.length === 0) return undefined;
  const without = states.find(({ probability }) => probability === undefined);
  if (without !== undefined) return `The state \`${without.name}\` has no probability, but others have one.`;
  const { digits, scale } = alignDecimals(probabilities);
  const excess = sum(digits) - 10n ** BigInt(scale);
  const distance = excess < 0n ? -excess : excess;
  if (distance * 10n ** BigInt(TOLERANCE_SCALE) <= 10n ** BigInt(scale)) return undefined;
  const shown = probabilities.reduce((total, probability) => total + probability, 0);
  return `The probabilities are ${Number(shown.toPrecision(12))} in sum; they must be 1, to a billionth.`;
}

export function readPayoffTable({ orientation, states, alternatives }: Question): PayoffTable {
  const { digits, scale } = alignDecimals(alternatives.flatMap(({ payoffs }) => payoffs));
  const sign = orientation === "gain" ? 1n : -1n;
  const width = states.length;
  const gains = alternatives.map((_, row) => digits.slice(row * width, (row + 1) * width).map((value) => sign * value));
  const probabilities = states.flatMap(({ probability }) => (probability === undefined ? [] : [probability]));
  return { gains, scale, sign, ...(probabilities.length === 0 ? {} : { probabilities: alignDecimals(probabilities) }) };
}

export function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

export function greatest(values: readonly bigint[]): bigint {
  return values.reduce((best, value) => (value > best ? value : best));
}

export function least(values: readonly bigint[]): bigint {
  return values.reduce((worst, value) => (value < worst ? value : worst));
}

function findRepeated(named: readonly { readonly name: string }[]): string | undefined {
  const seen = new Set<string>();
  return named.find(({ name }) => seen.size === seen.add(name).size)?.name;
}
