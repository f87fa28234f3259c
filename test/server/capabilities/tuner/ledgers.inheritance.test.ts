import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../../server/json/canonical-json.ts";
import { tuningLog } from "../../../../server/store/keys.ts";
import { readLogEntry } from "../../../../server/store/log-entry.ts";
import type { Json, Store } from "../../../../server/store/store.ts";
import type { Ledger } from "../../../../server/capabilities/tuner/ledger.ts";
import { createLedgers, type FindParent, type Ledgers } from "../../../../server/capabilities/tuner/ledgers.ts";
import type { TuningEvent } from "../../../../server/capabilities/tuner/state/tuning-event.ts";
import { RULES, type TuningState } from "../../../../server/capabilities/tuner/state/tuning-state.ts";
import type { ParameterSet, Version } from "../../../../server/versions/version.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";
import { toneSet } from "./tuned-set.ts";

const AT = 1_700_000_000_000;
const STYLE = toneSet({ kind: "thompson" });
const OTHER = toneSet({ kind: "kl_ucb" });

function versionOf(semver: string, letter: string, ...sets: readonly ParameterSet[]): Version {
  const parameters = new Map(sets.map((set) => [set.name, set]));
  return { ...createTestVersion(), semver, commit: letter.repeat(40), parameters };
}

const [FIRST, SECOND, THIRD] = [
  versionOf("1.0.0", "a", STYLE),
  versionOf("1.0.1", "b", STYLE),
  versionOf("1.0.2", "c", STYLE),
];

/** Each version was made from the one before it. */
function chain(...versions: readonly Version[]): FindParent {
  return async ({ commit }) => versions[versions.findIndex((version) => version.commit === commit) - 1];
}

const openLedgers = (store: Store, findParent = chain(FIRST, SECOND, THIRD)) =>
  createLedgers({ store, now: () => AT, findParent });

async function open(ledgers: Ledgers, version: Version, tenant = "t"): Promise<Ledger> {
  const ledger = await ledgers.open(tenant, version, "style");
  if (ledger === undefined) throw new Error("no ledger");
  return ledger;
}

async function write(store: Store, version: Version, ...events: readonly TuningEvent[]) {
  const log = tuningLog("t", version.commit, "style");
  await store.commit({ append: events.map((event) => ({ log, entry: event as unknown as Json })) });
}

async function eventsOf(store: Store, version: Version): Promise<TuningEvent[]> {
  const events: TuningEvent[] = [];
  for await (const { bytes } of store.readLog(tuningLog("t", version.commit, "style"), { from: 0 })) {
    events.push(readLogEntry(bytes) as TuningEvent);
  }
  return events;
}

const earned = (arm: string, scaled: number): TuningEvent => ({
  kind: "observed",
  arm,
  reward: scaled,
  scaled,
  at: AT,
});
const PROMOTED: TuningEvent = { kind: "promoted", values: { tone: "kind" }, arm: "kind", by: "ada", at: AT };
const PLAIN: TuningEvent = { kind: "opened", rules: RULES, at: AT };

const pullsOf = ({ learner }: TuningState) =>
  learner.kind === "bandit" ? learner.bandit.arms.map(({ total }) => total.pulls) : [];

