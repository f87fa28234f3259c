import { CairnError } from "../../../errors.ts";
import { toldKey } from "../../../store/keys.ts";
import { scaleReward } from "../bandits/scale-reward.ts";
import { toValues } from "../cma/cost.ts";
import { tell } from "../cma/tell.ts";
import { openCandidates } from "../state/candidates.ts";
import { countWaiting } from "../state/pending-pulls.ts";
import type { Values } from "../state/values.ts";
import type { TuningState } from "../state/tuning-state.ts";
import { type Desk, openBook } from "./desk.ts";
import { handOut } from "./step.ts";

export interface IterateRequest {
  readonly experiment: string;
  /** Results of candidates, in any order; a value in the unit of the experiment's rewards. */
  readonly results?: readonly ({ readonly candidate: string } & (
    { readonly value: number } | { readonly failed: true }
  ))[];
  readonly ask?: number;
}

export interface AskedCandidate {
  readonly candidate: string;
  /** To reward it with, as an alternative to telling its value. */
  readonly id: string;
  readonly values: Values;
}

/**
 * Tells a search what came of candidates, and hands out some that nobody has in hand: fewer than asked for, or none, while
 * the rest of the generation is being evaluated. A generation ends with its last result.
 */
export async function iterate(desk: Desk, { experiment, results = [], ask = 0 }: IterateRequest) {
  const book = await openBook(desk, experiment);
  const { set, state, enter } = book;
  if (state().learner.kind !== "evolution") {
    const { kind } = set.experiment.strategy;
    throw new CairnError("BAD_REQUEST", `\`${experiment}\` is tuned by \`${kind}\`, which has no candidates.`);
  }
  for (const result of results) {
    const { candidate } = result;
    const scaled = "value" in result ? scaleReward(set.experiment.reward, result.value) : null;
    assertWaitedFor(state(), candidate, scaled);
    const key = toldKey(desk.tenant, desk.version.commit, experiment, candidate);
    // Two that tell the same result at once both saw it missing; only one of them can be written.
    if ((await desk.get(key)) !== undefined) {
      throw new CairnError("CONFLICT", `Candidate \`${candidate}\` has its result already.`);
    }
    desk.set(key, desk.now);
    enter({ kind: "told", candidate, scaled, at: desk.now });
  }
  const candidates: AskedCandidate[] = [];
  for (const { id: candidate, x } of free(state()).slice(0, ask)) {
    const { learner, seq } = state();
    if (learner.kind !== "evolution") break;
    const values = toValues(learner.search.settings, x);
    const id = `${desk.callId}.${candidates.length}`;
    handOut(desk, book, id, { candidate, seq, values });
    candidates.push({ candidate, id, values });
  }
  return { told: results.length, candidates, set, state: state() };
}

/** @throws BAD_REQUEST or CONFLICT where the search does not wait for the candidate's result. */
function assertWaitedFor({ learner }: TuningState, candidate: string, scaled: number | null): void {
  if (learner.kind === "evolution") {
    tell(learner.search, candidate, scaled === null ? { failed: true } : { value: scaled });
  }
}

/** Open candidates that nobody has been given. */
function free({ learner, waiting }: TuningState) {
  if (learner.kind !== "evolution" || learner.search.stopped !== null) return [];
  const taken = countWaiting(waiting);
  return openCandidates(learner.search).current.filter(({ id }) => (taken[id] ?? 0) === 0);
}
