import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../../../server/json/canonical-json.ts";
import { assignValues } from "../../../../../server/capabilities/tuner/state/assign-values.ts";
import { foldEvent } from "../../../../../server/capabilities/tuner/state/fold-event.ts";
import { type TunedSet, toTunedSet } from "../../../../../server/capabilities/tuner/state/tuned-set.ts";
import type { TuningEvent } from "../../../../../server/capabilities/tuner/state/tuning-event.ts";
import {
  createTuningState,
  RULES,
  type TuningState,
} from "../../../../../server/capabilities/tuner/state/tuning-state.ts";
import { toGiven } from "../../../../../server/capabilities/tuner/state/values.ts";
import { uniformAt } from "../../../../../server/capabilities/tuner/uniform.ts";
import type { Experiment } from "../../../../../server/versions/experiment.ts";
import type { ParameterSet } from "../../../../../server/versions/version.ts";
import { numberSet, toneSet } from "../tuned-set.ts";

const AT = 1_700_000_000_000;
const RUNS = process.env["CAIRN_LONG"] === "1" ? 200 : 20;

function tuned(parameters: ParameterSet): TunedSet {
  const set = toTunedSet(parameters, "tenant", "c".repeat(40));
  if (set === undefined) throw new Error("no experiment");
  return set;
}

const STOP = { delta: 0.05, epsilon: 0, minSamples: 5, maxSamples: 10_000, promote: true };
const GUARDRAIL = { maxErrorRate: 0.2, maxDrop: 0.1, delta: 0.05 };
const SETS: Readonly<Record<string, TunedSet>> = {
  thompson: tuned(toneSet({ kind: "thompson" }, { stop: STOP, guardrail: GUARDRAIL })),
  ucb1: tuned(toneSet({ kind: "ucb1", c: 2 }, { stop: STOP })),
  kl_ucb: tuned(toneSet({ kind: "kl_ucb" })),
  sw_ucb: tuned(toneSet({ kind: "sw_ucb", window: 30, xi: 0.5 }, { stop: STOP, guardrail: GUARDRAIL })),
  d_ucb: tuned(toneSet({ kind: "d_ucb", discount: 0.95, xi: 0.5 }, { stop: STOP })),
  cma_es: tuned(numberSet({ guardrail: GUARDRAIL })),
  bipop: tuned(
    numberSet({
      strategy: { kind: "cma_es", sigma: 0.25, restarts: "bipop", evaluations: 60, reevaluate: 1, population: 4 },
    }),
  ),
};

/** What may happen next, given what has: people come, some say how it went, some never do, some calls fail. */
type Happening = readonly [
  what: "come" | "come and fail" | "reward" | "wait" | "promote" | "revert" | "open",
  draw: number,
];

const happenings = fc.array(
  fc.tuple(
    fc.constantFrom(
      "come",
      "come",
      "come",
      "reward",
      "reward",
      "reward",
      "come and fail",
      "wait",
      "promote",
      "revert",
      "open",
    ),
    fc.integer({ min: 0, max: 1000 }),
  ),
  { maxLength: 150 },
) as fc.Arbitrary<readonly Happening[]>;

function unfold(set: TunedSet, all: readonly Happening[], see: (state: TuningState, event: TuningEvent) => void) {
  let state = createTuningState(set);
  let at = AT;
  let count = 0;
  const waiting: Extract<TuningEvent, { kind: "assigned" }>[] = [];
  const happen = (event: TuningEvent) => {
    state = foldEvent(set, state, event);
    see(state, event);
  };
  for (const [what, draw] of all) {
    at += draw;
    if (what === "wait") at += draw * 10_000;
    if (what === "open") happen({ kind: "opened", rules: RULES, at });
    if (what === "come" || what === "come and fail") {
      const conversation = `c${count++}`;
      const given = toGiven(assignValues(set, state, conversation));
      const event = { kind: what === "come" ? "assigned" : "failed", conversation, ...given, at } as const;
      happen(event);
      if (event.kind === "assigned") waiting.push({ ...event, kind: "assigned" });
    }
    const [credited] = what === "reward" ? waiting.splice(draw % Math.max(1, waiting.length), 1) : [];
    if (credited !== undefined) {
      const { conversation, at: assignedAt } = credited;
      const scaled = draw / 1000;
      happen({
        kind: "rewarded",
        conversation,
        ...toGiven(credited),
        reward: scaled,
        scaled,
        assignedAt,
        actor: "a",
        at,
      });
    }
    const [first] = set.experiment.arms;
    if (what === "promote" && first !== undefined) {
      happen({ kind: "promoted", values: first.values, arm: first.name, by: "a", at });
    }
    if (what === "revert") happen({ kind: "reverted", by: "a", at });
  }
  return state;
}

