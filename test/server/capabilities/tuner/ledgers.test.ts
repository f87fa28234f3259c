import { describe, expect, onTestFinished, test } from "vitest";
import { canonicalJson } from "../../../../server/json/canonical-json.ts";
import { tuningKey, tuningLog } from "../../../../server/store/keys.ts";
import type { Json, Store } from "../../../../server/store/store.ts";
import { digestOf } from "../../../../server/capabilities/tuner/ledger.ts";
import { createLedgers } from "../../../../server/capabilities/tuner/ledgers.ts";
import type { TuningEvent } from "../../../../server/capabilities/tuner/state/tuning-event.ts";
import type { Version } from "../../../../server/versions/version.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";
import { toneSet } from "./tuned-set.ts";

const version: Version = {
  ...createTestVersion(),
  parameters: new Map([["style", toneSet({ kind: "thompson" })]]),
};
const LOG = tuningLog("t", version.commit, "style");
const KEY = tuningKey("t", version.commit, "style");

const event = (index: number): TuningEvent => {
  const arm = ["dry", "kind", "loud"][index % 3] ?? "";
  const at = 1_700_000_000_000 + index;
  const given = { conversation: `c${index}`, arm, at };
  return index % 2 === 0
    ? { kind: "assigned", ...given }
    : { kind: "rewarded", ...given, reward: 0.5, scaled: 0.5, assignedAt: at - 1, actor: "a" };
};

async function write(store: Store, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += 500) {
    const count = Math.min(500, to - start);
    await store.commit({
      append: Array.from({ length: count }, (_, index) => ({
        log: LOG,
        entry: event(start + index) as unknown as Json,
      })),
    });
  }
}

async function readAnew(store: Store) {
  const ledger = await createLedgers({ store, now: Date.now }).open("t", version, "style");
  if (ledger === undefined) throw new Error("no ledger");
  return ledger.read();
}

describe("a ledger", () => {
  test("is the same from the log alone, and from a snapshot and what came after it", async () => {
    const store = await openTestStore();
    await write(store, 0, 1500);
    const early = await readAnew(store);
    expect((await store.get(KEY))?.value).toMatchObject({
      seq: 1499,
      algorithm: "thompson@1",
      digest: digestOf(early),
    });
    await write(store, 1500, 1700);
    const late = await readAnew(store);
    await store.commit({ del: [KEY] });
    expect(canonicalJson(await readAnew(store))).toBe(canonicalJson(late));
    expect(late.seq).toBe(1699);
  });

  test("goes by the log where a snapshot was changed by hand, or is of another algorithm", async () => {
    const store = await openTestStore();
    await write(store, 0, 1200);
    const state = await readAnew(store);
    const snapshot = (await store.get(KEY))?.value as { readonly [name: string]: Json };
    const tampered = { ...(state as unknown as { readonly [name: string]: Json }), clock: 0 };
    await store.commit({ set: [{ key: KEY, value: { ...snapshot, state: tampered } }] });
    expect(canonicalJson(await readAnew(store))).toBe(canonicalJson(state));
    await store.commit({ set: [{ key: KEY, value: { ...snapshot, algorithm: "thompson@2" } }] });
    expect(canonicalJson(await readAnew(store))).toBe(canonicalJson(state));
  });

  test.each([
    ["an event of a kind that is none", { kind: "forgiven", at: 1 }],
    ["a reward without a number", { ...event(1), scaled: null }],
    ["a reward beyond what it can be", { ...event(1), scaled: 7 }],
    ["more than an event has", { ...event(0), seq: 3 }],
    ["no object", "assigned"],
  ])("refuses %s in its log instead of guessing", async (_, entry) => {
    const store = await openTestStore();
    await store.commit({ append: [{ log: LOG, entry: entry as Json }] });
    await expect(readAnew(store)).rejects.toMatchObject({
      name: "INTERNAL_ERROR",
      message: expect.stringContaining("A stored tuning-event cannot be understood"),
    });
  });

  test("refuses a snapshot that is none", async () => {
    const store = await openTestStore();
    await store.commit({ set: [{ key: KEY, value: { schemaVersion: 2 } }] });
    await expect(readAnew(store)).rejects.toMatchObject({ name: "INTERNAL_ERROR" });
  });

  test("belongs to one tenant and one version", async () => {
    const store = await openTestStore();
    await write(store, 0, 10);
    const ledgers = createLedgers({ store, now: Date.now });
    const seqOf = async (tenant: string, of: Version) => (await (await ledgers.open(tenant, of, "style"))?.read())?.seq;
    expect(await seqOf("t", version)).toBe(9);
    expect(await seqOf("other", version)).toBe(-1);
    expect(await seqOf("t", { ...version, commit: "d".repeat(40) })).toBe(-1);
    expect(ledgers.open("t", version, "nothing")).toBeUndefined();
  });

  test("knows a moment later what others have written", async () => {
    const store = await openTestStore();
    let time = 1_700_000_000_000;
    const ledger = await createLedgers({ store, now: () => time }).open("t", version, "style");
    if (ledger === undefined) throw new Error("no ledger");
    onTestFinished(() => void ledger.refresh());
    await ledger.read();
    await write(store, 0, 10);
    expect([ledger.isFresh(), ledger.latest().seq]).toEqual([true, -1]);
    time += 100;
    expect(ledger.isFresh()).toBe(false);
    await Promise.all([ledger.refresh(), ledger.refresh()]);
    expect([ledger.isFresh(), ledger.latest().seq]).toEqual([true, 9]);
  });
});
