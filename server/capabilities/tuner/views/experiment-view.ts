import { unscaleReward } from "../bandits/scale-reward.ts";
import { armShares } from "../state/assign-values.ts";
import { judge, summarise } from "../state/check-stop.ts";
import { openCandidates } from "../state/candidates.ts";
import { thresholdOf } from "../state/guardrail.ts";
import { countWaiting } from "../state/pending-pulls.ts";
import { suggestValues } from "../state/suggest-values.ts";
import type { TunedSet } from "../state/tuned-set.ts";
import type { TuningState } from "../state/tuning-state.ts";
import { evidenceOf, type Harm } from "../stopping/comparison.ts";
import { toLeads } from "../stopping/stop-rule.ts";
import { toArmReports } from "./arm-report.ts";

/** Shows the state of one experiment to handlers, resources and people, in the units of its manifest. */
export function toExperimentView(set: TunedSet, state: TuningState) {
  const { experiment } = set;
  const { active, counts, seq, algorithm, guard } = state;
  const suggested = suggestValues(set, state);
  return {
    experiment: set.name,
    strategy: experiment.strategy.kind,
    algorithm,
    /** Of the last event; -1 before the first. */
    seq,
    active,
    staging: { ...toStaging(set, state), ...(suggested === undefined ? {} : { suggested }) },
    counts: { ...counts, waiting: Object.values(countWaiting(state.waiting)).reduce((sum, count) => sum + count, 0) },
    exploration: experiment.exploration,
    reward: experiment.reward,
    stop: toStop(set, state),
    origin: state.origin,
    guardrail: {
      trial: toTrial(set, state),
      breach: guard.breach,
      barred: guard.barred,
      calls: guard.failures.whole.count,
      errorRate: [guard.failures.whole.low, guard.failures.whole.high],
      reward: [
        unscaleReward(experiment.reward, guard.rewards.whole.low),
        unscaleReward(experiment.reward, guard.rewards.whole.high),
      ],
    },
  };
}

export type ExperimentView = ReturnType<typeof toExperimentView>;

function toStaging(set: TunedSet, state: TuningState) {
  const { learner } = state;
  const { experiment } = set;
  if (learner.kind === "preference") return { fit: learner.fit };
  if (learner.kind === "bandit") {
    const shares = armShares(set, state, learner.bandit, experiment.exploration.share);
    return {
      arms: toArmReports(set, learner.bandit).map((report, place) => ({
        ...report,
        probability: shares[place] ?? 0,
      })),
    };
  }
  const { run, best, evaluations, finished, stopped } = learner.search;
  const { current } = openCandidates(learner.search);
  return {
    search: {
      run: run?.index ?? finished.length,
      generation: run?.generation ?? null,
      population: run?.lambda ?? null,
      sigma: run?.distribution.sigma ?? null,
      noise: run?.noise ?? null,
      evaluations,
      open: current.length,
      best: best === null ? null : { values: best.values, reward: unscaleReward(experiment.reward, best.value) },
      stopped,
    },
  };
}

function toStop(set: TunedSet, state: TuningState) {
  const now = judge(set, state);
  // Of one that has ended, the numbers of that moment: later rewards of open conversations decided nothing.
  const verdict = state.stopped === null ? now : (state.stopped.verdict ?? undefined);
  const [least, most] = set.experiment.reward.range;
  const leads = now === undefined ? [] : toLeads(now, summarise(state));
  return {
    stopped: state.stopped === null ? null : { seq: state.stopped.seq, reason: state.stopped.reason },
    ...(verdict === undefined
      ? {}
      : { reason: verdict.reason, leader: verdict.leader, ratios: verdict.ratios, threshold: verdict.threshold }),
    ...(now === undefined
      ? {}
      : {
          epsilon: set.experiment.stop?.epsilon ?? 0,
          leads: leads.map(
            (lead, place) =>
              lead && {
                leader: now.leader,
                over: set.experiment.arms[place]?.name ?? "",
                by: (most - least) * lead.by,
                interval: [
                  Math.max(least - most, (most - least) * lead.low),
                  Math.min(most - least, (most - least) * lead.high),
                ] as const,
              },
          ),
        }),
  };
}

/** The comparison under way: failed calls, or rewards on average, of what is active and of what was so before. */
function toTrial({ experiment: { guardrail, reward } }: TunedSet, state: TuningState) {
  const { trial } = state.guard;
  if (trial === null) return null;
  const { about, since, comparison } = trial;
  const sideOf = ({ count, sum }: Harm) => {
    if (about === "failures") return { calls: count, failed: sum };
    return { rewards: count, mean: count === 0 ? null : unscaleReward(reward, 1 - sum / count) };
  };
  return {
    about,
    since,
    limit: about === "failures" ? guardrail?.maxErrorRate : guardrail?.maxDrop,
    active: sideOf(comparison.seen.active),
    former: { values: state.former.at(-1)?.values, ...sideOf(comparison.seen.former) },
    evidence: evidenceOf(comparison),
    threshold: thresholdOf(state),
  };
}
