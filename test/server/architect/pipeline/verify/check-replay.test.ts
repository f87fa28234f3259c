import { describe, expect, test } from "vitest";
import { checkReplay } from "../../../../../server/architect/pipeline/verify/check-replay.ts";
import { createSharedTrial } from "../../../../../server/architect/pipeline/verify/shared-trial.ts";
import { compareVersions } from "../../../../../server/semver/compare-versions.ts";
import type { Trial } from "../../../../../server/examples/open-trial.ts";
import { bodyKey } from "../../../../../server/store/keys.ts";
import type { Json, Store } from "../../../../../server/store/store.ts";
import { openTestStore } from "../../../../helpers/store.ts";
import { createTestVersion } from "../../../../helpers/test-version.ts";

const FIXED = { name: "runner.greet", server: "runner", deterministic: true } as const;
const before = createTestVersion({ commit: "b".repeat(40), semver: "1.4.2", tools: [FIXED] });

const NOTHING = { missed: undefined, deviations: [], writes: new Map(), isLate: false };
const notCalled = () => Promise.reject(new Error("Nothing is called here."));

/** Answers what it is given; the changed version in capitals when it is told to. */
function createTrial(calls: Json[], isLoud: boolean): Trial {
  return {
    call: notCalled,
    play: async ({ input, candidate }) => {
      const isChanged = candidate !== before;
      if (isChanged) calls.push(input);
      const output = isLoud && isChanged ? { name: JSON.stringify(input).toUpperCase() } : input;
      return { ...NOTHING, end: { ok: true, output } };
    },
    close: async () => undefined,
  };
}

async function record(store: Store, count: number, tenant = "local", tool = "runner.greet"): Promise<void> {
  const set = Array.from({ length: count }, (_, index) => {
    const value = { schemaVersion: 1, tool, input: { name: `n${index}` }, output: { name: `n${index}` }, at: index };
    return { key: bodyKey(tenant, before.commit, String(index).padStart(6, "0")), value };
  });
  await store.commit({ set });
}

async function replay(store: Store, version: string, isLoud = true, tools = [FIXED]) {
  const after = createTestVersion({
    commit: "a".repeat(40),
    semver: version === "1.0.0" ? "1.4.2" : "2.0.0",
    tools: tools.map((tool) => ({ ...tool, version, ...(version === "1.0.0" ? {} : { description: "Greets." }) })),
  });
  const calls: Json[] = [];
  const outcome = await checkReplay({
    store,
    tenant: "local",
    before,
    after,
    difference: compareVersions(before, after),
    tools: [...after.tools.values()],
    trial: createSharedTrial(async () => createTrial(calls, isLoud)),
    signal: new AbortController().signal,
  });
  return { ...outcome, calls };
}

describe("recorded calls with a changed version", () => {
  test("fail the change when they come out otherwise and the tool's number says that they do not", async () => {
    const store = await openTestStore();
    await record(store, 3);
    for (const version of ["1.0.0", "1.0.1"]) {
      expect(await replay(store, version)).toMatchObject({
        status: "failed",
        message:
          "3 recorded calls: 0 same, 3 different, 0 not compared.\n3 x runner.greet answers otherwise at /name (its version promises the same), such as call 000002.",
      });
    }
    expect(await replay(store, "1.0.0", false)).toMatchObject({
      status: "passed",
      message: "3 recorded calls: 3 same, 0 different, 0 not compared.",
    });
  });

  test("are told and pass when the number says that the tool has changed, or is gone with the tree's", async () => {
    const store = await openTestStore();
    await record(store, 2);
    for (const version of ["1.1.0", "2.0.0"]) {
      expect(await replay(store, version)).toMatchObject({
        status: "passed",
        message: expect.stringContaining("(its version says that it changed)"),
      });
    }
    expect(await replay(store, "2.0.0", true, [])).toMatchObject({
      status: "passed",
      message:
        "2 recorded calls: 0 same, 2 different, 0 not compared.\n2 x runner.greet is not there any more (its version says that it changed), such as call 000001.",
    });
  });

  test.each([
    [
      "that are too slow beside others and not by themselves are the same",
      (_isChanged: boolean, count: number) => count === 1,
      "passed",
      "1 same, 0 different, 0 not compared",
    ],
    [
      "that are too slow before the change as well say nothing",
      () => true,
      "skipped",
      "0 same, 0 different, 1 not compared.\n1 x not compared: runner.greet: a time limit ends its own version here as well.",
    ],
    [
      "that only the change makes too slow fail it",
      (isChanged: boolean) => isChanged,
      "failed",
      "0 same, 1 different, 0 not compared",
    ],
  ])("%s", async (_what, isSlow, status, counts) => {
    const store = await openTestStore();
    await record(store, 1);
    const after = createTestVersion({ commit: "a".repeat(40), semver: "1.4.2", tools: [FIXED] });
    let calls = 0;
    const trial: Trial = {
      call: notCalled,
      async play({ input, candidate }) {
        const isLate = isSlow(candidate !== before, (calls += 1));
        const error = { name: "CPU_LIMIT", message: "It took too long." } as never;
        return { ...NOTHING, end: isLate ? { ok: false, error } : { ok: true, output: input }, isLate };
      },
      close: async () => undefined,
    };
    const outcome = await checkReplay({
      store,
      tenant: "local",
      before,
      after,
      difference: compareVersions(before, after),
      tools: [...after.tools.values()],
      trial: createSharedTrial(async () => trial),
      signal: new AbortController().signal,
    });
    expect(outcome).toMatchObject({ status, message: expect.stringContaining(counts) });
  });

  test("are those of the tenant and of tools that may answer otherwise, the newest two hundred", async () => {
    const store = await openTestStore();
    await record(store, 250);
    await record(store, 5, "other");
    const { calls } = await replay(store, "1.0.0", false);
    expect(calls.length).toBeLessThanOrEqual(200);
    expect(calls.slice(0, 2)).toEqual([{ name: "n249" }, { name: "n248" }]);
  });

  test("are left out when there are none", async () => {
    const store = await openTestStore();
    await record(store, 5, "other");
    expect(await replay(store, "1.0.0")).toEqual({
      status: "skipped",
      message: "No calls of 1.4.2 are recorded of tools that may answer otherwise.",
      calls: [],
    });
  });
});