describe.each(Object.entries(SETS))("the fold of %s", (_, set) => {
  test("is the same bytes however often it is written down and read in between", () => {
    fc.assert(
      fc.property(happenings, (all) => {
        const events: TuningEvent[] = [];
        const whole = unfold(set, all, (_state, event) => void events.push(event));
        let read = createTuningState(set);
        for (const event of events) {
          read = JSON.parse(canonicalJson(foldEvent(set, read, JSON.parse(canonicalJson(event))))) as TuningState;
        }
        expect(canonicalJson(read)).toBe(canonicalJson(whole));
      }),
      { numRuns: RUNS },
    );
  });

  test("counts every event once, and waits for nobody twice", () => {
    fc.assert(
      fc.property(happenings, (all) => {
        let count = 0;
        const { seq, counts, waiting, learner } = unfold(set, all, () => void (count += 1));
        expect(seq).toBe(count - 1);
        const open = waiting.flatMap(({ pulls }) => Object.values(pulls)).reduce((sum, pulls) => sum + pulls, 0);
        expect(open).toBeLessThanOrEqual(counts.assigned - Math.min(counts.rewarded, counts.assigned) + counts.expired);
        if (learner.kind !== "bandit") return;
        expect(learner.bandit.arms.reduce((sum, { pending }) => sum + pending, 0)).toBe(open);
        const learnt = learner.bandit.arms.reduce((sum, { total }) => sum + total.pulls, 0);
        expect(learnt).toBe(counts.rewarded + counts.failed);
      }),
      { numRuns: RUNS },
    );
  });

  test("stays as small as the experiment, whatever its history", () => {
    const long = Array.from({ length: 1500 }, (_happening, index): Happening => {
      const draw = Math.floor(uniformAt("history", index) * 1000);
      return [index % 3 === 2 ? "come" : index % 2 === 0 ? "come" : "reward", draw];
    });
    const sizes: number[] = [];
    unfold(set, long, (state) => void sizes.push(canonicalJson(state).length));
    expect(sizes.at(-1) ?? 0).toBeLessThan(2 * Math.max(...sizes.slice(0, 500)));
  });
});

describe("an experiment with arms", () => {
  const drawn = (set: TunedSet, mean: (arm: string) => number, count: number, failing: (arm: string) => boolean) => {
    let state = createTuningState(set);
    for (let index = 0; index < count; index += 1) {
      const conversation = `u${index}`;
      const { arm = "" } = assignValues(set, state, conversation);
      const at = AT + index;
      if (failing(arm)) {
        state = foldEvent(set, state, { kind: "failed", conversation, arm, at });
        continue;
      }
      state = foldEvent(set, state, { kind: "assigned", conversation, arm, at });
      const scaled = Number(uniformAt("liking", index) < mean(arm));
      const event = {
        kind: "rewarded",
        conversation,
        arm,
        reward: scaled,
        scaled,
        assignedAt: at,
        actor: "a",
        at,
      } as const;
      state = foldEvent(set, state, event);
    }
    return state;
  };
  const options = { stop: { ...STOP, minSamples: 20 }, guardrail: GUARDRAIL };

  test("promotes its winner by itself", () => {
    const set = tuned(toneSet({ kind: "thompson" }, options));
    const state = drawn(
      set,
      (arm) => (arm === "kind" ? 0.8 : 0.3),
      600,
      () => false,
    );
    expect(state.stopped).toMatchObject({ reason: "winner", keep: "kind" });
    expect(state.active).toMatchObject({ arm: "kind", values: { tone: "kind" }, why: "stop rule" });
    expect(assignValues(set, state, "later")).toMatchObject({ arm: "kind", propensities: { kind: 1 } });
  });

  test("does not promote what the manifest leaves to people", () => {
    const set = tuned(toneSet({ kind: "thompson" }, { stop: { ...options.stop, promote: false } }));
    const state = drawn(
      set,
      (arm) => (arm === "kind" ? 0.8 : 0.3),
      600,
      () => false,
    );
    expect(state.stopped).toMatchObject({ keep: "kind" });
    expect(state.active).toMatchObject({ arm: "dry", why: "default" });
  });

  test("takes an arm whose calls fail for the worst, instead of trying it again and again", () => {
    const set = tuned(toneSet({ kind: "thompson" }, options));
    const state = drawn(
      set,
      () => 0.6,
      600,
      (arm) => arm === "loud",
    );
    expect(state.counts.failed).toBeLessThan(120);
    expect(state.active.arm).not.toBe("loud");
  });

  test("goes back by itself when what was promoted fails too often, says so, and does not promote it again", () => {
    const set = tuned(toneSet({ kind: "thompson" }, options));
    let state = drawn(
      set,
      (arm) => (arm === "kind" ? 0.8 : 0.3),
      600,
      () => false,
    );
    for (let index = 0; index < 400; index += 1) {
      state = foldEvent(set, state, { kind: "failed", conversation: `f${index}`, arm: "kind", at: AT + 1000 + index });
    }
    expect(state.active).toMatchObject({ arm: "dry", why: "guardrail" });
    expect(state.guard.breach).toMatch(/^`kind` fails more often than 0\.2: at least 0\.\d+ of its calls\.$/);
    expect(state.guard.barred).toEqual(["kind"]);
  });

  test("goes back when what was promoted earns less than the defaults", () => {
    const set = tuned(toneSet({ kind: "thompson" }, { guardrail: GUARDRAIL }));
    let state = createTuningState(set);
    const reward = (arm: string, scaled: number, index: number) => {
      const at = AT + index;
      const event = { conversation: `r${index}`, arm, reward: scaled, scaled, assignedAt: at, actor: "a", at };
      state = foldEvent(set, state, { kind: "rewarded", ...event });
    };
    for (let index = 0; index < 200; index += 1) reward("dry", 0.9, index);
    state = foldEvent(set, state, { kind: "promoted", values: { tone: "loud" }, arm: "loud", by: "a", at: AT + 200 });
    for (let index = 201; index < 500; index += 1) reward("loud", 0.2, index);
    expect(state.active).toMatchObject({ arm: "dry", why: "guardrail" });
    expect(state.guard.breach).toBe("`loud` earns less than the defaults by more than 0.1.");
  });

  test("gives pulls up whose reward does not come by the deadline", () => {
    const set = tuned(toneSet({ kind: "ucb1", c: 2 }));
    let state = createTuningState(set);
    const come = (conversation: string, at: number) =>
      (state = foldEvent(set, state, { kind: "assigned", conversation, arm: "dry", at }));
    for (let index = 0; index < 5; index += 1) come(`c${index}`, AT);
    come("late", AT + 2 * 3600_000);
    expect(state.counts).toMatchObject({ assigned: 6, expired: 5 });
    expect(state.waiting).toHaveLength(1);
  });
});

