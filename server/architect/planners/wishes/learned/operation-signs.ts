import type { Signs } from "../guess/signs.ts";
import { operationOf } from "./operations.ts";

/** Logarithms of probabilities are cut off here: what a model has never seen may be meant all the same. */
const LEAST = -5;
const RARE = 0.003;
const NEVER = 0.01;

/** Signs of how well a guess fits the operations that a message seems to ask for; of several wishes, the mean of them. */
export function operationSigns(shares: ReadonlyMap<string, number>, name: string): Signs {
  const none = shares.get("none") ?? 0;
  const rest = [...shares].filter(([operation]) => operation !== "none");
  const [first] = rest.sort(([, one], [, other]) => other - one);
  const operations = name.split(" & ").map(operationOf);
  const mean = (value: (operation: string) => number) =>
    operations.reduce((sum, operation) => sum + value(operation), 0) / operations.length;
  return {
    op: mean((operation) => Math.max(LEAST, Math.log((shares.get(operation) ?? 0) / (1 - none + 1e-6) + RARE))),
    best: mean((operation) => (operation === first?.[0] ? 1 : 0)),
    none: Math.log(none + NEVER),
  };
}
