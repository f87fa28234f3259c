import { describe, expect, test } from "vitest";
import { foldEvent } from "../../../../../server/capabilities/tuner/state/fold-event.ts";
import { type TunedSet, toTunedSet } from "../../../../../server/capabilities/tuner/state/tuned-set.ts";
import type { OpenedEvent, TuningEvent } from "../../../../../server/capabilities/tuner/state/tuning-event.ts";
import { inherit } from "../../../../../server/capabilities/tuner/state/inheritance.ts";
import { createTuningState, RULES } from "../../../../../server/capabilities/tuner/state/tuning-state.ts";
import { explainExperiment } from "../../../../../server/capabilities/tuner/views/explain-experiment.ts";
import { toExperimentView } from "../../../../../server/capabilities/tuner/views/experiment-view.ts";
import type { Experiment } from "../../../../../server/versions/experiment.ts";
import { toneSet } from "../tuned-set.ts";

const AT = 1_700_000_000_000;
const STOP = { delta: 0.05, epsilon: 0, minSamples: 10, maxSamples: 10_000, promote: true };
const PARENT = { version: "1.0.0", commit: "abcdef012345".padEnd(40, "0") };

function setOf(overrides: Partial<Experiment> = {}): TunedSet {
  const set = toTunedSet(toneSet({ kind: "kl_ucb" }, { stop: STOP, ...overrides }), "t", "c".repeat(40));
  if (set === undefined) throw new Error("no experiment");
  return set;
}

const opened = (more: Partial<OpenedEvent> = {}): TuningEvent => ({ kind: "opened", rules: RULES, at: AT, ...more });
const fold = (set: TunedSet, events: readonly TuningEvent[]) =>
  events.reduce((all, event) => foldEvent(set, all, event), createTuningState(set));
const viewOf = (set: TunedSet, events: readonly TuningEvent[]) => toExperimentView(set, fold(set, events));
const explain = (set: TunedSet, events: readonly TuningEvent[]) => explainExperiment(viewOf(set, events)).split("\n");

/** Rewards of 1 and 0 in turn for all arms, with means in tenths. */
const rewardsOf = (means: Readonly<Record<string, number>>, count: number): readonly TuningEvent[] =>
  Array.from({ length: count }, (_, index) =>
    Object.entries(means).map(([arm, tenths]): TuningEvent => {
      const scaled = Number((index * 7) % 10 < tenths);
      return { kind: "observed", arm, reward: scaled, scaled, at: AT + index };
    }),
  ).flat();

describe("what is said of an experiment", () => {
  const set = setOf();

  test("[T6] tells what it began with, or why with nothing", () => {
    const began = (event: TuningEvent) => explain(set, [event]).filter((line) => /began|begin/.test(line));
    expect(began(opened())).toEqual(["It began anew: no version that it was made from had it tuned."]);
    expect(began(opened({ parent: PARENT, changed: ["arms", "reward"] }))).toEqual([
      "It began anew: version 1.0.0 (abcdef012345) defines arms and reward differently.",
    ]);
    const parent = fold(set, [opened(), ...rewardsOf({ dry: 5, kind: 6, loud: 5 }, 4)]);
    const inherited = { seq: parent.seq, hash: "0".repeat(64), state: inherit(set, parent, set) };
    expect(began(opened({ parent: PARENT, inherited }))).toEqual([
      "It began with what version 1.0.0 (abcdef012345) had learnt from 12 results by its event 12; from then on its own results alone move it.",
    ]);
    const preview = { ...fold(set, [opened({ parent: PARENT, inherited })]), seq: -1 };
    expect(explainExperiment(toExperimentView(set, preview))).toContain(
      "Its first conversation will begin with what version 1.0.0",
    );
  });

  test("[T6] has intervals of differences that are above 0 just when the stop rule names a winner", () => {
    for (const means of [
      { dry: 3, kind: 7, loud: 3 },
      { dry: 5, kind: 6, loud: 5 },
      { dry: 1, kind: 2, loud: 0 },
    ]) {
      for (const count of [4, 10, 12, 15, 20, 40, 80]) {
        const { stop } = viewOf(set, [opened(), ...rewardsOf(means, count)]);
        const lows = (stop.leads ?? []).flatMap((lead) => (lead === null ? [] : [lead.interval[0]]));
        expect(lows).toHaveLength(2);
        // What is stopped is not judged again: its leads go by all rewards since.
        const isWinner = stop.stopped === null ? stop.reason === "winner" : count >= 10;
        expect([means, count, lows.every((low) => low > 0) && count >= 10]).toEqual([means, count, isWinner]);
      }
    }
  });

  test("[T6] says of a winner by how much it is ahead, and that nothing is explored any more", () => {
    const lines = explain(set, [opened(), ...rewardsOf({ dry: 3, kind: 8, loud: 3 }, 40)]);
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^It stopped at event \d+: winner\. It explores no more, whatever its floor: every conversation is given what is in use\.$/,
      ),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^- `kind` is ahead of `dry` by 0\.5 \(from 0\.1\d* to 0\.8\d*\)\.$/),
    );
    expect(lines.some((line) => line.includes("are given what staging decides"))).toBe(false);
    const decided =
      /^What decided: the smallest likelihood ratio of `kind` was [\d.]+, the threshold [\d.]+, which it exceeded\.$/;
    expect(lines).toContainEqual(expect.stringMatching(decided));
    // Later rewards decided nothing.
    const later = explain(set, [opened(), ...rewardsOf({ dry: 3, kind: 8, loud: 3 }, 60)]);
    expect(later.filter((line) => decided.test(line))).toEqual(lines.filter((line) => decided.test(line)));
  });

  test("[T6] does not say what decided where nothing did", () => {
    const lines = explain(set, [opened(), ...rewardsOf({ dry: 5, kind: 5, loud: 5 }, 5)]);
    expect(lines.some((line) => line.startsWith("What decided"))).toBe(false);
  });

  test("[T6] tells of a trial: what is compared, how it stands, and what decides it", () => {
    const guarded = setOf({ guardrail: { maxErrorRate: 0.1, delta: 0.05 } });
    const failures = Array.from({ length: 40 }, (_, index): TuningEvent => {
      const arm = index < 30 || index % 2 === 0 ? "kind" : "dry";
      return { kind: arm === "kind" ? "failed" : "assigned", conversation: `c${index}`, arm, at: AT + index };
    });
    const promoted = { kind: "promoted", values: { tone: "kind" }, arm: "kind", by: "a", at: AT } as const;
    expect(explain(guarded, [opened(), promoted, ...failures])).toContainEqual(
      expect.stringMatching(
        /^The guardrail has put what is in use on trial for its failures since event \d+: half of the conversations are given `tone` = `dry` instead\. In use: (\d+) of \1 calls failed; instead: 0 of 5 calls failed\. It is taken back when the evidence of a difference above 0\.1, now [\d.]+, reaches 40\.$/,
      ),
    );
  });
});
