import { centre as centreOn, leastDeviations } from "./centring.ts";
import { cmaConstants } from "./constants.ts";
import { better, toValues } from "./cost.ts";
import { deviations, toSpectrum, type Spectrum } from "./covariance.ts";
import { rescale, type Distribution } from "./distribution.ts";
import { extendHistory } from "./history.ts";
import { compareCosts, noiseFactor, rankChange } from "./noise.ts";
import { mayRestart } from "./restarts.ts";
import type { Best, Candidate, CmaRun, CmaSearch, Generation } from "./search.ts";
import { MAX_DEVIATION, type CmaSettings } from "./settings.ts";
import { stopReasons } from "./stop-reasons.ts";
import { update } from "./update.ts";
import { at, type Vector } from "./vector.ts";

/** Largest number of candidates without a result that are remembered after their generation. */
const MAX_LATE = 100;

/** A candidate with what it cost in the end: infinitely much when it failed or is missing. */
interface Judged extends Candidate {
  readonly cost: number;
}

/** Takes a search as far as its results allow: to second evaluations, to the next generation, or to the end of a run. */
export function advance(search: CmaSearch, { complete = false } = {}): CmaSearch {
  const { open, run, settings } = search;
  if (open === null || run === null) return search;
  const waiting = [...open.candidates, ...(open.again ?? [])].some(({ outcome }) => outcome === null);
  if (waiting && !complete) return search;
  const again = open.again ?? (complete ? [] : toSecondEvaluations(settings, open));
  if (open.again === null && again.length > 0) return { ...search, open: { ...open, again } };
  return closeRun(learn(search, run, open.candidates, again));
}

/** The first candidates with a result, which is not the best ones: those would look worse the second time by selection. */
function toSecondEvaluations({ reevaluate }: CmaSettings, { candidates }: Generation): Candidate[] {
  return candidates
    .filter(({ outcome, injected }) => typeof outcome === "number" && !injected)
    .slice(0, reevaluate)
    .map((candidate) => ({ ...candidate, id: `${candidate.id}r`, asked: false, outcome: null }));
}

/** Result of a generation for `advance`. */
interface Learnt {
  readonly search: CmaSearch;
  readonly run: CmaRun;
  /** Best first, without the failed and missing ones. */
  readonly costs: Vector;
  readonly spectrum: Spectrum;
}

function learn(search: CmaSearch, run: CmaRun, candidates: readonly Candidate[], again: readonly Candidate[]): Learnt {
  const { settings } = search;
  const ranked = candidates
    .map((candidate) => judge(candidate, again))
    .toSorted((a, b) => compareCosts(a.cost, b.cost));
  const costs = ranked.map(({ cost }) => cost).filter((cost) => Number.isFinite(cost));
  const bestWith = (best: Best | null) => ranked.reduce((soFar, candidate) => better(settings, soFar, candidate), best);
  const closed: CmaSearch = {
    ...search,
    open: null,
    late: [...search.late, ...candidates.filter(({ asked, outcome }) => asked && outcome === null)].slice(-MAX_LATE),
    best: bestWith(search.best),
  };
  const spectrum = toSpectrum(run.distribution.lagging ?? run.distribution.covariance, settings.parameters.length);
  const next = { ...run, generation: run.generation + 1, best: bestWith(run.best) };
  if (costs.length === 0) return { search: closed, run: next, costs, spectrum };

  const noise = measureNoise(candidates, again);
  const distribution = move(settings, run, { ranked, spectrum, noise });
  const history = extendHistory(run.history, {
    costs,
    lambda: run.lambda,
    mean: distribution.mean,
    generations: next.generation,
    still: settings.limits.tolXStagnation,
  });
  return { search: closed, run: { ...next, distribution, history, noise }, costs, spectrum };
}

function judge(candidate: Candidate, again: readonly Candidate[]): Judged {
  const { outcome } = candidate;
  if (typeof outcome !== "number") return { ...candidate, cost: Infinity };
  const second = findSecond(candidate, again);
  return { ...candidate, cost: second === undefined ? outcome : outcome / 2 + second / 2 };
}

function measureNoise(candidates: readonly Candidate[], again: readonly Candidate[]): number | null {
  const first = candidates.map(({ outcome }) => (typeof outcome === "number" ? outcome : Infinity));
  const seconds = candidates.map((candidate) => findSecond(candidate, again));
  const measured = [...seconds.keys()].filter((i) => seconds[i] !== undefined);
  if (measured.length === 0) return null;
  return rankChange(
    first,
    first.map((cost, i) => seconds[i] ?? cost),
    measured,
  );
}

function findSecond({ id }: Candidate, again: readonly Candidate[]): number | undefined {
  const outcome = again.find((candidate) => candidate.id === `${id}r`)?.outcome;
  return typeof outcome === "number" ? outcome : undefined;
}

function move(
  { parameters, convention }: CmaSettings,
  { distribution, lambda }: CmaRun,
  {
    ranked,
    spectrum,
    noise,
  }: { readonly ranked: readonly Judged[]; readonly spectrum: Spectrum; readonly noise: number | null },
): Distribution {
  const n = parameters.length;
  const constants = cmaConstants(n, lambda, convention);
  const centred = centreOn(parameters, distribution.mean, ranked.slice(0, constants.mu));
  const moved = update(distribution, constants, spectrum, [...centred, ...ranked.slice(constants.mu)]);
  const sigma = moved.sigma * (noise !== null && noise > 0 ? noiseFactor(n) : 1);
  return withinDeviations({ ...moved, sigma }, leastDeviations(parameters, moved.mean));
}

/** Coordinates too narrow for their steps are widened, and those too wide for their bounds narrowed. */
function withinDeviations(distribution: Distribution, least: Vector): Distribution {
  const factors = deviations(distribution.covariance, least.length).map((value, i) => {
    const deviation = distribution.sigma * value;
    if (deviation < at(least, i)) return at(least, i) / deviation;
    return deviation > MAX_DEVIATION ? MAX_DEVIATION / deviation : 1;
  });
  return rescale(distribution, factors);
}

function closeRun({ search, run, costs, spectrum }: Learnt): CmaSearch {
  const reasons = stopReasons(search.settings, run, {
    best: search.best,
    evaluations: search.evaluations,
    costs,
    spectrum,
  });
  if (Object.keys(reasons).length === 0) return { ...search, run };
  const { index, regime, lambda, generation, evaluations, best } = run;
  const centre = toValues(search.settings, run.distribution.mean);
  const ended = { index, regime, lambda, generations: generation, evaluations, best, centre, reasons };
  const finished = [...search.finished, ended];
  const restarts = mayRestart({ ...search, finished }, reasons);
  return { ...search, run: null, finished, stopped: restarts ? null : reasons };
}
