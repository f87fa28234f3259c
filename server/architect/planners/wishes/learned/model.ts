import type { Signs } from "../guess/signs.ts";
import type { Clause } from "../clause.ts";
import { toFeatures } from "./features.ts";
import { WEIGHTS } from "./weights.ts";

/** A linear model of operations: the weight of each operation for each feature. */
export interface Model {
  readonly operations: readonly string[];
  readonly weights: ReadonlyMap<string, Readonly<Record<number, number>>>;
}

/** The first character of weights, and how many steps are one unit. */
const ZERO = 0x4e;
const STEP = 10;
const FIRST = 0x21;

/**
 * Reads a model from its text: operations, then a line for each feature with pairs of characters for the operation and its
 * weight in tenths.
 */
export function readModel(text: string): Model {
  const [head = "", ...lines] = text.trim().split("\n");
  const weights = new Map(
    lines
      .flatMap((line) => line.split("\t"))
      .flatMap((entry): readonly (readonly [string, Record<number, number>])[] => {
        const cut = entry.lastIndexOf("|");
        if (cut < 0) return [];
        const own: Record<number, number> = {};
        for (let at = cut + 1; at + 1 < entry.length; at += 2)
          own[entry.charCodeAt(at) - FIRST] = (entry.charCodeAt(at + 1) - ZERO) / STEP;
        return [[entry.slice(0, cut), own]];
      }),
  );
  return { operations: head.split(" "), weights };
}

/** How likely a message asks for each operation, and for nothing (`none`); the probabilities add up to 1. */
export function sharesOf({ operations, weights }: Model, features: ReadonlySet<string>): ReadonlyMap<string, number> {
  const scores = operations.map(() => 0);
  for (const feature of features)
    for (const [at, weight] of Object.entries(weights.get(feature) ?? {}))
      scores[Number(at)] = (scores[Number(at)] ?? 0) + weight;
  const exps = scores.map((score) => Math.exp(score));
  const sum = exps.reduce((total, one) => total + one, 0);
  return new Map(operations.map((name, at) => [name, (exps[at] ?? 0) / sum]));
}

const model = readModel(WEIGHTS);

/** How likely a clause asks for each operation; `speech` are signs of how its message speaks. */
export function readOperations(clause: Pick<Clause, "tokens">, speech: Signs): ReadonlyMap<string, number> {
  return sharesOf(model, toFeatures(clause, speech));
}

/** The text of a model, as `readModel` reads it. */
export function writeModel({ operations, weights }: Model, lines: number): string {
  const entries = [...weights].flatMap(([feature, own]) => {
    const pairs = Object.entries(own).map(([at, weight]) =>
      String.fromCharCode(Number(at) + FIRST, Math.round(weight * STEP) + ZERO),
    );
    return pairs.length === 0 ? [] : [`${feature}|${pairs.join("")}`];
  });
  const size = Math.ceil(entries.length / lines);
  const rows = Array.from({ length: lines }, (_, row) => entries.slice(row * size, (row + 1) * size).join("\t"));
  return [operations.join(" "), ...rows.filter((row) => row !== "")].join("\n");
}
