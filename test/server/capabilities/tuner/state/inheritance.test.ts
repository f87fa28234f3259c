import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../../../server/json/canonical-json.ts";
import { assignValues } from "../../../../../server/capabilities/tuner/state/assign-values.ts";
import { foldEvent } from "../../../../../server/capabilities/tuner/state/fold-event.ts";
import { findChangedParts, inherit } from "../../../../../server/capabilities/tuner/state/inheritance.ts";
import { type TunedSet, toTunedSet } from "../../../../../server/capabilities/tuner/state/tuned-set.ts";
import type { TuningEvent } from "../../../../../server/capabilities/tuner/state/tuning-event.ts";
import {
  createTuningState,
  RULES,
  type TuningState,
} from "../../../../../server/capabilities/tuner/state/tuning-state.ts";
import { toGiven } from "../../../../../server/capabilities/tuner/state/values.ts";
import type { Experiment } from "../../../../../server/versions/experiment.ts";
import type { Parameter, ParameterSet } from "../../../../../server/versions/version.ts";
import { numberSet, toneSet } from "../tuned-set.ts";

const AT = 1_700_000_000_000;
const STOP = { delta: 0.05, epsilon: 0, minSamples: 5, maxSamples: 10_000, promote: true };
const GUARDRAIL = { maxErrorRate: 0.2, maxDrop: 0.1, delta: 0.05 };
const RUNS = process.env["CAIRN_LONG"] === "1" ? 200 : 20;

function tuned(parameters: ParameterSet, commit = "c"): TunedSet {
  const set = toTunedSet(parameters, "tenant", commit.repeat(40));
  if (set === undefined) throw new Error("no experiment");
  return set;
}

const thompson = (overrides: Partial<Experiment> = {}) => toneSet({ kind: "thompson" }, overrides);
const withParameter = (set: ParameterSet, name: string, parameter: Parameter): ParameterSet => ({
  ...set,
  parameters: new Map([...set.parameters, [name, parameter]]),
});
const withExperiment = (set: ParameterSet, overrides: Partial<Experiment>): ParameterSet => {
  if (set.experiment === undefined) throw new Error("no experiment");
  return { ...set, experiment: { ...set.experiment, ...overrides } };
};
const TONE: Parameter = { type: "categorical", values: ["dry", "kind", "loud"], default: "dry" };
const reward = { range: [0, 1], optimize: "max", outOfRange: "reject", deadline: 3600, late: "drop" } as const;

/** The set with another default, whose arms stay what they are. */
const defaultingTo = (tone: string) =>
  withExperiment(withParameter(thompson(), "tone", { ...TONE, default: tone }), { baseline: tone });

