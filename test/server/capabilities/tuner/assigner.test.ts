import { describe, expect, test } from "vitest";
import { tuningLog } from "../../../../server/store/keys.ts";
import { readLogEntry } from "../../../../server/store/log-entry.ts";
import { createAssigner } from "../../../../server/capabilities/tuner/assigner.ts";
import { createLedgers, type FindParent } from "../../../../server/capabilities/tuner/ledgers.ts";
import type { Store } from "../../../../server/store/store.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { createTestTool } from "../../../helpers/test-version.ts";
import { TUNED_VERSION as version } from "./tuned-version.ts";

const tool = createTestTool({ server: "s", name: "t", parameters: ["style"] });
const request = { version, tool, tenant: "t", actor: "a", conversationId: "c", isNested: false };

function open(store: Store, now: () => number = Date.now, findParent?: FindParent) {
  const errors: unknown[] = [];
  const ledgers = createLedgers({ store, now, findParent });
  return { assigner: createAssigner({ ledgers, now, onError: (error) => void errors.push(error) }), errors };
}

describe("the assigner", () => {
  test("spreads conversations that begin at the same time, before any of them is written", async () => {
    const { assigner } = open(await openTestStore());
    const arms = new Map<string, number>();
    for (let index = 0; index < 60; index += 1) {
      const { assignments } = await assigner.assign({ ...request, conversationId: `c${index}` });
      const arm = assignments?.["style"]?.arm ?? "none";
      arms.set(arm, (arms.get(arm) ?? 0) + 1);
    }
    expect([...arms.keys()].sort()).toEqual(["dry", "kind", "loud"]);
  });

  test("decides at once when what it goes by is at hand", async () => {
    const { assigner } = open(await openTestStore(), () => 0);
    expect(assigner.assign(request)).toBeInstanceOf(Promise);
    await assigner.assign(request);
    expect(assigner.assign(request)).not.toBeInstanceOf(Promise);
  });

  test("gives a call that a handler makes the active values, and takes no note of it", async () => {
    const { assigner } = open(await openTestStore());
    expect(await assigner.assign({ ...request, isNested: true })).toEqual({ parameters: { style: { tone: "dry" } } });
  });

  test("gives the defaults, and says why, where the experiment cannot be read", async () => {
    const store = await openTestStore();
    await store.commit({ append: [{ log: tuningLog("t", version.commit, "style"), entry: "nonsense" }] });
    const { assigner, errors } = open(store);
    expect(await assigner.assign(request)).toEqual({ parameters: { style: { tone: "dry" } } });
    expect(errors).toMatchObject([{ name: "INTERNAL_ERROR" }]);
  });

  test("begins a version's tuning with its first call, once, though a handler may have made it", async () => {
    for (const isNested of [false, true]) {
      const store = await openTestStore();
      const { assigner } = open(store);
      const two = [request, { ...request, conversationId: "d" }];
      await Promise.all(two.map((one) => assigner.assign({ ...one, isNested })));
      const head = await store.head(tuningLog("t", version.commit, "style"));
      expect([head?.seq, head && readLogEntry(head.bytes)]).toMatchObject([0, { kind: "opened" }]);
    }
  });

  test("gives the defaults, and lets nothing be written, where it cannot be told what a version begins with", async () => {
    const failure = new Error("the repository cannot be read");
    const findParent = () => Promise.reject(failure);
    const { assigner, errors } = open(await openTestStore(), Date.now, findParent);
    expect(await assigner.assign(request)).toEqual({ parameters: { style: { tone: "dry" } } });
    expect(errors).toEqual([failure]);
  });

  test("has nothing to decide where nothing is tuned", async () => {
    const { assigner } = open(await openTestStore());
    const untuned = { ...version, parameters: new Map() };
    const plain = createTestTool({ server: "s", name: "t", parameters: ["style"] });
    const assigned = assigner.assign({ ...request, version: untuned, tool: plain });
    expect(assigned).toEqual({ parameters: { style: {} } });
    expect(assigner.assign({ ...request, version: untuned, tool: plain })).toBe(assigned);
  });
});
