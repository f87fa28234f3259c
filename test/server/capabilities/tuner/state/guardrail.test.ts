import { describe, expect, test } from "vitest";
import { type Assignment, assignValues } from "../../../../../server/capabilities/tuner/state/assign-values.ts";
import { foldEvent } from "../../../../../server/capabilities/tuner/state/fold-event.ts";
import { type TunedSet, toTunedSet } from "../../../../../server/capabilities/tuner/state/tuned-set.ts";
import type { TuningEvent } from "../../../../../server/capabilities/tuner/state/tuning-event.ts";
import {
  createTuningState,
  RULES,
  type TuningState,
} from "../../../../../server/capabilities/tuner/state/tuning-state.ts";
import { toGiven } from "../../../../../server/capabilities/tuner/state/values.ts";
import type { ParameterSet } from "../../../../../server/versions/version.ts";
import { createDraws } from "../create-draws.ts";
import { numberSet, toneSet } from "../tuned-set.ts";

const AT = 1_700_000_000_000;
const GUARDRAIL = { maxErrorRate: 0.1, maxDrop: 0.1, delta: 0.05 };
const RUNS = process.env["CAIRN_LONG"] === "1" ? 60 : 20;

function tuned(parameters: ParameterSet): TunedSet {
  const set = toTunedSet(parameters, "tenant", "c".repeat(40));
  if (set === undefined) throw new Error("no experiment");
  return set;
}

const ARMS = tuned(
  toneSet(
    { kind: "kl_ucb" },
    { guardrail: GUARDRAIL, exploration: { share: 0.1, floor: 0.05, assignBy: "conversation" } },
  ),
);
const NUMBERS = tuned(
  numberSet({ guardrail: GUARDRAIL, exploration: { share: 0.1, floor: 0, assignBy: "conversation" } }),
);
const PROMOTED: Readonly<Record<string, TuningEvent>> = {
  arms: { kind: "promoted", values: { tone: "kind" }, arm: "kind", by: "a", at: AT },
  numbers: { kind: "promoted", values: { pace: 50, warmth: 0.9 }, by: "a", at: AT },
};

/** With what chance a call fails, and what is earned otherwise, given whether it runs with what was promoted. */
interface World {
  readonly fails: (isPromoted: boolean, time: number) => number;
  readonly earns?: (isPromoted: boolean, time: number) => number;
}

/** A day in which one conversation after another begins, with the values that were promoted in the morning. */
function live(set: TunedSet, world: World, conversations: number, seed: number) {
  const draw = createDraws(seed);
  const promoted = PROMOTED[set === ARMS ? "arms" : "numbers"] ?? { kind: "reverted", by: "a", at: AT };
  const opened = { kind: "opened", rules: RULES, at: AT } as const;
  let state = [opened, promoted].reduce(
    (all, event: TuningEvent) => foldEvent(set, all, event),
    createTuningState(set),
  );
  const values = JSON.stringify(state.active.values);
  const given: Assignment[] = [];
  let trials = 0;
  const happen = (event: TuningEvent) => {
    const before = state.guard.trial;
    state = foldEvent(set, state, event);
    if (before === null && state.guard.trial !== null) trials += 1;
  };
  for (let time = 0; time < conversations; time += 1) {
    const conversation = `${seed} ${time}`;
    const at = AT + time;
    const assignment = assignValues(set, state, conversation);
    given.push(assignment);
    const isPromoted = JSON.stringify(assignment.values) === values;
    const one = { conversation, ...toGiven(assignment), at };
    if (draw() < world.fails(isPromoted, time)) {
      happen({ kind: "failed", ...one });
      continue;
    }
    happen({ kind: "assigned", ...one });
    const scaled = world.earns?.(isPromoted, time);
    if (scaled === undefined) continue;
    const reward = Number(draw() < scaled);
    happen({ kind: "rewarded", ...one, reward, scaled: reward, assignedAt: at, actor: "a" });
  }
  return { state, given, trials };
}

const livesOf = (set: TunedSet, world: World, conversations: number) =>
  Array.from({ length: RUNS }, (_, seed) => live(set, world, conversations, seed));

const isReverted = ({ state }: { readonly state: TuningState }) => state.active.why === "guardrail";

