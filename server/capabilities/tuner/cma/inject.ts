import { CairnError } from "../../../errors.ts";
import { fromUnit } from "./bounds.ts";
import { toCost } from "./cost.ts";
import { toPosition } from "./parameter.ts";
import type { CmaSearch } from "./search.ts";

/** Points that may wait for a generation. */
const MAX_KNOWN = 1_000;

/**
 * Puts a point from outside into the next generation, in the place of a drawn one. With a value it is not handed out; its
 * step is shortened to one that could have been drawn, and it never has a negative weight.
 * @throws BAD_REQUEST when a parameter is missing or unknown or out of its bounds, CONFLICT when too many wait.
 */
export function inject(
  search: CmaSearch,
  values: Readonly<Record<string, number>>,
  value: number | null = null,
): CmaSearch {
  const { settings, known } = search;
  const { parameters } = settings;
  if (known.length >= MAX_KNOWN) throw new CairnError("CONFLICT", `\`${MAX_KNOWN}\` points already wait.`);
  if (value !== null && !Number.isFinite(value)) {
    throw new CairnError("BAD_REQUEST", `The value of a known point is a finite number, not \`${value}\`.`);
  }
  for (const name of Object.keys(values)) {
    if (parameters.some((parameter) => parameter.name === name)) continue;
    throw new CairnError("BAD_REQUEST", `There is no parameter \`${name}\` here.`);
  }
  const x = parameters.map((parameter) => {
    const { name, low, high } = parameter;
    const own = values[name];
    if (own !== undefined && own >= low && own <= high) return fromUnit(toPosition(parameter, own));
    throw new CairnError("BAD_REQUEST", `The parameter \`${name}\` is from \`${low}\` to \`${high}\`, not \`${own}\`.`);
  });
  return { ...search, known: [...known, { x, cost: value === null ? null : toCost(settings, value) }] };
}
