import { activate, watchOutcome, watchReward } from "./active-values.ts";
import { checkStop } from "./check-stop.ts";
import { learnReward, learnResult } from "./learn.ts";
import { expirePulls, forgetCandidates, takePull, waitForReward } from "./pending-pulls.ts";
import type { TunedSet } from "./tuned-set.ts";
import type { TuningEvent } from "./tuning-event.ts";
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
      return revert(state, event.by);
  }
}

/** What was active before is so again; nothing happens when nothing was. */
function revert(state: TuningState, by: string): TuningState {
  const last = state.former.at(-1);
  if (last === undefined) return state;
  const { values, arm } = last;
  const former = state.former.slice(0, -1);
  return { ...activate(state, { values, ...(arm === undefined ? {} : { arm }), why: "reverted", by }), former };
}

function count(state: TuningState, what: keyof TuningState["counts"]): TuningState {
  return { ...state, counts: { ...state.counts, [what]: state.counts[what] + 1 } };
}
