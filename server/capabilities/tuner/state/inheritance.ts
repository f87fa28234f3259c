import { canonicalJson } from "../../../json/canonical-json.ts";
import type { Parameter } from "../../../versions/version.ts";
import type { TunedSet } from "./tuned-set.ts";
import {
  type Active,
  createTuningState,
  type Guard,
  type Learner,
  type Stopped,
  type TuningState,
} from "./tuning-state.ts";

/** State that a version inherits from its parent: everything learnt and decided, and nothing in progress. */
export interface Inheritance extends Pick<TuningState, "algorithm" | "learner" | "active" | "former" | "stopped"> {
  readonly guard: Pick<Guard, "baseline" | "breach" | "barred">;
  /** Rewards, results or comparisons that were learnt from. */
  readonly results: number;
}

/**
 * Lists the differing parts of two definitions of an experiment that give its evidence a meaning; none where the evidence
 * of one counts for the other. Defaults, descriptions, order, exploration, stop rule, guardrail, and the deadline of
 * rewards do not matter.
 */
export function findChangedParts(before: TunedSet, after: TunedSet): readonly string[] {
  const [one, other] = [toDefinition(before), toDefinition(after)];
  return (Object.keys(one) as (keyof typeof one)[]).filter(
    (part) => canonicalJson(one[part]) !== canonicalJson(other[part]),
  );
}

function toDefinition({ parameters, experiment }: TunedSet) {
  const { range, optimize, outOfRange } = experiment.reward;
  return {
    parameters: Object.fromEntries([...parameters].map(([name, parameter]) => [name, toDomain(parameter)])),
    arms: Object.fromEntries(experiment.arms.map(({ name, values }) => [name, values])),
    strategy: experiment.strategy,
    reward: { range, optimize, outOfRange },
  };
}

function toDomain({ default: _default, description: _description, ...domain }: Parameter): object {
  return domain.type === "categorical"
    ? { ...domain, values: domain.values.map((value) => canonicalJson(value)).sort() }
    : domain;
}

/**
 * Makes the initial state of `to` from that of its parent. Its own defaults are active where they differ from the
 * parent's, because the release decided so. Awaited rewards and trials stay with the parent.
 */
export function inherit(from: TunedSet, state: TuningState, to: TunedSet): Inheritance {
  const { algorithm, active, former, guard, stopped } = state;
  const fresh = createTuningState(to);
  const isSame = canonicalJson(from.defaults) === canonicalJson(to.defaults);
  const isActive = canonicalJson(active.values) === canonicalJson(to.defaults);
  const isSameGuard = isSame && guard.baseline.alpha === fresh.guard.baseline.alpha;
  const learner = toLearner(state.learner, fresh.learner);
  return {
    algorithm,
    learner,
    active: isSame ? toOwn(active) : fresh.active,
    former: (isSame || isActive ? former : [...former, active]).map(toOwn),
    stopped: stopped === null ? null : toEnd(stopped, from, to),
    guard: {
      baseline: isSameGuard ? guard.baseline : fresh.guard.baseline,
      breach: guard.breach,
      barred: guard.barred,
    },
    results: countResults(learner),
  };
}

/** The events that it names are the parent's. */
function toOwn(active: Active): Active {
  return { ...active, since: Math.min(0, active.since) };
}

/** An experiment goes on under another stop rule; a search ends by its own reasons, which are part of it. */
function toEnd(stopped: Stopped, { experiment: before }: TunedSet, { experiment: after }: TunedSet): Stopped | null {
  const isSame = canonicalJson(before.stop ?? null) === canonicalJson(after.stop ?? null);
  if (!isSame && after.strategy.kind !== "cma_es") return null;
  // A verdict's figures stand in the order of the arms.
  const isOrdered = before.arms.every(({ name }, place) => name === after.arms[place]?.name);
  return { ...stopped, seq: 0, verdict: isOrdered ? stopped.verdict : null };
}

/** In the order that the version declares, and without what is still to come. */
function toLearner(learner: Learner, fresh: Learner): Learner {
  if (learner.kind === "bandit" && fresh.kind === "bandit") {
    const { arms, ...bandit } = learner.bandit;
    const known = new Map(arms.map((arm) => [arm.id, { ...arm, pending: 0 }]));
    return { kind: "bandit", bandit: { ...bandit, arms: fresh.bandit.arms.map((arm) => known.get(arm.id) ?? arm) } };
  }
  if (learner.kind !== "evolution" || fresh.kind !== "evolution") return learner;
  // A search that has no result yet begins where the version has its defaults.
  if (learner.search.evaluations === 0) return fresh;
  return { kind: "evolution", search: { ...learner.search, late: [] }, openedAt: 0 };
}

function countResults(learner: Learner): number {
  if (learner.kind === "preference") return learner.fit?.count ?? 0;
  if (learner.kind === "evolution") return learner.search.evaluations;
  return learner.bandit.arms.reduce((sum, { total }) => sum + total.pulls, 0);
}
