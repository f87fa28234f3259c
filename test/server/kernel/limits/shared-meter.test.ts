import { describe, expect, onTestFinished, test } from "vitest";
import type { Allowance } from "../../../../server/config/allowance.ts";
import { createSharedMeter } from "../../../../server/kernel/limits/shared-meter.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { COUNT } from "../count-tool.ts";
import { toAnswer, useInvoke } from "../use-invoke.ts";

const setUp = useInvoke();

/** Meters of nodes with one store, and its clock. */
async function openMeters(nodes: number) {
  let now = 1_000_000;
  const store = await openTestStore(() => now);
  const meters = Array.from({ length: nodes }, () => createSharedMeter(store, () => now));
  onTestFinished(async () => void (await Promise.all(meters.map((meter) => meter.close()))));
  const take = async (node: number, allowance: Allowance) => {
    const taken = await meters[node]?.take([{ key: "acme", allowance }]);
    if (taken === undefined) throw new Error(`no node ${node}`);
    return taken;
  };
  return { meters, take, advance: (ms: number) => void (now += ms) };
}

const taken = (all: readonly { readonly ok: boolean }[]) => all.filter(({ ok }) => ok).length;

describe("a meter that nodes share", () => {
  test("lets through what one bucket holds, whichever nodes are asked, and more as time goes by", async () => {
    const { take, advance } = await openMeters(3);
    const ask = (count: number) => Promise.all(Array.from({ length: count }, (_, n) => take(n % 3, { rate: 60 })));
    const first = taken(await ask(120));
    expect(first).toBeLessThanOrEqual(60);
    // A share of a sixteenth may lie unused on each of the other nodes.
    expect(first).toBeGreaterThanOrEqual(60 - 2 * 4);
    advance(30_000);
    const more = taken(await ask(120));
    expect(first + more).toBeLessThanOrEqual(90);
    expect(more).toBeGreaterThanOrEqual(30 - 2 * 4);
    const refused = await take(0, { rate: 60 });
    expect(refused).toMatchObject({ ok: false, index: 0, limit: "rate" });
    expect(!refused.ok && refused.retryMs).toBeGreaterThan(0);
  });

  test("lets one call at a time through where that is all, and the next once the first has given its place back", async () => {
    const { take, meters } = await openMeters(2);
    const allowance = { concurrency: 1 };
    const first = await take(0, allowance);
    expect(await take(1, allowance)).toMatchObject({ ok: false, limit: "concurrency" });
    if (first.ok) first.release();
    await meters[0]?.close();
    expect(await take(1, allowance)).toMatchObject({ ok: true });
    expect(await take(0, allowance)).toMatchObject({ ok: false, limit: "concurrency" });
  });

  test("counts calls at once on all nodes together", async () => {
    const { take } = await openMeters(3);
    const all = await Promise.all(Array.from({ length: 30 }, (_, n) => take(n % 3, { concurrency: 10 })));
    expect(taken(all)).toBe(10);
  });

  test("frees the places of a node that has ended without a word, once their time is over", async () => {
    const { take, advance } = await openMeters(2);
    expect(await take(0, { concurrency: 1 })).toMatchObject({ ok: true });
    advance(30_001);
    expect(await take(1, { concurrency: 1 })).toMatchObject({ ok: true });
  });
});

describe("limits of a service of two nodes", () => {
  test("hold for both together: rates, and costs to the unit", async () => {
    const store = await openTestStore();
    const tools = { count: { ...COUNT, cost: { units: 5 } } };
    const options = { store, isShared: true, limits: { actor: { dailyCost: 50, rate: 12 } } };
    const [one, two] = [await setUp(tools, options), await setUp(tools, options)];
    const calls = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : two).call("count", { key: String(n) }));
    const results = await Promise.all(calls);
    const answers = results.map(toAnswer);
    expect(answers.filter((answer) => typeof answer === "object").length).toBeLessThanOrEqual(10);
    expect(answers.filter((answer) => typeof answer === "object").length).toBeGreaterThanOrEqual(9);
    expect(new Set(answers.filter((answer) => typeof answer === "string"))).toEqual(new Set(["RATE_LIMITED"]));
    const spent = [];
    for await (const { value } of store.scan({ prefix: ["spent"] })) spent.push(value);
    expect(spent).toEqual([5 * answers.filter((answer) => typeof answer === "object").length]);
  });
});
