import { activate, goBack } from "./active-values.ts";
import { checkStop } from "./check-stop.ts";
import { watchOutcome, watchReward } from "./guardrail.ts";
import { learnReward, learnResult } from "./learn.ts";
import { expirePulls, forgetCandidates, takePull, waitForReward } from "./pending-pulls.ts";
import type { TunedSet } from "./tuned-set.ts";
import type { OpenedEvent, TuningEvent } from "./tuning-event.ts";
import type { TuningState } from "./tuning-state.ts";

/**
 * The state after one more event. A pure function of its arguments, so the same events give the same state on any
 * machine and at any time. What was checked before an event was written is not checked again; an event that means
 * nothing any more (a result for a generation that has closed long ago) changes the counts alone.
 */
export function foldEvent(set: TunedSet, before: TuningState, event: TuningEvent): TuningState {
  const clock = Math.max(before.clock, event.at);
  const state = expirePulls(set, { ...before, seq: before.seq + 1, clock });
  switch (event.kind) {
    case "opened":
      return open(state, event);
    case "assigned":
      return watchOutcome(set, waitForReward(set, count(state, "assigned"), event), event, 0);
    case "failed": {
      const learnt =
        event.candidate === undefined
          ? learnReward(set, state, { ...event, scaled: 0 })
          : learnResult(state, event.candidate, null, clock);
      return checkStop(set, watchOutcome(set, forgetCandidates(count(learnt, "failed")), event, 1));
    }
    case "rewarded": {
      const settled = learnReward(set, takePull(set, count(state, "rewarded"), event), event);
      return checkStop(set, watchReward(set, forgetCandidates(settled), event));
    }
    case "observed":
      return checkStop(set, learnReward(set, count(state, "rewarded"), event));
    case "told":
      return checkStop(
        set,
        forgetCandidates(learnResult(count(state, "rewarded"), event.candidate, event.scaled, clock)),
      );
    case "fitted":
      return { ...state, learner: { kind: "preference", fit: event.fit } };
    case "promoted": {
      const { values, arm, by } = event;
      return activate(state, { values, ...(arm === undefined ? {} : { arm }), why: "promoted", by });
    }
    case "reverted":
      return goBack(state, { why: "reverted", by: event.by });
  }
}

/** Of several that were written at the same time, the first counts. Only a log that begins with it has an origin. */
function open(state: TuningState, { rules, parent, changed, inherited }: OpenedEvent): TuningState {
  if (rules <= state.rules) return state;
  if (state.seq > 0) return { ...state, rules };
  const origin = { ...(parent === undefined ? {} : { parent }), ...(changed === undefined ? {} : { changed }) };
  if (inherited === undefined) return { ...state, rules, origin };
  const { algorithm, results, guard, learner, ...taken } = inherited.state;
  const { seq, hash } = inherited;
  return {
    ...state,
    ...taken,
    rules,
    origin: { ...origin, inherited: { seq, hash, results } },
    // What was learnt under another meaning of the events is lost; what was decided is not.
    learner: algorithm === state.algorithm ? learner : state.learner,
    guard: { ...state.guard, ...guard },
  };
}

function count(state: TuningState, what: keyof TuningState["counts"]): TuningState {
  return { ...state, counts: { ...state.counts, [what]: state.counts[what] + 1 } };
}
