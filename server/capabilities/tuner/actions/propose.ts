import { CairnError } from "../../../errors.ts";
import { canonicalJson } from "../../../json/canonical-json.ts";
import type { Store } from "../../../store/store.ts";
import { unscaleReward } from "../bandits/scale-reward.ts";
import { bestArmProbabilities } from "../bandits/best-arm-probabilities.ts";
import { hashAt, type Ledger } from "../ledger.ts";
import { estimateOffPolicy } from "../off-policy/estimate-off-policy.ts";
import { type LogLine, toLoggedChoices } from "../off-policy/to-logged-choices.ts";
import { listPlots } from "../plots/plots.ts";
import { suggestValues } from "../state/suggest-values.ts";
import type { TuningState } from "../state/tuning-state.ts";
import { toArmReports } from "../views/arm-report.ts";
import { toExperimentView } from "../views/experiment-view.ts";
import { readResults } from "../views/read-results.ts";
import { type Desk, openExperiment } from "./desk.ts";

/** Rewards, the newest, that estimates of other strategies go by. */
const LOG_LIMIT = 100_000;
/** Weights above this are cut in the clipped estimate. */
const CLIP = 10;
const LEVEL = 0.95;

/**
 * Proposes new defaults, with the evidence that a reviewer needs. Changes nothing. Without a result, it proposes the
 * values that a person promoted on purpose, and the evidence says that there is none.
 * @throws CONFLICT when nothing is known yet, and nothing was promoted.
 */
export async function propose(desk: Desk, { experiment }: { readonly experiment: string }) {
  const ledger = await openExperiment(desk, experiment);
  const { set } = ledger;
  const state = await ledger.read();
  const suggested = suggestValues(set, state) ?? (state.active.why === "default" ? undefined : state.active);
  if (suggested === undefined) {
    throw new CairnError("CONFLICT", `Nothing is known of \`${experiment}\` yet that could be proposed.`);
  }
  const { values, arm } = suggested;
  const changes = Object.keys(values)
    .sort()
    .filter((name) => values[name] !== set.defaults[name])
    .map((parameter) => ({ parameter, from: set.defaults[parameter] ?? null, to: values[parameter] ?? null }));
  return {
    experiment,
    file: desk.version.parameters.get(experiment)?.file ?? "",
    commit: desk.version.commit,
    version: desk.version.semver,
    values,
    ...(arm === undefined ? {} : { arm }),
    changes,
    isActive: canonicalJson(values) === canonicalJson(state.active.values),
    evidence: {
      algorithm: state.algorithm,
      seed: set.seed,
      events: { from: 0, to: state.seq, digest: await hashAt(ledger, state.seq) },
      state: toExperimentView(set, state),
      ...(await toArmEvidence(ledger, state, arm)),
      plots: listPlots(set).map(({ name }) => `assets://plots/${experiment}-${name}.svg`),
    },
  };
}

async function toArmEvidence(ledger: Ledger, { learner, seq }: TuningState, arm: string | undefined) {
  const { set } = ledger;
  const { baseline, reward } = set.experiment;
  if (learner.kind !== "bandit") return {};
  const best = bestArmProbabilities(learner.bandit.arms.map(({ total }) => total));
  const arms = toArmReports(set, learner.bandit).map((report, place) => ({ ...report, best: best[place] ?? 0 }));
  const log = await readLog(ledger, seq);
  const offPolicy = [...new Set([arm, baseline])].flatMap((one) => {
    if (one === undefined) return [];
    const estimates = log.some((line) => line.arm === one)
      ? estimateOffPolicy(toLoggedChoices(log, { [one]: 1 }), { clip: CLIP, level: LEVEL })
      : undefined;
    if (estimates === undefined) return [];
    const { effectiveSampleSize, ips, snips, doublyRobust } = estimates;
    const inUnit = (estimate: typeof ips) => ({
      value: unscaleReward(reward, estimate.value),
      interval:
        estimate.low === null || estimate.high === null
          ? null
          : [unscaleReward(reward, estimate.low), unscaleReward(reward, estimate.high)].sort(
              (a: number, b: number) => a - b,
            ),
    });
    const values = { ips: inUnit(ips), snips: inUnit(snips), doublyRobust: inUnit(doublyRobust) };
    return [{ always: one, rewards: log.length, effectiveSampleSize, ...values }];
  });
  return { arms, offPolicy };
}

async function readLog(ledger: Ledger, seq: number): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  for await (const { seq: at, arm, propensities, scaled } of readResults(ledger, Math.max(0, seq + 1 - LOG_LIMIT))) {
    if (at > seq) break;
    if (arm !== undefined && propensities !== undefined && scaled !== null) {
      lines.push({ arm, propensities, reward: scaled });
    }
  }
  return lines;
}

/** Asker of a proposal, and what it reads with. */
interface ProposalOptions extends Pick<
  Desk,
  "version" | "tenant" | "actor" | "callId" | "now" | "ledgers" | "settled"
> {
  readonly store: Pick<Store, "get">;
}

/** Reads what tuning proposes for an experiment, outside of any transaction. Rejects as `propose` does. */
export function askProposal({ store, ...place }: ProposalOptions, experiment: string): ReturnType<typeof propose> {
  const readOnly = () => {
    throw new TypeError("A plan writes nothing.");
  };
  const get: Desk["get"] = async (key) => (await store.get(key))?.value;
  return propose({ ...place, get, set: readOnly, append: readOnly }, { experiment });
}