describe("the definition of an experiment", () => {
  const before = tuned(thompson({ stop: STOP, guardrail: GUARDRAIL }));
  const numbers = tuned(numberSet());
  const pace: Parameter = { type: "float", min: 1, max: 100, scale: "log", default: 10 };

  test.each<readonly [string, TunedSet, TunedSet]>([
    ["nothing", before, tuned(thompson({ stop: STOP, guardrail: GUARDRAIL }), "d")],
    ["a default", before, tuned(defaultingTo("kind"))],
    [
      "a description",
      before,
      tuned({ ...withParameter(thompson(), "tone", { ...TONE, description: "How." }), description: "Else." }),
    ],
    ["the guardrail", before, tuned(thompson({ stop: STOP }))],
    ["the stop rule", before, tuned(thompson({ guardrail: GUARDRAIL }))],
    ["exploration", before, tuned(thompson({ exploration: { share: 0.1, floor: 0, assignBy: "actor" } }))],
    [
      "how long rewards are waited for",
      before,
      tuned(thompson({ reward: { ...reward, deadline: 60, late: "count" } })),
    ],
    ["the order of arms", before, tuned(thompson({ arms: thompson().experiment?.arms.toReversed() ?? [] }))],
    [
      "the order of values",
      before,
      tuned(withParameter(thompson(), "tone", { ...TONE, values: ["loud", "kind", "dry"] })),
    ],
    ["the default of a number", numbers, tuned(withParameter(numberSet(), "pace", { ...pace, default: 20 }))],
  ])("stays the same when %s changes", (_, one, other) => {
    expect(findChangedParts(one, other)).toEqual([]);
  });

  test.each<readonly [string, string, TunedSet, TunedSet]>([
    [
      "a value more",
      "parameters",
      before,
      tuned(withParameter(thompson(), "tone", { ...TONE, values: [...TONE.values, "odd"] })),
    ],
    ["a parameter more", "parameters", before, tuned(withParameter(thompson(), "pace", pace))],
    ["other bounds", "parameters", numbers, tuned(withParameter(numberSet(), "pace", { ...pace, max: 200 }))],
    ["another scale", "parameters", numbers, tuned(withParameter(numberSet(), "pace", { ...pace, scale: "linear" }))],
    ["steps", "parameters", numbers, tuned(withParameter(numberSet(), "pace", { ...pace, step: 1 }))],
    ["another type", "parameters", numbers, tuned(withParameter(numberSet(), "pace", { ...pace, type: "int" }))],
    ["an arm less", "arms", before, tuned(thompson({ arms: thompson().experiment?.arms.slice(1) ?? [] }))],
    [
      "an arm renamed",
      "arms",
      before,
      tuned(thompson({ arms: thompson().experiment?.arms.map((arm) => ({ ...arm, name: `${arm.name}!` })) ?? [] })),
    ],
    ["another strategy", "strategy", before, tuned(toneSet({ kind: "ucb1", c: 2 }))],
    ["another setting", "strategy", tuned(toneSet({ kind: "ucb1", c: 1 })), tuned(toneSet({ kind: "ucb1", c: 2 }))],
    ["another range of rewards", "reward", before, tuned(thompson({ reward: { ...reward, range: [0, 5] } }))],
    ["rewards that are to be small", "reward", before, tuned(thompson({ reward: { ...reward, optimize: "min" } }))],
    ["rewards that are clipped", "reward", before, tuned(thompson({ reward: { ...reward, outOfRange: "clip" } }))],
  ])("is another one with %s", (_, part, one, other) => {
    expect(findChangedParts(one, other)).toEqual([part]);
  });
});

/** What an experiment has lived through: whatever a number makes happen next. */
function live(
  set: TunedSet,
  draws: readonly number[],
  start: TuningState,
  see: (event: TuningEvent) => void = () => undefined,
) {
  let state = start;
  let at = Math.max(AT, state.clock);
  const happen = (event: TuningEvent) => {
    see(event);
    state = foldEvent(set, state, event);
  };
  draws.forEach((draw, index) => {
    at += draw;
    const conversation = `${start.seq} ${index}`;
    const { values, ...assignment } = assignValues(set, state, conversation);
    const one = { conversation, ...toGiven(assignment), at };
    if (draw % 10 === 0) happen({ kind: "failed", ...one });
    else if (draw % 10 === 1 && assignment.arm !== undefined) {
      happen({ kind: "promoted", values, arm: assignment.arm, by: "a", at });
    } else {
      happen({ kind: "assigned", ...one });
      const scaled = (draw % 100) / 100;
      if (draw % 3 !== 0) happen({ kind: "rewarded", ...one, reward: scaled, scaled, assignedAt: at, actor: "a" });
    }
  });
  return state;
}

const openedWith = (from: TunedSet, state: TuningState, to: TunedSet): TuningEvent => ({
  kind: "opened",
  rules: RULES,
  parent: { version: "1.0.0", commit: "c".repeat(40) },
  inherited: { seq: state.seq, hash: "0".repeat(64), state: inherit(from, state, to) },
  at: state.clock,
});

const SETS: Readonly<Record<string, ParameterSet>> = {
  thompson: thompson({ stop: STOP, guardrail: GUARDRAIL }),
  sw_ucb: toneSet({ kind: "sw_ucb", window: 20, xi: 0.5 }, { stop: STOP }),
  d_ucb: toneSet({ kind: "d_ucb", discount: 0.95, xi: 0.5 }, { guardrail: GUARDRAIL }),
  cma_es: numberSet({ guardrail: GUARDRAIL }),
  "cma_es that ends": numberSet({
    strategy: { kind: "cma_es", sigma: 0.25, restarts: "bipop", evaluations: 30, reevaluate: 1, population: 4 },
  }),
};
const draws = fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 120 });

