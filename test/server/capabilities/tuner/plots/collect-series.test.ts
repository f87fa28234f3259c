import { describe, expect, test } from "vitest";
import { collectSeries, createCollected } from "../../../../../server/capabilities/tuner/plots/collect-series.ts";
import { POINT_LIMIT } from "../../../../../server/capabilities/tuner/plots/thinned.ts";
import { foldEvent } from "../../../../../server/capabilities/tuner/state/fold-event.ts";
import type { TuningEvent } from "../../../../../server/capabilities/tuner/state/tuning-event.ts";
import { inherit } from "../../../../../server/capabilities/tuner/state/inheritance.ts";
import { createTuningState, RULES } from "../../../../../server/capabilities/tuner/state/tuning-state.ts";
import {
  createNumberSet,
  createTestSet,
  simulateArms,
  simulateSearch,
} from "../../../../helpers/simulate-experiment.ts";

const AT = 1_767_225_660_000;
const HOUR = 3_600_000;

describe("the series of an experiment with arms", () => {
  const set = createTestSet({ kind: "ucb1", c: 2 }, ["a", "b"], {
    exploration: { share: 1, floor: 0.1, assignBy: "conversation" },
  });
  const given = { conversation: "c", arm: "a", at: AT };
  const events: readonly TuningEvent[] = [
    { kind: "assigned", ...given },
    { kind: "assigned", ...given, arm: "b" },
    { kind: "rewarded", ...given, at: AT + HOUR, reward: 4, scaled: 0.8, assignedAt: AT, actor: "judge" },
    { kind: "observed", arm: "b", reward: 1, scaled: 0.2, at: AT + HOUR },
    { kind: "failed", ...given, at: AT + 2 * HOUR },
    { kind: "rewarded", ...given, at: AT + 60 * HOUR, reward: 4, scaled: 0.8, assignedAt: AT, actor: "judge" },
  ];
  const collected = events.reduce((soFar, event) => collectSeries(set, soFar, event), createCollected(set));

  test("go with the state that the events fold into", () => {
    expect(collected.state).toEqual(
      events.reduce((state, event) => foldEvent(set, state, event), createTuningState(set)),
    );
  });

  test("count what each arm was given and earned", () => {
    expect(collected.arms?.series.points.map(({ assigned, rewarded }) => [assigned, rewarded])).toEqual([
      [1, 0],
      [2, 0],
      [2, 1],
      [2, 2],
      [3, 2],
      [3, 3],
    ]);
    expect(collected.arms?.series.points.at(-1)?.arms).toMatchObject([
      { assigned: 2, rewards: 2, sum: 1.6 },
      { assigned: 1, rewards: 1, sum: 0.2 },
    ]);
  });

  test("count how long rewards took, and which were late", () => {
    expect(collected.delays.arrived).toEqual([1, ...Array.from({ length: 15 }, () => 0)]);
    expect(collected.delays.late).toBe(1);
  });

  test("have propensities that add up to 1, and no effective sample larger than the sample", () => {
    for (const { arms } of simulateArms(set, [0.4, 0.6], 600).arms?.series.points ?? []) {
      expect(arms.reduce((sum, { propensity }) => sum + propensity, 0)).toBeCloseTo(1, 12);
      for (const { effective, assigned } of arms) expect(effective).toBeLessThanOrEqual(assigned);
    }
  });

  test("have as large an effective sample as the sample where arms are equally likely", () => {
    const even = createTestSet({ kind: "ucb1", c: 2 }, ["a", "b"], {
      exploration: { share: 1, floor: 0.5, assignBy: "conversation" },
    });
    for (const { effective, assigned } of simulateArms(even, [0.5, 0.5], 200).arms?.series.points.at(-1)?.arms ?? []) {
      expect(effective).toBeCloseTo(assigned, 6);
    }
  });

  test("hold the true means in their bands", () => {
    const last = simulateArms(set, [0.4, 0.6], 800).arms?.series.points.at(-1);
    expect(last?.arms.map(({ low, high }, place) => low < 0.4 + 0.2 * place && high > 0.4 + 0.2 * place)).toEqual([true, true]); // prettier-ignore
  });
});

test("series do not grow with what has happened", () => {
  const set = createTestSet({ kind: "ucb1", c: 2 }, ["a", "b", "c"]);
  const [some, more] = [1000, 4000].map((count) => simulateArms(set, [0.5, 0.5, 0.5], count));
  const sizeOf = (value: unknown) => JSON.stringify(value).length;
  expect(more?.arms?.series.points.length).toBeLessThanOrEqual(POINT_LIMIT);
  expect(sizeOf(more)).toBeLessThan(1.5 * sizeOf(some));
});

test("the same events give the same series", () => {
  const set = createTestSet({ kind: "thompson" }, ["a", "b"]);
  expect(simulateArms(set, [0.4, 0.6], 200)).toEqual(simulateArms(set, [0.4, 0.6], 200));
});

describe("the series of a search", () => {
  const set = createNumberSet(["x", "y"]);
  const { state, search } = simulateSearch(set, 700, 0);

  test("begin where an inherited search stands, which is no restart", () => {
    const inherited = { seq: 699, hash: "0".repeat(64), state: inherit(set, state, set) };
    const opened = { kind: "opened", rules: RULES, inherited, at: AT } as const;
    const own = collectSeries(set, createCollected(set), opened).search;
    expect(own?.restarts).toEqual([]);
    expect(own?.series.points).toMatchObject([{ evaluations: 700 }]);
  });

  test("have a point for each generation, in which the best result only gets better", () => {
    const points = search?.series.points ?? [];
    expect(points[0]).toMatchObject({
      evaluations: 0,
      best: null,
      sigma: 0.25,
      deviations: [0.25, 0.25],
      axes: [1, 1],
    });
    expect(points.length).toBeGreaterThan(50);
    for (const [place, { best, median, bestSoFar, axes, means }] of points.entries()) {
      if (best !== null && median !== null) expect(best).toBeGreaterThanOrEqual(median);
      expect(bestSoFar ?? 0).toBeGreaterThanOrEqual(points[place - 1]?.bestSoFar ?? 0);
      expect(axes[0]).toBeGreaterThanOrEqual(axes[1] ?? 0);
      expect(means.every((mean) => mean >= 0 && mean <= 1)).toBe(true);
    }
  });

  test("name each restart", () => {
    const finished = state.learner.kind === "evolution" ? state.learner.search.finished : [];
    expect(finished.length).toBeGreaterThan(0);
    expect(search?.restarts.length).toBe(finished.length);
    // Results that came too late for their generation are told, too, but are no part of a run.
    const [first = 0] = search?.restarts ?? [];
    expect(first - (finished[0]?.evaluations ?? 0)).toBeGreaterThanOrEqual(0);
    expect(first - (finished[0]?.evaluations ?? 0)).toBeLessThan(6);
  });
});
