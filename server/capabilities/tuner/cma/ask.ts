import { CairnError } from "../../../errors.ts";
import { toSpectrum } from "./covariance.ts";
import { toValues } from "./cost.ts";
import { sample } from "./distribution.ts";
import { startRun, type RandomSource } from "./restarts.ts";
import type { Candidate, CmaRun, CmaSearch, Generation } from "./search.ts";
import { cmaConstants } from "./constants.ts";
import { zeros } from "./vector.ts";

/** Candidate to evaluate, with the id for its result. */
export interface AskedCandidate {
  readonly id: string;
  readonly values: Readonly<Record<string, number>>;
}

/**
 * Hands out up to `count` candidates that were not handed out before; fewer, or none, when the rest of the generation
 * must be told first. Opens a generation, and a run, when none is open.
 * @throws BAD_REQUEST for a count below 1, CONFLICT when the search has stopped.
 */
export function ask(
  search: CmaSearch,
  count: number,
  random: RandomSource,
): { readonly search: CmaSearch; readonly candidates: readonly AskedCandidate[] } {
  if (!Number.isInteger(count) || count < 1) {
    throw new CairnError("BAD_REQUEST", `The number of candidates to ask for is at least 1, not \`${count}\`.`);
  }
  if (search.stopped !== null) {
    const reasons = Object.keys(search.stopped).join("`, `");
    throw new CairnError("CONFLICT", `The search has stopped (\`${reasons}\`) and has no more candidates.`);
  }
  const { open, ...rest } = search.open === null ? openGeneration(search, random) : { ...search, open: search.open };
  const candidates: AskedCandidate[] = [];
  const handOut = (candidate: Candidate): Candidate => {
    if (candidate.asked || candidates.length === count) return candidate;
    candidates.push({ id: candidate.id, values: toValues(search.settings, candidate.x) });
    return { ...candidate, asked: true };
  };
  const again = open.again?.map(handOut) ?? null;
  return { search: { ...rest, open: { candidates: open.candidates.map(handOut), again } }, candidates };
}

function openGeneration(search: CmaSearch, random: RandomSource): CmaSearch & { readonly open: Generation } {
  const run = search.run ?? startRun(search, random);
  const { mu } = cmaConstants(run.distribution.mean.length, run.lambda);
  // The others are drawn: a generation of nothing but known points would learn nothing about where it stands.
  const taken = search.known.slice(0, mu);
  const drawn = draw(search.settings.seed, run, random);
  const candidates = drawn.map((candidate, k): Candidate => {
    const point = taken[k];
    if (point === undefined) return candidate;
    return { ...candidate, x: point.x, injected: true, asked: point.cost !== null, outcome: point.cost };
  });
  return { ...search, run, known: search.known.slice(taken.length), open: { candidates, again: null } };
}

/** Candidate k of a generation comes from its own stream of random numbers, so no draw depends on another. */
function draw(seed: string, run: CmaRun, { normal }: RandomSource): Candidate[] {
  const { index, generation, lambda, distribution } = run;
  const n = distribution.mean.length;
  const spectrum = toSpectrum(distribution.lagging ?? distribution.covariance, n);
  return Array.from({ length: lambda }, (_, k) => {
    const key = JSON.stringify([seed, index, generation, k]);
    const z = zeros(n).map((_zero, i) => normal(key, i));
    return {
      id: `${index}.${generation}.${k}`,
      x: sample(distribution, spectrum, z),
      injected: false,
      asked: false,
      outcome: null,
    };
  });
}