describe("a version that is made from one that was tuned", () => {
  test("[V1] [C4] begins with what that one had by then, as its first event, and moves alone afterwards", async () => {
    const store = await openTestStore();
    const ledgers = openLedgers(store);
    await write(store, FIRST, PLAIN, earned("kind", 1), earned("dry", 0), PROMOTED);
    const young = await open(ledgers, SECOND);
    await young.begin();
    expect(await eventsOf(store, SECOND)).toMatchObject([
      {
        kind: "opened",
        parent: { version: "1.0.0", commit: FIRST.commit },
        inherited: { seq: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/), state: { results: 2 } },
      },
    ]);
    await write(store, FIRST, earned("loud", 1), { kind: "reverted", by: "bo", at: AT });
    await write(store, SECOND, earned("kind", 1));
    const [old, now] = [await (await open(ledgers, FIRST)).read(), await young.read()];
    expect([old.active.arm, pullsOf(old)]).toEqual(["dry", [1, 1, 1]]);
    expect([now.active.arm, pullsOf(now)]).toEqual(["kind", [1, 2, 0]]);
    expect(now.origin?.inherited).toMatchObject({ seq: 3, results: 2 });
  });

  test("runs with what it would begin with, and writes nothing, until it begins", async () => {
    const store = await openTestStore();
    const ledgers = openLedgers(store);
    await write(store, FIRST, PLAIN, PROMOTED);
    const young = await open(ledgers, SECOND);
    expect(await young.read()).toMatchObject({ seq: -1, active: { arm: "kind" } });
    expect([young.hasBegun(), young.latest().active.arm]).toEqual([false, "kind"]);
    await write(store, FIRST, { kind: "reverted", by: "bo", at: AT });
    expect(await young.read()).toMatchObject({ seq: -1, active: { arm: "dry" } });
    expect(await eventsOf(store, SECOND)).toEqual([]);
  });

  test("begins anew where its definition is another one, and says which parts are", async () => {
    const store = await openTestStore();
    await write(store, FIRST, PLAIN, earned("kind", 1), PROMOTED);
    const changed = versionOf("1.1.0", "b", OTHER);
    const young = await open(openLedgers(store, chain(FIRST, changed)), changed);
    await young.begin();
    expect(await eventsOf(store, changed)).toEqual([
      {
        kind: "opened",
        rules: RULES,
        parent: { version: "1.0.0", commit: FIRST.commit },
        changed: ["strategy"],
        at: AT,
      },
    ]);
    expect(await young.read()).toMatchObject({
      active: { arm: "dry", why: "default" },
      origin: { changed: ["strategy"] },
    });
  });

  test("begins anew where what it was made from had no such experiment, or was never used", async () => {
    const store = await openTestStore();
    await write(store, FIRST, PLAIN, PROMOTED);
    const without = versionOf("1.1.0", "d");
    for (const findParent of [chain(FIRST, without, SECOND), chain(THIRD, SECOND), chain()]) {
      const young = await open(openLedgers(store, findParent), SECOND);
      expect((await young.read()).active.why).toBe("default");
      expect(await young.prepareOpening()).toEqual(PLAIN);
    }
  });

  test("inherits past versions that were never used, through a chain of those that were, and no further than 32", async () => {
    const store = await openTestStore();
    await write(store, FIRST, PLAIN, earned("kind", 1), PROMOTED);
    const ledgers = openLedgers(store);
    expect((await (await open(ledgers, THIRD)).read()).origin?.parent?.version).toBe("1.0.0");
    await (await open(ledgers, SECOND)).begin();
    await write(store, SECOND, earned("loud", 1));
    const third = await open(ledgers, THIRD);
    await third.begin();
    const state = await third.read();
    expect([state.active.arm, pullsOf(state), state.origin?.parent?.version]).toEqual(["kind", [0, 1, 1], "1.0.1"]);

    const unused = Array.from({ length: 32 }, (_, index) => ({
      ...versionOf("1.1.0", "e", STYLE),
      commit: index.toString(16).padStart(40, "0"),
    }));
    const last = versionOf("1.2.0", "f", STYLE);
    const near = await open(openLedgers(store, chain(FIRST, ...unused.slice(1), last)), last);
    expect((await near.read()).active.arm).toBe("kind");
    const far = await open(openLedgers(store, chain(FIRST, ...unused, last)), last);
    expect((await far.read()).active.arm).toBe("dry");
  });

  test("belongs to one tenant: another one's evidence is not inherited", async () => {
    const store = await openTestStore();
    await write(store, FIRST, PLAIN, PROMOTED);
    expect((await (await open(openLedgers(store), SECOND, "other")).read()).active.arm).toBe("dry");
  });

  test("begins once, whoever begins it at the same time, here or in another process", async () => {
    const store = await openTestStore();
    await write(store, FIRST, PLAIN, earned("kind", 1), PROMOTED);
    const [here, there] = [await open(openLedgers(store), SECOND), await open(openLedgers(store), SECOND)];
    await Promise.all([here.begin(), here.begin(), there.begin()]);
    await here.begin();
    await write(store, FIRST, earned("loud", 1));
    await write(store, SECOND, { ...PLAIN, at: AT + 1 }, earned("dry", 0));
    const states = [await here.read(), await there.read(), await (await open(openLedgers(store), SECOND)).read()];
    expect(pullsOf(states[0] ?? here.latest())).toEqual([1, 1, 0]);
    expect(new Set(states.map((state) => canonicalJson(state))).size).toBe(1);
    expect((await eventsOf(store, SECOND)).filter(({ kind }) => kind === "opened").length).toBeLessThanOrEqual(3);
  });

  test("begins with nothing written before it, once what it was made from can be read again", async () => {
    const store = await openTestStore();
    await write(store, FIRST, PLAIN, PROMOTED);
    let isAway = true;
    const findParent: FindParent = async () => {
      if (isAway) throw new Error("the repository cannot be read");
      return FIRST;
    };
    const young = await open(openLedgers(store, findParent), SECOND);
    await expect(young.begin()).rejects.toThrow("the repository cannot be read");
    expect(await eventsOf(store, SECOND)).toEqual([]);
    isAway = false;
    await young.begin();
    expect((await young.read()).active.arm).toBe("kind");
  });
});

