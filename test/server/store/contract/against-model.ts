import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rm } from "node:fs/promises";
import type { Commit, Json, Key, Store } from "../../../../server/store/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { readChain } from "../chain.ts";
import { type Engine, ENGINES } from "../engines.ts";
import { LIMIT_MS, LONG } from "../long.ts";
import { createModel, type Model, type Outcome } from "../model.ts";
import { collect, createClock } from "../open-store.ts";

const RUNS = LONG ? 2_000 : 100;

const QUEUE = ["q"];
const KEYS: readonly Key[] = [["q", "a"], ["q", "b"], ["q", "c"], ["q", "c", "deep"], ["n"]];
const LOGS = ["l", "m"];

/** Revisions are the store's to choose, so operations name them by where they come from. */
type RevSource = "current" | "absent" | "stale" | "fence";
type Role =
  | { readonly does: "nothing" | "del" }
  | { readonly does: "set"; readonly value: Json; readonly ttl: number | undefined }
  | { readonly does: "add"; readonly delta: number; readonly max: number | undefined }
  | { readonly does: "renew"; readonly source: RevSource; readonly leaseMs: number };
type Operation =
  | {
      readonly kind: "commit";
      readonly roles: readonly Role[];
      readonly checks: readonly { readonly at: number; readonly source: RevSource }[];
      readonly append: readonly { readonly log: string; readonly entry: Json }[];
      readonly id: string | undefined;
    }
  | { readonly kind: "claim"; readonly leaseMs: number; readonly limit: number }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "reopen" };

const source = fc.constantFrom<RevSource>("current", "current", "absent", "stale", "fence");
const json = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant("text"));
const ms = fc.integer({ min: 1, max: 30 });
const role: fc.Arbitrary<Role> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ does: "nothing" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("set" as const), value: json, ttl: fc.option(ms, { nil: undefined }) }),
  },
  { weight: 1, arbitrary: fc.constant({ does: "del" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("add" as const),
      delta: fc.integer({ min: -2, max: 2 }),
      max: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("renew" as const), source, leaseMs: ms }) },
);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("commit" as const),
      roles: fc.array(role, { minLength: KEYS.length, maxLength: KEYS.length }),
      checks: fc.array(fc.record({ at: fc.nat(KEYS.length - 1), source }), { maxLength: 2 }),
      append: fc.array(fc.record({ log: fc.constantFrom(...LOGS), entry: json }), { maxLength: 3 }),
      id: fc.option(fc.constantFrom("one", "two"), { nil: undefined, freq: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("claim" as const), leaseMs: ms, limit: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("advance" as const), ms }) },
  { weight: 1, arbitrary: fc.constant({ kind: "reopen" as const }) },
);

export function describeAgainstModel(engine: Engine): void {
  describe("any sequence of operations", () => {
    test(
      "has the outcomes and leaves the state that a simple model has",
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
            const directory = await temporaryFolder();
            const clock = createClock();
            const open = () => ENGINES[engine]({ directory, now: clock.now });
            const model = createModel(clock.now);
            const fences = new Map<Key, readonly [number, number]>();
            let store = await open();
            try {
              for (const one of operations) {
                if (one.kind === "advance") clock.advance(one.ms);
                else if (one.kind === "reopen") {
                  await store.admin.close();
                  store = await open();
                } else if (one.kind === "claim") await claimBoth(store, model, one, fences);
                else await commitBoth(store, model, one, fences);
                await compareState(store, model);
              }
              expect(await store.admin.check()).toEqual([]);
            } finally {
              await store.admin.close();
              await rm(directory, { recursive: true });
            }
          }),
          { numRuns: RUNS },
        );
      },
      LIMIT_MS,
    );
  });
}

async function claimBoth(
  store: Store,
  model: Model,
  { leaseMs, limit }: { leaseMs: number; limit: number },
  fences: Map<Key, readonly [number, number]>,
): Promise<void> {
  const actual = await store.claim({ queue: QUEUE, leaseMs, limit });
  const expected = model.claim({ queue: QUEUE, leaseMs, limit });
  expect(actual.map(({ key, value }) => [key, value])).toEqual(expected.map(({ key, value }) => [key, value]));
  for (const [index, { key, fence }] of actual.entries()) {
    const same = KEYS.find((one) => JSON.stringify(one) === JSON.stringify(key));
    if (same) fences.set(same, [fence, expected[index]?.fence ?? -1]);
  }
}

async function commitBoth(
  store: Store,
  model: Model,
  { roles, checks, append, id }: Extract<Operation, { kind: "commit" }>,
  fences: ReadonlyMap<Key, readonly [number, number]>,
): Promise<void> {
  const revs = await Promise.all(
    KEYS.map(async (key) => [(await store.get(key))?.rev ?? 0, model.get(key)?.rev ?? 0] as const),
  );
  const rev = (at: number, from: RevSource, side: 0 | 1): number => {
    if (from === "fence") return fences.get(KEYS[at] ?? [])?.[side] ?? 999_999;
    return { current: revs[at]?.[side] ?? 0, absent: 0, stale: 999_999 }[from];
  };
  const toCommit = (side: 0 | 1): Commit => {
    const renewals = pick(roles, "renew").map(({ at, key, role: { source: from, leaseMs } }) => {
      // No entry has revision 0, so a fence cannot be one.
      return { key, fence: rev(at, from, side) || 999_999, leaseMs };
    });
    return {
      check: checks.map((check) => ({ key: KEYS[check.at] ?? [], rev: rev(check.at, check.source, side) })),
      renew: renewals,
      set: pick(roles, "set").map(({ key, role: { value, ttl } }) => ({ key, value, ...(ttl ? { ttl } : {}) })),
      del: pick(roles, "del").map(({ key }) => key),
      add: pick(roles, "add").map(({ key, role: { delta, max } }) => ({
        key,
        delta,
        ...(max === undefined ? {} : { max }),
      })),
      append,
      ...(id === undefined ? {} : { id }),
    };
  };
  const actual = await store.commit(toCommit(0)).then(
    (result): Outcome => (result.ok ? { ok: true, seqs: result.logs.map(({ seq }) => seq) } : result),
    (error: Error): Outcome => {
      expect(error.name).toBe("BAD_REQUEST");
      return "refused";
    },
  );
  expect(actual).toEqual(model.commit(toCommit(1)));
}

async function compareState(store: Store, model: Model): Promise<void> {
  expect(byName(await collect(store.scan({ prefix: [] })))).toEqual(byName(model.live()));
  for (const log of LOGS) {
    expect(readChain(await collect(store.readLog(log, { from: 0 })))).toEqual(model.log(log));
  }
}

function byName(entries: readonly { key: Key; value: Json }[]): Record<string, Json> {
  return Object.fromEntries(entries.map(({ key, value }) => [JSON.stringify(key), value]));
}

function pick<Does extends Role["does"]>(roles: readonly Role[], does: Does) {
  return roles.flatMap((one, at) =>
    one.does === does ? [{ at, key: KEYS[at] ?? [], role: one as Extract<Role, { does: Does }> }] : [],
  );
}
