import { array, assert, integer, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { createMeter } from "../../../../server/kernel/limits/meter.ts";

const one = (allowance: object, key = "a") => [{ key, allowance }];

function createClock() {
  const clock = { at: 1_000_000 };
  return { clock, elapsed: () => clock.at };
}

describe("a rate", () => {
  test("lets a minute's calls come at once, then as many as time gives back", () => {
    const { clock, elapsed } = createClock();
    const meter = createMeter(elapsed);
    const take = () => meter.take(one({ rate: 6 }));
    for (let call = 0; call < 6; call++) expect(take()).toMatchObject({ ok: true });
    expect(take()).toEqual({ ok: false, index: 0, limit: "rate", retryMs: 10_000 });
    clock.at += 9_999;
    expect(take()).toEqual({ ok: false, index: 0, limit: "rate", retryMs: 1 });
    clock.at += 1;
    expect(take()).toMatchObject({ ok: true });
    expect(take()).toMatchObject({ ok: false });
  });

  test("is never exceeded in any minute and a bucket, and a caller that waits as told is let in", () => {
    const law = property(
      integer({ min: 1, max: 100 }),
      array(tuple(integer({ min: 0, max: 20_000 }), integer({ min: 1, max: 20 })), { maxLength: 60 }),
      (rate, steps) => {
        const { clock, elapsed } = createClock();
        const meter = createMeter(elapsed);
        const admitted: number[] = [];
        for (const [wait, calls] of steps) {
          clock.at += wait;
          for (let call = 0; call < calls; call++) {
            const taken = meter.take(one({ rate }));
            if (taken.ok) admitted.push(clock.at);
            else {
              clock.at += Math.ceil(taken.retryMs);
              expect(meter.take(one({ rate })).ok).toBe(true);
              admitted.push(clock.at);
            }
          }
        }
        // A token bucket of size `rate` that fills in a minute lets at most this many through between two moments.
        for (const [first, start] of admitted.entries()) {
          for (let last = first; last < admitted.length; last++) {
            const most = rate + (rate * ((admitted[last] ?? 0) - start)) / 60_000;
            expect(last - first + 1).toBeLessThanOrEqual(most + 0.01);
          }
        }
      },
    );
    assert(law, { numRuns: process.env["CAIRN_LONG"] ? 2000 : 100 });
  });

  test("is one bucket for callers with different allowances: each takes its share of it", () => {
    const meter = createMeter(createClock().elapsed);
    for (let call = 0; call < 5; call++) expect(meter.take(one({ rate: 10 })).ok).toBe(true);
    for (let call = 0; call < 50; call++) expect(meter.take(one({ rate: 100 })).ok).toBe(true);
    expect(meter.take(one({ rate: 100 })).ok).toBe(false);
    expect(meter.take(one({ rate: 10 })).ok).toBe(false);
  });
});

test("calls at once are counted until they are released, and released once", () => {
  const meter = createMeter(createClock().elapsed);
  const take = () => meter.take(one({ concurrency: 2 }));
  const [first] = [take(), take()];
  expect(take()).toEqual({ ok: false, index: 0, limit: "concurrency", retryMs: 0 });
  if (!first.ok) throw new Error("refused");
  first.release();
  first.release();
  expect([take().ok, take().ok]).toEqual([true, false]);
});

test("a call that one of several refuses takes nothing of the others", () => {
  const meter = createMeter(createClock().elapsed);
  const [tenant, actor] = [
    { key: "t", allowance: { rate: 2, concurrency: 2 } },
    { key: "a", allowance: { rate: 1 } },
  ];
  expect(meter.take([tenant, actor]).ok).toBe(true);
  for (let call = 0; call < 5; call++) expect(meter.take([tenant, actor])).toMatchObject({ ok: false, index: 1 });
  expect([meter.take([tenant]).ok, meter.take([tenant]).ok]).toEqual([true, false]);
});

describe("the table of counters", () => {
  test("is bounded, and filling it resets nobody", () => {
    const { clock, elapsed } = createClock();
    const meter = createMeter(elapsed, 100);
    const call = (key: string) => {
      const taken = meter.take(one({ rate: 1 }, key));
      if (taken.ok) taken.release();
      return taken;
    };
    expect(call("victim").ok).toBe(true);
    const refused = Array.from({ length: 1000 }, (_, n) => call(`flood${n}`)).filter(({ ok }) => !ok);
    expect(refused).toHaveLength(901);
    expect(refused[0]).toMatchObject({ limit: "counters" });
    expect(meter.size()).toBe(100);
    expect(call("victim")).toMatchObject({ ok: false, limit: "rate" });
    clock.at += 60_000;
    for (let n = 0; n < 100; n++) expect(call(`late${n}`).ok).toBe(true);
    expect(meter.size()).toBeLessThanOrEqual(100);
  });

  test("forgets nobody whose call still runs", () => {
    const { clock, elapsed } = createClock();
    const meter = createMeter(elapsed, 10);
    meter.take(one({ concurrency: 1 }, "busy"));
    clock.at += 3_600_000;
    for (let n = 0; n < 100; n++) {
      const taken = meter.take(one({ rate: 1 }, `other${n}`));
      if (taken.ok) taken.release();
    }
    expect(meter.take(one({ concurrency: 1 }, "busy"))).toMatchObject({ ok: false, limit: "concurrency" });
  });
});