describe.each(Object.entries(SETS))("what a version takes over of %s", (_, parameters) => {
  const [old, young, youngest] = [tuned(parameters, "c"), tuned(parameters, "d"), tuned(parameters, "e")];
  const begin = (from: TunedSet, state: TuningState, to: TunedSet) =>
    foldEvent(to, createTuningState(to), openedWith(from, state, to));

  test("comes out of its log again, byte for byte, whatever happens afterwards", () => {
    fc.assert(
      fc.property(draws, draws, (before, after) => {
        const events: TuningEvent[] = [];
        const parent = live(old, before, createTuningState(old));
        const opened = openedWith(old, parent, young);
        const state = live(
          young,
          after,
          foldEvent(young, createTuningState(young), opened),
          (event) => void events.push(event),
        );
        const replayed = [opened, ...events].reduce(
          (all, event) =>
            JSON.parse(canonicalJson(foldEvent(young, all, JSON.parse(canonicalJson(event))))) as TuningState,
          createTuningState(young),
        );
        expect(canonicalJson(replayed)).toBe(canonicalJson(state));
      }),
      { numRuns: RUNS },
    );
  });

  test("is as much through one that nothing happened in as past it", () => {
    fc.assert(
      fc.property(draws, (before) => {
        const parent = live(old, before, createTuningState(old));
        const { origin: _far, ...directly } = begin(old, parent, youngest);
        const { origin: _near, ...through } = begin(young, begin(old, parent, young), youngest);
        expect(canonicalJson(through)).toBe(canonicalJson(directly));
      }),
      { numRuns: RUNS },
    );
  });

  test("is all that was learnt and decided, with nothing under way", () => {
    fc.assert(
      fc.property(draws, (before) => {
        const parent = live(old, before, createTuningState(old));
        const state = begin(old, parent, young);
        expect(state.active).toMatchObject({ values: parent.active.values, why: parent.active.why });
        expect(state.former.map(({ values }) => values)).toEqual(parent.former.map(({ values }) => values));
        expect(state.stopped?.reason).toBe(parent.stopped?.reason);
        expect(state.guard.barred).toEqual(parent.guard.barred);
        expect(state).toMatchObject({
          seq: 0,
          waiting: [],
          counts: { assigned: 0, rewarded: 0, failed: 0, expired: 0 },
        });
        expect(state.guard).toMatchObject({ trial: null, trials: 0 });
        if (state.learner.kind === "bandit" && parent.learner.kind === "bandit") {
          expect(state.learner.bandit.window).toEqual(parent.learner.bandit.window);
          expect(state.learner.bandit.arms).toEqual(parent.learner.bandit.arms.map((arm) => ({ ...arm, pending: 0 })));
        }
        if (state.learner.kind === "evolution" && parent.learner.kind === "evolution") {
          expect(state.learner.search.evaluations).toBe(parent.learner.search.evaluations);
          expect(state.learner.search.best).toEqual(parent.learner.search.best);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a version that inherits", () => {
  const old = tuned(thompson({ stop: STOP }));
  const promoted = (arm: string) =>
    foldEvent(old, foldEvent(old, createTuningState(old), { kind: "observed", arm, reward: 1, scaled: 1, at: AT }), {
      kind: "promoted",
      values: { tone: arm },
      arm,
      by: "ada",
      at: AT,
    });

  test("runs with what was promoted, by whom it was, and can go back", () => {
    const young = tuned(thompson({ stop: STOP }), "d");
    const { active, former, results } = inherit(old, promoted("kind"), young);
    expect(active).toEqual({ values: { tone: "kind" }, arm: "kind", why: "promoted", by: "ada", since: 0 });
    expect(former).toEqual([{ values: { tone: "dry" }, arm: "dry", why: "default", since: -1 }]);
    expect(results).toBe(1);
  });

  test("runs with its own default where it has another one, and can go back to what was promoted", () => {
    const { active, former } = inherit(old, promoted("kind"), tuned(defaultingTo("loud"), "d"));
    expect(active).toEqual({ values: { tone: "loud" }, arm: "loud", why: "default", since: -1 });
    expect(former.map(({ arm }) => arm)).toEqual(["dry", "kind"]);
  });

  test("runs with what was promoted as its default, once that is the default", () => {
    const { active, former } = inherit(old, promoted("kind"), tuned(defaultingTo("kind"), "d"));
    expect(active).toEqual({ values: { tone: "kind" }, arm: "kind", why: "default", since: -1 });
    expect(former.map(({ arm }) => arm)).toEqual(["dry"]);
  });

  test("has its arms in the order that it declares", () => {
    const young = tuned(thompson({ arms: thompson().experiment?.arms.toReversed() ?? [] }), "d");
    const { learner } = inherit(old, promoted("kind"), young);
    if (learner.kind !== "bandit") throw new Error("no bandit");
    expect(learner.bandit.arms.map(({ id, total }) => [id, total.pulls])).toEqual([
      ["loud", 0],
      ["kind", 1],
      ["dry", 0],
    ]);
  });

  test("explores again where its stop rule is another one", () => {
    let state = createTuningState(old);
    for (let index = 0; index < 60; index += 1) {
      const arm = ["dry", "kind", "loud"][index % 3] ?? "";
      state = foldEvent(old, state, { kind: "observed", arm, reward: 0, scaled: Number(arm === "kind"), at: AT });
    }
    expect(state.stopped).toMatchObject({ keep: "kind" });
    expect(inherit(old, state, tuned(thompson({ stop: STOP }), "d")).stopped).toMatchObject({ keep: "kind", seq: 0 });
    const arms = thompson().experiment?.arms.toReversed() ?? [];
    const reordered = inherit(old, state, tuned(thompson({ stop: STOP, arms }), "d")).stopped;
    expect(reordered).toMatchObject({ keep: "kind", verdict: null });
    expect(inherit(old, state, tuned(thompson(), "d")).stopped).toBeNull();
    expect(inherit(old, state, tuned(thompson({ stop: { ...STOP, delta: 0.01 } }), "d")).stopped).toBeNull();
  });

  test("begins a search without results where it has its own defaults", () => {
    const young = tuned(
      withParameter(numberSet(), "warmth", { type: "float", min: 0, max: 1, scale: "linear", default: 0.9 }),
      "d",
    );
    const from = tuned(numberSet());
    expect(inherit(from, createTuningState(from), young).learner).toEqual(createTuningState(young).learner);
  });

  test("keeps what was decided, and nothing that was learnt, once events have another meaning", () => {
    const young = tuned(thompson({ stop: STOP }), "d");
    const state = { ...inherit(old, promoted("kind"), young), algorithm: "thompson@0" };
    const opened = {
      kind: "opened",
      rules: RULES,
      inherited: { seq: 1, hash: "0".repeat(64), state },
      at: AT,
    } as const;
    const begun = foldEvent(young, createTuningState(young), opened);
    expect(begun.active.arm).toBe("kind");
    expect(begun.learner).toEqual(createTuningState(young).learner);
  });
});

test("of several openings the first counts, and a log that had begun keeps what it has", () => {
  const [old, young] = [tuned(thompson()), tuned(thompson(), "d")];
  const learnt = foldEvent(old, createTuningState(old), {
    kind: "observed",
    arm: "kind",
    reward: 1,
    scaled: 1,
    at: AT,
  });
  const opened = openedWith(old, learnt, young);
  const plain = { kind: "opened", rules: RULES, at: AT } as const;
  const fold = (...events: readonly TuningEvent[]) =>
    events.reduce((all, event) => foldEvent(young, all, event), createTuningState(young));
  expect(fold(opened, plain)).toEqual({ ...fold(opened), seq: 1 });
  expect(fold(plain, opened)).toEqual({ ...fold(plain), seq: 1, clock: AT });
  const earlier = { kind: "observed", arm: "dry", reward: 0, scaled: 0, at: AT } as const;
  expect(fold(earlier, plain)).toEqual({ ...fold(earlier), seq: 1, rules: RULES });
});
