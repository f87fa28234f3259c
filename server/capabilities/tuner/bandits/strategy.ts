import { CairnError } from "../../../errors.ts";

/** Strategy by which a bandit weighs its rewards. `docs/tuning-methods.md` has the formulas and their sources. */
export type Strategy =
  | { readonly kind: "ucb1"; /** Width of the bonus; 2 in Auer et al. */ readonly c: number }
  | { readonly kind: "ucb1_tuned" }
  | { readonly kind: "kl_ucb" }
  | { readonly kind: "thompson" }
  | { readonly kind: "sw_ucb"; /** Rewards remembered. */ readonly window: number; readonly xi: number }
  | {
      readonly kind: "d_ucb";
      /** Factor of a reward's weight at each later reward. */ readonly discount: number;
      readonly xi: number;
    };

/** The name under which the meaning of a stored state is pinned; a change of a formula is a new number. */
export function algorithmOf(strategy: Strategy): string {
  return `${strategy.kind}@1`;
}

/** Refuses parameters that no formula is made for. */
export function assertStrategy(strategy: Strategy): void {
  if (strategy.kind === "ucb1") assertAbove("c", strategy.c);
  if (strategy.kind === "sw_ucb" || strategy.kind === "d_ucb") assertAbove("xi", strategy.xi);
  if (strategy.kind === "sw_ucb" && !(Number.isSafeInteger(strategy.window) && strategy.window > 0)) {
    throw new CairnError("BAD_REQUEST", `\`window\` is \`${strategy.window}\`; it must be a whole number above 0.`);
  }
  if (strategy.kind === "d_ucb" && !(strategy.discount > 0 && strategy.discount < 1)) {
    throw new CairnError("BAD_REQUEST", `\`discount\` is \`${strategy.discount}\`; it must lie between 0 and 1.`);
  }
}

function assertAbove(name: string, value: number): void {
  if (!(value > 0 && value < Infinity)) {
    throw new CairnError("BAD_REQUEST", `\`${name}\` is \`${value}\`; it must be above 0.`);
  }
}
