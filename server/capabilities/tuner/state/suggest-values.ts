import { toValues } from "../cma/cost.ts";
import type { TunedSet } from "./tuned-set.ts";
import type { Values } from "./values.ts";
import type { TuningState } from "./tuning-state.ts";

/** Suggests the values that staging holds for best; undefined while nothing is known. */
export function suggestValues(
  { experiment }: TunedSet,
  { learner, stopped }: TuningState,
): { readonly values: Values; readonly arm?: string } | undefined {
  if (learner.kind === "preference") return learner.fit === null ? undefined : { values: learner.fit.values };
  if (learner.kind === "evolution") {
    const { search } = learner;
    const { best, run, finished, settings } = search;
    if (best === null) return undefined;
    if (run !== null) return { values: toValues(settings, run.distribution.mean) };
    return { values: finished.find((ended) => ended.best?.id === best.id)?.centre ?? best.values };
  }
  const tried = learner.bandit.arms.filter(({ recent }) => recent.pulls > 0);
  const mean = ({ recent }: (typeof tried)[number]) => recent.sum / recent.pulls;
  const [first] = tried;
  if (first === undefined) return undefined;
  const leader = tried.reduce((best, arm) => (mean(arm) > mean(best) ? arm : best), first);
  const arm = stopped?.keep ?? leader.id;
  const values = experiment.arms.find(({ name }) => name === arm)?.values;
  return values === undefined ? undefined : { arm, values };
}