describe.each([
  ["an arm", ARMS],
  ["numbers", NUMBERS],
])("%s that was promoted", (_, set) => {
  test("stays, however often calls fail, while what was before fails as often", () => {
    const lives = livesOf(set, { fails: () => 0.3 }, 1500);
    expect(lives.every(({ trials }) => trials > 0)).toBe(true);
    expect(lives.filter(isReverted)).toEqual([]);
  });

  test("stays when nothing works for a while, and is off trial again afterwards", () => {
    const outage = (time: number) => (time > 300 && time < 700 ? 1 : 0.01);
    const lives = livesOf(set, { fails: (_isPromoted, time) => outage(time) }, 3000);
    expect(lives.every(({ trials }) => trials > 0)).toBe(true);
    expect(lives.filter(isReverted)).toEqual([]);
    expect(lives.filter(({ state }) => state.guard.trial !== null)).toEqual([]);
  });

  test("is taken back when it fails and what was before does not, even where both fail for a while", () => {
    const world = {
      fails: (isPromoted: boolean, time: number) => (time < 50 ? 1 : isPromoted ? 0.5 : 0.02),
    };
    const lives = livesOf(set, world, 600);
    expect(lives.filter(isReverted).length).toBe(RUNS);
    const breach = lives[0]?.state.guard.breach;
    expect(breach).toMatch(
      /^`[^`]+` fails more often than `[^`]+`, which was given at the same time, by more than 0\.1: \d+ of \d+ calls against \d+ of \d+\.$/,
    );
  });

  test("stays when everybody likes everything less than before", () => {
    const world = {
      fails: () => 0,
      earns: (_isPromoted: boolean, time: number) => (time < 500 ? 0.8 : 0.3),
    };
    expect(livesOf(set, world, 2500).filter(isReverted)).toEqual([]);
  });
});

test("what is given while an arm is on trial is half what was before, with the probabilities that it was given with", () => {
  const { given, state } = live(ARMS, { fails: () => 0.3 }, 400, 1);
  expect(state.guard.trial).not.toBeNull();
  const after = given.slice(200);
  const former = after.filter(({ arm }) => arm === "dry").length / after.length;
  expect(former).toBeGreaterThan(0.4);
  expect(former).toBeLessThan(0.6);
  for (const { propensities = {} } of after) {
    expect(Object.values(propensities).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(propensities["dry"]).toBeGreaterThanOrEqual(0.5);
  }
});

test("an arm that is taken back is barred, and what was before is in use", () => {
  const { state } = live(ARMS, { fails: (isPromoted) => (isPromoted ? 1 : 0) }, 300, 2);
  expect(state.active).toMatchObject({ arm: "dry", why: "guardrail" });
  expect(state.guard).toMatchObject({ barred: ["kind"], trial: null, trials: 0 });
});

test("an arm that is liked less than what was before by more than it may is taken back", () => {
  const set = ARMS;
  let state = createTuningState(set);
  const happen = (event: TuningEvent) => (state = foldEvent(set, state, event));
  happen({ kind: "opened", rules: RULES, at: AT });
  const reward = (conversation: string, arm: string, scaled: number, at: number) =>
    happen({ kind: "rewarded", conversation, arm, reward: scaled, scaled, assignedAt: at, actor: "a", at });
  for (let index = 0; index < 200; index += 1) reward(`before ${index}`, "dry", 0.9, AT + index);
  happen({ kind: "promoted", values: { tone: "kind" }, arm: "kind", by: "a", at: AT + 200 });
  for (let index = 201; state.active.arm === "kind" && index < 2000; index += 1) {
    const { arm = "" } = assignValues(set, state, `c${index}`);
    reward(`c${index}`, arm, arm === "kind" ? 0.3 : 0.9, AT + index);
  }
  expect(state.active).toMatchObject({ arm: "dry", why: "guardrail" });
  expect(state.guard.breach).toBe(
    "`kind` earns less than `dry`, which was given at the same time, by more than 0.1: 0.3 against 0.9.",
  );
});

test("what is promoted in the midst of a trial ends it", () => {
  const { state } = live(ARMS, { fails: () => 0.3 }, 400, 1);
  const after = foldEvent(ARMS, state, {
    kind: "promoted",
    values: { tone: "loud" },
    arm: "loud",
    by: "a",
    at: AT + 1e6,
  });
  expect(after.guard).toMatchObject({ trial: null, trials: 0 });
  expect(after.active.arm).toBe("loud");
});