describe("an assignment", () => {
  const set = SETS["ucb1"] ?? tuned(numberSet());

  test("is the same for the same conversation and state, and of the arm that its propensities and its draw name", () => {
    const state = createTuningState(set);
    for (let index = 0; index < 100; index += 1) {
      const assignment = assignValues(set, state, `c${index}`);
      expect(assignValues(set, state, `c${index}`)).toEqual(assignment);
      const { arm = "", propensities = {} } = assignment;
      expect(propensities[arm]).toBeGreaterThan(0);
      expect(Object.values(propensities).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    }
  });

  test("explores with the share that the manifest gives", () => {
    const share = (exploration: Partial<Experiment["exploration"]>) => {
      const own = tuned(
        toneSet(
          { kind: "kl_ucb" },
          { exploration: { share: 0.2, floor: 0.1, assignBy: "conversation", ...exploration } },
        ),
      );
      return assignValues(own, createTuningState(own), "c").propensities;
    };
    // `dry` is active, and chosen first by staging: 0.8 + 0.2 * (0.7 + 0.1); the others keep 0.2 * 0.1.
    expect(share({})).toEqual({
      dry: expect.closeTo(0.96, 12),
      kind: expect.closeTo(0.02, 12),
      loud: expect.closeTo(0.02, 12),
    });
    expect(share({ share: 0 })).toEqual({ dry: 1, kind: 0, loud: 0 });
  });
});

describe("a search of numbers", () => {
  test("closes its generation with the last result, and with half of them once the deadline is over", () => {
    const set = tuned(numberSet());
    let state = createTuningState(set);
    const search = () => {
      if (state.learner.kind !== "evolution") throw new Error("no search");
      return state.learner.search;
    };
    const ids = () => search().open?.candidates.map(({ id }) => id) ?? [];
    const tell = (candidate: string, at: number) =>
      (state = foldEvent(set, state, { kind: "told", candidate, scaled: 0.5 + 0.001 * at, at: AT + at }));
    const first = ids();
    first.slice(1).forEach((candidate, index) => tell(candidate, index));
    expect(search().run?.generation).toBe(0);
    tell(first[0] ?? "", 10);
    expect(search().run?.generation).toBe(1);

    const second = ids();
    second.slice(0, 4).forEach((candidate, index) => tell(candidate, 20 + index));
    expect(search().run?.generation).toBe(1);
    state = foldEvent(set, state, { kind: "assigned", conversation: "c", at: AT + 2 * 3600_000 });
    expect(search().run?.generation).toBe(2);
  });

  test("takes the first result of a candidate and none after it", () => {
    const set = tuned(numberSet());
    const told = (scaled: number) => ({ kind: "told", candidate: "0.0.0", scaled, at: AT }) as const;
    const once = foldEvent(set, createTuningState(set), told(0.3));
    const twice = foldEvent(set, once, told(0.9));
    expect(twice.learner).toEqual(once.learner);
  });
});
