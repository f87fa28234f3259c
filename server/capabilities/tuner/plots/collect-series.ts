import { foldEvent } from "../state/fold-event.ts";
import type { TunedSet } from "../state/tuned-set.ts";
import type { TuningEvent } from "../state/tuning-event.ts";
import { createTuningState, type TuningState } from "../state/tuning-state.ts";
import { type ArmHistory, createArmHistory, extendArmHistory } from "./arm-history.ts";
import { createRewardDelays, extendRewardDelays, type RewardDelays } from "./reward-delays.ts";
import { createSearchHistory, extendSearchHistory, type SearchHistory } from "./search-history.ts";

/** Data for the pictures of an experiment: plain JSON, bounded by the experiment and not by its history. */
export interface Collected {
  readonly state: TuningState;
  readonly delays: RewardDelays;
  /** Null where there are no arms. */
  readonly arms: ArmHistory | null;
  /** Null where no numbers are searched. */
  readonly search: SearchHistory | null;
}

/** Before the first event. */
export function createCollected(set: TunedSet): Collected {
  const state = createTuningState(set);
  return {
    state,
    delays: createRewardDelays(),
    arms: state.learner.kind === "bandit" ? createArmHistory(set) : null,
    search: state.learner.kind === "evolution" ? createSearchHistory(state) : null,
  };
}

/** After one more event. A pure function, as `foldEvent` is: the same events give the same series. */
export function collectSeries(set: TunedSet, collected: Collected, event: TuningEvent): Collected {
  const { state: before, delays, arms, search } = collected;
  const after = foldEvent(set, before, event);
  return {
    state: after,
    delays: extendRewardDelays(set, delays, event),
    arms: arms && extendArmHistory(set, arms, { event, before, after }),
    // What a search has inherited with the first event is where its own history begins.
    search:
      search &&
      (event.kind === "opened" && before.seq < 0
        ? createSearchHistory(after)
        : extendSearchHistory(search, before, after)),
  };
}
