import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../../../server/json/canonical-json.ts";
import { createJournal } from "../../../../server/kernel/journal.ts";
import { type CallRecord, toRecordJson } from "../../../../server/kernel/record.ts";
import { createLog } from "../../../../server/log/log.ts";
import { type CallName, findCall, findCalls } from "../../../../server/store/calls/find-calls.ts";
import { prepareRemoval } from "../../../../server/store/calls/remove-calls.ts";
import { scanCalls } from "../../../../server/store/calls/scan-calls.ts";
import { callKey } from "../../../../server/store/keys.ts";
import type { Store } from "../../../../server/store/store.ts";
import { toCallRecord } from "../../kernel/audit/call-record.ts";
import type { Engine } from "../engines.ts";
import { LIMIT_MS, LONG } from "../long.ts";
import { collect, openStore } from "../open-store.ts";

const RUNS = LONG ? 500 : 12;
const TENANTS = ["a", "b"];
const COMMITS = ["1".repeat(40), "2".repeat(40)];
const START = Date.UTC(2026, 0, 1);
/** Milliseconds within which ids are: a few spans of segments, so that these overlap, touch and stand apart. */
const TIMES = 450;

/** What becomes of records: written by one flush of a journal, each by itself as older releases did, or taken away together. */
type Step =
  | { readonly kind: "flush" | "old"; readonly records: readonly Wish[] }
  | { readonly kind: "remove"; readonly picks: readonly (readonly [first: number, count: number])[] };

interface Wish {
  readonly tenant: string;
  readonly commit: string;
  readonly time: number;
  readonly hasTime: boolean;
  readonly outcome: string;
  readonly characters: number;
}

const wish: fc.Arbitrary<Wish> = fc.record({
  tenant: fc.constantFrom("a", "a", "a", "b"),
  commit: fc.constantFrom(...COMMITS),
  time: fc.integer({ min: 0, max: TIMES }),
  hasTime: fc.integer({ min: 0, max: 20 }).map((at) => at > 0),
  outcome: fc.constantFrom("ok", "ok", "ok", "ok", "TOOL_FAILED"),
  characters: fc.constantFrom(0, 0, 0, 9_000, 40_000),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: toWritingStep("flush", 90) },
  { weight: 1, arbitrary: toWritingStep("old", 10) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("remove" as const),
      picks: fc.array(fc.tuple(fc.nat(), fc.constantFrom(1, 1, 2, 5, 70)), { maxLength: 5 }),
    }),
  },
);

function toWritingStep(kind: "flush" | "old", maxLength: number): fc.Arbitrary<Step> {
  return fc.record({ kind: fc.constant(kind), records: fc.array(wish, { maxLength, size: "max" }) });
}

/** That records of calls are found and listed alike, whichever way they are stored. */
export function describeCalls(engine: Engine): void {
  test(
    "finds, lists and takes away records of calls as if each had a value of its own",
    { timeout: LIMIT_MS },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 70 }), follow),
        { numRuns: RUNS },
      );
    },
  );

  async function follow(steps: readonly Step[], limit: number): Promise<void> {
    const store = await openStore(engine);
    const journal = createJournal({ store, log: createLog("silent", { write: () => undefined }) });
    const model = new Map<string, CallRecord>();
    const gone: CallRecord[] = [];
    let count = 0;
    for (const { kind, ...of } of steps) {
      if ("picks" in of) {
        // Neighbours, so that segments are emptied, too.
        const kept = [...model.values()].sort((one, other) => (toPlace(one) < toPlace(other) ? -1 : 1));
        const picked = of.picks.flatMap(([pick, many]) => kept.slice(pick % kept.length).slice(0, many));
        const removed = [...new Set(picked)];
        await remove(store, removed);
        for (const { id } of removed) model.delete(id);
        gone.push(...removed);
        continue;
      }
      const records = of.records.map((one) => toRecord(one, (count += 1)));
      for (const record of records) model.set(record.id, record);
      if (kind === "flush") for (const record of records) journal.trail(record);
      else
        for (const record of records) await store.commit({ set: [{ key: keyOf(record), json: toRecordJson(record) }] });
      await journal.settled();
    }
    for (const tenant of TENANTS) await compare(store, tenant, [...model.values()], gone, limit);
    await store.admin.close();
  }
}

async function compare(
  store: Store,
  tenant: string,
  kept: readonly CallRecord[],
  gone: readonly CallRecord[],
  limit: number,
): Promise<void> {
  const own = kept.filter((record) => record.tenant === tenant);
  const all = [...own, ...gone.filter((record) => record.tenant === tenant)];
  const texts = new Map(own.map((record) => [record.id, toRecordJson(record)]));
  const toText = (value: unknown) => (value === undefined ? undefined : canonicalJson(value));
  const found = await findCalls(store, tenant, all);
  expect(found.map(toText)).toEqual(all.map(({ id }) => texts.get(id)));
  for (const { commit, id } of all.slice(0, 20)) {
    expect(toText(await findCall(store, { tenant, commit, id }))).toBe(texts.get(id));
  }
  for (const commit of COMMITS) {
    const expected = own
      .filter((record) => record.commit === commit)
      .sort((one, other) => (one.id < other.id ? 1 : -1))
      .map(({ id }) => id);
    expect(await idsOf(scanCalls(store, { tenant, commit }))).toEqual(expected);
    const paged: string[] = [];
    for (let before: string | undefined; ;) {
      const page = await idsOf(scanCalls(store, { tenant, commit }, { before, limit }));
      paged.push(...page);
      before = page.at(-1);
      if (page.length < limit) break;
    }
    expect(paged).toEqual(expected);
    const before = toId(TIMES / 2, 0).slice(0, 13);
    const earlier = expected.filter((id) => id < before);
    expect(await idsOf(scanCalls(store, { tenant, commit }, { before, limit }))).toEqual(earlier.slice(0, limit));
  }
}

async function remove(store: Store, records: readonly CallRecord[]): Promise<void> {
  for (const tenant of TENANTS) {
    const names: readonly CallName[] = records.filter((record) => record.tenant === tenant);
    expect((await store.commit(await prepareRemoval(store, tenant, names))).ok).toBe(true);
  }
}

function toRecord({ tenant, commit, time, hasTime, outcome, characters }: Wish, count: number): CallRecord {
  const id = hasTime ? toId(time, count) : `x${count}`;
  const logs = [{ at: START, level: "info", message: "x".repeat(characters), z: 1 }] as unknown as CallRecord["logs"];
  return toCallRecord(tenant, { id, commit, outcome, logs: characters === 0 ? [] : logs });
}

/** Makes an id of version 7, which no other with this count is. */
function toId(time: number, count: number): string {
  const digits = (START + time).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${(count % 4096).toString(16).padStart(3, "0")}-8000-${count.toString(16).padStart(12, "0")}`;
}

async function idsOf(records: AsyncIterable<unknown>): Promise<string[]> {
  return (await collect(records)).map((record) => (record as CallRecord).id);
}

function toPlace({ tenant, commit, id }: CallRecord): string {
  return `${tenant} ${commit} ${id}`;
}

function keyOf({ tenant, commit, id }: CallRecord) {
  return callKey(tenant, commit, id);
}
