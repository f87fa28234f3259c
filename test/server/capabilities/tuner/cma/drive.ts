import { ask, type AskedCandidate } from "../../../../../server/capabilities/tuner/cma/ask.ts";
import type { CmaParameter } from "../../../../../server/capabilities/tuner/cma/parameter.ts";
import type { RandomSource } from "../../../../../server/capabilities/tuner/cma/restarts.ts";
import { createSearch, type CmaSearch } from "../../../../../server/capabilities/tuner/cma/search.ts";
import type { CmaOptions } from "../../../../../server/capabilities/tuner/cma/settings.ts";
import { tell } from "../../../../../server/capabilities/tuner/cma/tell.ts";
import { normalAt } from "../../../../../server/capabilities/tuner/normal.ts";
import { uniformAt } from "../../../../../server/capabilities/tuner/uniform.ts";

export const random: RandomSource = { uniform: uniformAt, normal: normalAt };

export type Objective = (x: readonly number[]) => number;

/** `n` parameters x0, x1, ... without steps. */
export function floats(n: number, low = 0, high = 1): CmaParameter[] {
  return Array.from({ length: n }, (_, i) => ({ name: `x${i}`, low, high, scale: "linear", step: null }));
}

export function startSearch(options: Partial<CmaOptions> = {}): CmaSearch {
  return createSearch({ seed: "test", parameters: floats(2), ...options });
}

export function toPoint({ values }: { readonly values: AskedCandidate["values"] }): number[] {
  return Object.values(values);
}

export function evaluate(search: CmaSearch, candidates: readonly AskedCandidate[], objective: Objective): CmaSearch {
  return candidates.reduce(
    (state, candidate) => tell(state, candidate.id, { value: objective(toPoint(candidate)) }),
    search,
  );
}

/** All that can be asked at once, told. */
export function step(search: CmaSearch, objective: Objective): CmaSearch {
  const asked = ask(search, 10_000, random);
  return evaluate(asked.search, asked.candidates, objective);
}

/** Until the search stops or `done`. */
export function drive(
  search: CmaSearch,
  objective: Objective,
  done: (search: CmaSearch) => boolean = () => false,
): CmaSearch {
  let state = search;
  while (state.stopped === null && !done(state)) state = step(state, objective);
  return state;
}
