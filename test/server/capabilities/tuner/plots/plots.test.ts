import { describe, expect, test } from "vitest";
import type { Collected } from "../../../../../server/capabilities/tuner/plots/collect-series.ts";
import { PLOTS, listPlots } from "../../../../../server/capabilities/tuner/plots/plots.ts";
import { renderPicture } from "../../../../../server/capabilities/tuner/plots/render-picture.ts";
import type { TunedSet } from "../../../../../server/capabilities/tuner/state/tuned-set.ts";
import {
  createNumberSet,
  createPreferenceSet,
  createTestSet,
  simulateArms,
  simulateSearch,
  toFitted,
} from "../../../../helpers/simulate-experiment.ts";

function draw(name: string, set: TunedSet, collected: Collected) {
  const plot = PLOTS.find((one) => one.name === name);
  if (plot === undefined) throw new TypeError(`There is no plot ${name}.`);
  return plot.draw(set, collected);
}

/** Rows of the first data set in a specification. */
function rowsOf(spec: unknown): readonly Record<string, number | string>[] {
  const found = JSON.stringify(spec).match(/"values":(\[\{.*?\}\])/)?.[1];
  return JSON.parse(found ?? "[]") as readonly Record<string, number | string>[];
}

/** Where points are drawn, in the order of their data. */
async function pointsOf(...args: Parameters<typeof draw>): Promise<readonly (readonly [x: number, y: number])[]> {
  const svg = await renderPicture(draw(...args));
  const marks = /<g class="mark-symbol role-mark[^>]*>(.*?)<\/g>/s.exec(svg)?.[1] ?? "";
  return [...marks.matchAll(/translate\(([\d.-]+),([\d.-]+)\)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
}

describe("an experiment has the pictures of its strategy", () => {
  test.each([
    [
      "arms",
      createTestSet({ kind: "ucb1_tuned" }, ["a", "b"]),
      ["arm-means", "allocation", "cumulative-reward", "propensities", "stop-rule", "reward-delays"],
    ],
    ["numbers", createNumberSet(["x"]), ["search-progress", "reward-delays"]],
    ["items", createPreferenceSet("items"), ["strengths", "win-probabilities"]],
    ["features", createPreferenceSet("features"), ["strengths"]],
  ] as const)("%s", (_kind, set, names) => {
    expect(listPlots(set).map(({ name }) => name)).toEqual(names);
  });

  test("and no name of a picture ends with another's, so that addresses are read in one way", () => {
    const names = PLOTS.map(({ name }) => name);
    expect(names.filter((name) => names.some((other) => other !== name && name.endsWith(`-${other}`)))).toEqual([]);
  });
});

describe("of three arms", () => {
  const set = createTestSet({ kind: "thompson" }, ["low", "high", "middle"]);
  const collected = simulateArms(set, [0.3, 0.7, 0.5], 500);
  const last = collected.arms?.series.points.at(-1);

  test("the one with the higher mean is drawn higher", async () => {
    const points = await pointsOf("arm-means", set, collected);
    const [low = 0, high = 0, middle = 0] = points.map(([, y]) => y);
    expect(points.length).toBe(3);
    expect(high).toBeLessThan(middle);
    expect(middle).toBeLessThan(low);
  });

  test("means are in the unit of the reward, and a reward to be small is drawn as small", () => {
    const { reward } = set.experiment;
    const least = { ...set, experiment: { ...set.experiment, reward: { ...reward, optimize: "min" as const } } };
    const [most, fewest] = [set, least].map((one) => rowsOf(draw("arm-means", one, collected).spec).at(-1)?.["mean"]);
    const { sum = 0, rewards = 1 } = last?.arms[2] ?? {};
    expect(most).toBeCloseTo((5 * sum) / rewards, 1);
    expect(Number(most) + Number(fewest)).toBeCloseTo(5, 12);
  });

  test("shares add up to 1 at all times", () => {
    const shares = new Map<number, number>();
    for (const { x, share } of rowsOf(draw("allocation", set, collected).spec)) {
      shares.set(Number(x), (shares.get(Number(x)) ?? 0) + Number(share));
    }
    expect(shares.size).toBeGreaterThan(5);
    for (const share of shares.values()) expect(share).toBeCloseTo(1, 12);
  });

  test("what was earned is the sum of the rewards, and regret never falls", () => {
    const { spec, description } = draw("cumulative-reward", set, collected);
    const earned = rowsOf(spec).filter(({ series }) => series === "earned");
    expect(earned.at(-1)?.["value"]).toBeCloseTo(last?.arms.reduce((sum, arm) => sum + arm.sum, 0) ?? 0, 0);
    const [, differences] = (spec as { readonly vconcat: readonly unknown[] }).vconcat;
    const regret = rowsOf(differences).filter(({ series }) => series === "regret against the best arm");
    for (const [place, { value }] of regret.entries()) {
      expect(Number(value)).toBeGreaterThanOrEqual(Number(regret[place - 1]?.["value"] ?? 0) - 1e-9);
    }
    expect(description).toMatch(/^[\d.]+ earned by \d+ rewards\. Gain over the baseline: [\d.]+\. Regret/);
  });

  test("the gauge has a bar for each rival, the closest first, and says who leads", () => {
    const { spec, notes } = draw("stop-rule", set, collected);
    expect(rowsOf(spec).map(({ arm }) => arm)).toEqual(["middle", "low"]);
    expect(notes[0]).toMatch(/^high leads; .* the threshold, [\d.]+\.$/);
  });

  test("all conversations that were rewarded, wait or were given up are in the histogram", () => {
    const { state, delays } = collected;
    const rows = rowsOf(draw("reward-delays", set, collected).spec);
    const total = (kind: string) =>
      rows.reduce((sum, row) => sum + (row["kind"] === kind ? Number(row["count"]) : 0), 0);
    expect(total("came in time") + total("came late")).toBe(state.counts.rewarded);
    expect(total("came late")).toBe(delays.late);
    expect(total("came in time") + total("still waited for") + state.counts.expired).toBe(500);
  });
});

test("propensities are shown where they can be worked out in time", () => {
  const arms = Array.from({ length: 9 }, (_, place) => `arm-${place}`);
  const names = (set: TunedSet) => listPlots(set).map(({ name }) => name);
  expect(names(createTestSet({ kind: "thompson" }, arms))).not.toContain("propensities");
  expect(names(createTestSet({ kind: "thompson" }, arms.slice(1)))).toContain("propensities");
  expect(names(createTestSet({ kind: "kl_ucb" }, arms))).toContain("propensities");
});

test("with many arms, those that matter are shown and the rest are counted together", () => {
  const names = Array.from({ length: 30 }, (_, place) => `arm-${place}`);
  const set = createTestSet({ kind: "ucb1", c: 2 }, names);
  const collected = simulateArms(set, names.map((_, place) => place / 40), 600); // prettier-ignore
  const { spec, notes } = draw("allocation", set, collected);
  const shown = new Set(rowsOf(spec).map(({ series }) => series));
  expect(shown.size).toBe(9);
  expect(shown).toContain("arm-0");
  expect(shown).toContain("others");
  expect(notes).toEqual(["8 of 30 arms: the most used, and the baseline."]);
});

test("strengths are drawn in order, the strongest on top and to the right", async () => {
  const set = createPreferenceSet();
  const estimates = { weak: -1, strong: 2, fair: 0.5 };
  const fitted = toFitted(set, Object.fromEntries(Object.entries(estimates).map(([name, value]) => [name, { value, standardError: 0.2 }]))); // prettier-ignore
  const points = await pointsOf("strengths", set, fitted);
  expect(points.length).toBe(3);
  for (const [place, [x, y]] of points.entries()) {
    const [beforeX = Infinity, beforeY = -Infinity] = points[place - 1] ?? [];
    expect(x).toBeLessThan(beforeX);
    expect(y).toBeGreaterThan(beforeY);
  }
  const wins = rowsOf(draw("win-probabilities", set, fitted).spec);
  const chance = (row: string, column: string) =>
    wins.find((win) => win["row"] === row && win["column"] === column)?.["chance"];
  expect(chance("strong", "weak")).toBeCloseTo(1 / (1 + Math.exp(-3)), 12);
  expect(Number(chance("strong", "weak")) + Number(chance("weak", "strong"))).toBeCloseTo(1, 12);
});

test("the search's rewards are in their own unit and its restarts are marked", async () => {
  const set = createNumberSet(["x", "y"]);
  const collected = simulateSearch(set, 700, 0);
  const picture = draw("search-progress", set, collected);
  const [, best] = /best reward ([\d.]+)/.exec(picture.description) ?? [];
  expect(Number(best)).toBeGreaterThan(4.5);
  expect(Number(best)).toBeLessThanOrEqual(5);
  expect(picture.notes).toEqual(["Dotted lines: a new run began."]);
  expect(rowsOf(picture.spec).map(({ x }) => x)).toEqual(collected.search?.restarts);
});
