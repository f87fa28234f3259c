import { type ArmSummary, evaluateStopRule, type Verdict } from "../stopping/stop-rule.ts";
import { summariseArm } from "../stopping/summarise-arm.ts";
import { activate } from "./active-values.ts";
import type { TunedSet } from "./tuned-set.ts";
import type { TuningState } from "./tuning-state.ts";

/** Ends the experiment, and promotes what it found, when its stop rule or its search says so. */
export function checkStop(set: TunedSet, state: TuningState): TuningState {
  if (state.stopped !== null) return state;
  const { learner } = state;
  if (learner.kind === "evolution") {
    const { stopped, best, finished } = learner.search;
    if (stopped === null) return state;
    const ended: TuningState = {
      ...state,
      stopped: { seq: state.seq, reason: Object.keys(stopped).sort().join(", "), keep: null, verdict: null },
    };
    // The best of noisy results is the luckiest one; where the best run ended, all of its results had a say.
    const values = finished.find((run) => run.best?.id === best?.id)?.centre ?? best?.values;
    return values === undefined ? ended : activate(ended, { values, why: "stop rule" });
  }
  const verdict = judge(set, state);
  if (verdict === undefined || !verdict.stop || verdict.keep === undefined) return state;
  // An optimum that moves has no end; its winner of the moment is promoted, and the search goes on.
  const ended = forgets(set)
    ? state
    : { ...state, stopped: { seq: state.seq, reason: verdict.reason, keep: verdict.keep, verdict } };
  return promote(set, ended, verdict.keep);
}

/** Applies the stop rule to the arms; undefined where there is no rule. */
export function judge(set: TunedSet, state: TuningState): Verdict | undefined {
  const { stop, baseline, reward } = set.experiment;
  if (stop === undefined || state.learner.kind !== "bandit") return undefined;
  const [least, most] = reward.range;
  return evaluateStopRule(
    {
      delta: stop.delta,
      epsilon: stop.epsilon / (most - least),
      minSamplesPerArm: stop.minSamples,
      maxSamplesPerArm: stop.maxSamples,
      ...(baseline === undefined ? {} : { baseline }),
    },
    summarise(state),
  );
}

/** The arms as the stop rule sees them; none where there are none. */
export function summarise({ learner, rules }: TuningState): readonly ArmSummary[] {
  if (learner.kind !== "bandit") return [];
  const imagined = rules === 1 ? 0 : 1;
  return learner.bandit.arms.map((arm) => summariseArm({ ...arm, total: arm.recent }, imagined));
}

function forgets({ experiment: { strategy } }: TunedSet): boolean {
  return strategy.kind === "sw_ucb" || strategy.kind === "d_ucb";
}

function promote({ experiment }: TunedSet, state: TuningState, keep: string): TuningState {
  const arm = experiment.arms.find(({ name }) => name === keep);
  const isDone = state.active.arm === keep || state.guard.barred.includes(keep);
  if (arm === undefined || isDone || experiment.stop?.promote !== true) return state;
  return activate(state, { values: arm.values, arm: keep, why: "stop rule" });
}