describe("a log that is older than inheritance", () => {
  test("is inherited from, and goes on as it was", async () => {
    const store = await openTestStore();
    const ledgers = openLedgers(store);
    await write(store, FIRST, earned("kind", 1), PROMOTED);
    const [old, young] = [await open(ledgers, FIRST), await open(ledgers, SECOND)];
    const before = await old.read();
    await young.begin();
    expect(await young.read()).toMatchObject({
      active: { arm: "kind" },
      origin: { inherited: { seq: 1, results: 1 } },
    });
    await old.begin();
    expect((await eventsOf(store, FIRST)).at(-1)).toEqual(PLAIN);
    expect(await old.read()).toEqual({ ...before, seq: 2, rules: RULES });
  });

  test("takes nothing over although its version has a parent by now", async () => {
    const store = await openTestStore();
    const ledgers = openLedgers(store);
    await write(store, FIRST, PLAIN, PROMOTED);
    await write(store, SECOND, earned("dry", 1));
    const young = await open(ledgers, SECOND);
    await young.begin();
    expect(await eventsOf(store, SECOND)).toEqual([earned("dry", 1), PLAIN]);
    expect((await young.read()).active.arm).toBe("dry");
  });
});

test("in which order versions are looked at and begin does not matter, only what happens in between", async () => {
  const versions = [FIRST, SECOND, THIRD];
  type Deed = readonly [what: "look" | "begin" | "reward", which: number, arm: number];
  const deed = fc.tuple(
    fc.constantFrom("look", "look", "begin", "reward"),
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: 0, max: 2 }),
  ) as fc.Arbitrary<Deed>;
  const run = async (deeds: readonly Deed[], order: readonly number[]) => {
    const store = await openTestStore();
    const ledgers = openLedgers(store);
    for (const [what, which, arm] of deeds) {
      const version = versions[which] ?? FIRST;
      const ledger = await open(ledgers, version);
      if (what === "look") await ledger.read();
      else await ledger.begin();
      if (what === "reward") await write(store, version, earned(["dry", "kind", "loud"][arm] ?? "", 1));
    }
    // All begin now, one after the other.
    for (const which of order) await (await open(ledgers, versions[which] ?? FIRST)).begin();
    return Promise.all(versions.map(async (version) => pullsOf(await (await open(ledgers, version)).read())));
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(deed, { maxLength: 12 }),
      fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      async (deeds, order) => {
        const seen = await run(deeds, order);
        expect(
          await run(
            deeds.filter(([what]) => what !== "look"),
            [0, 1, 2],
          ),
        ).toEqual(seen);
      },
    ),
    { numRuns: process.env["CAIRN_LONG"] === "1" ? 200 : 15 },
  );
});
