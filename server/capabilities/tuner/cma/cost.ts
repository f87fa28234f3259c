import { toUnit } from "./bounds.ts";
import { toValue } from "./parameter.ts";
import type { Best } from "./search.ts";
import type { CmaSettings } from "./settings.ts";
import { at, type Vector } from "./vector.ts";

/** Converts a reported value to the cost that is minimised; its own inverse. */
export function toCost({ direction }: CmaSettings, value: number): number {
  return direction === "maximize" ? 0 - value : value;
}

/** The parameters' values at a point of the search space. */
export function toValues({ parameters }: CmaSettings, x: Vector): Record<string, number> {
  return Object.fromEntries(parameters.map((parameter, i) => [parameter.name, toValue(parameter, toUnit(at(x, i)))]));
}

/** The better of the best so far and a point; the earlier when they are as good. */
export function better(
  settings: CmaSettings,
  best: Best | null,
  { id, x, cost }: { readonly id: string; readonly x: Vector; readonly cost: number },
): Best | null {
  if (!Number.isFinite(cost) || (best !== null && toCost(settings, best.value) <= cost)) return best;
  return { id, values: toValues(settings, x), value: toCost(settings, cost) };
}
