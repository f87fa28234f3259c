import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask } from "../../../../../server/capabilities/tuner/cma/ask.ts";
import type { CmaSearch } from "../../../../../server/capabilities/tuner/cma/search.ts";
import { closeGeneration, tell } from "../../../../../server/capabilities/tuner/cma/tell.ts";
import { drive, evaluate, floats, random, startSearch, step, toPoint, type Objective } from "./drive.ts";

const sphere: Objective = (x) => x.reduce((total, value) => total + (value - 0.3) * (value - 0.3), 0);

function askAll(search: CmaSearch) {
  return ask(search, 100, random);
}

function roundTrip(search: CmaSearch): CmaSearch {
  return JSON.parse(JSON.stringify(search));
}

describe("telling results", () => {
  test("finds the least and the greatest value", () => {
    const least = drive(startSearch(), sphere);
    const greatest = drive(startSearch({ direction: "maximize" }), (x) => -sphere(x));
    expect(least.best?.value).toBeLessThan(1e-12);
    expect(greatest.best?.value).toBe(-(least.best?.value ?? 0));
    expect(greatest.best?.values).toEqual(least.best?.values);
  });

  test("gives the same state in any order", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }), (order) => {
        const { search, candidates } = askAll(step(startSearch(), sphere));
        const shuffled = order.flatMap((i) => candidates[i] ?? []);
        expect(JSON.stringify(evaluate(search, shuffled, sphere))).toBe(
          JSON.stringify(evaluate(search, candidates, sphere)),
        );
      }),
    );
  });

  test("gives the same bytes when every state goes through JSON", () => {
    let live = startSearch({ parameters: floats(4), reevaluate: 2, restarts: { mode: "bipop", factor: 2, max: 2 } });
    let stored = roundTrip(live);
    for (let generation = 0; generation < 150; generation += 1) {
      const [a, b] = [askAll(live), askAll(stored)];
      live = a.search;
      stored = roundTrip(b.search);
      for (const candidate of a.candidates) {
        const result = generation % 7 === 0 ? ({ failed: true } as const) : { value: sphere(toPoint(candidate)) };
        live = tell(live, candidate.id, result);
        stored = roundTrip(tell(stored, candidate.id, result));
      }
      expect(JSON.stringify(stored)).toBe(JSON.stringify(live));
    }
    expect(live.evaluations).toBeGreaterThan(500);
  });

  test("depends on the order of values only", () => {
    const plain = drive(startSearch(), sphere, ({ run }) => (run?.generation ?? 0) >= 25);
    const bent = drive(
      startSearch(),
      (x) => Math.exp(7 * sphere(x)) - 1e3,
      ({ run }) => (run?.generation ?? 0) >= 25,
    );
    expect(bent.run?.distribution).toEqual(plain.run?.distribution);
  });

  test("takes several candidates in flight, and asks for no more than a generation has", () => {
    const first = ask(startSearch(), 2, random);
    const second = ask(first.search, 100, random);
    expect([first.candidates.length, second.candidates.length]).toEqual([2, 4]);
    expect(askAll(second.search).candidates).toEqual([]);
    const ids = [...first.candidates, ...second.candidates].map(({ id }) => id);
    expect(ids).toEqual(["0.0.0", "0.0.1", "0.0.2", "0.0.3", "0.0.4", "0.0.5"]);
  });

  test("ranks failures last and never lets them into a figure", () => {
    const { search, candidates } = askAll(startSearch());
    const [first, ...others] = candidates;
    const failed = evaluate(tell(search, first?.id ?? "", { failed: true }), others, sphere);
    const worst = evaluate(search, candidates, (x) =>
      sphere(x) === sphere(toPoint(first ?? { values: {} })) ? 9 : sphere(x),
    );
    expect(failed.run?.distribution).toEqual(worst.run?.distribution);
    expect(JSON.stringify(failed)).not.toContain("null,null");
    expect(failed.run?.history.bests.every(Number.isFinite)).toBe(true);
  });

  test("learns nothing from a generation that failed wholly, and goes on to another", () => {
    const { search, candidates } = askAll(startSearch());
    const failed = candidates.reduce((state, { id }) => tell(state, id, { failed: true }), search);
    expect(failed.run?.distribution).toEqual(search.run?.distribution);
    expect(failed.run?.generation).toBe(1);
    expect(askAll(failed).candidates[0]?.values).not.toEqual(candidates[0]?.values);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses the value %s", (value) => {
    const { search } = askAll(startSearch());
    expect(() => tell(search, "0.0.0", { value })).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
  });

  test.each(["0.0.6", "0.1.0", "1.0.0", "x", "0.0.0r"])("refuses the unknown candidate %s", (id) => {
    const { search } = askAll(startSearch());
    expect(() => tell(search, id, { value: 1 })).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
  });

  test("refuses a candidate that was not handed out", () => {
    const { search } = ask(startSearch(), 1, random);
    expect(() => tell(search, "0.0.1", { value: 1 })).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
  });

  test("refuses a second result, in its generation and after", () => {
    const { search } = askAll(startSearch());
    const once = tell(search, "0.0.0", { value: 1 });
    const conflict = expect.objectContaining({ name: "CONFLICT" });
    expect(() => tell(once, "0.0.0", { value: 1 })).toThrow(conflict);
    expect(() => tell(askAll(step(startSearch(), sphere)).search, "0.0.0", { value: 1 })).toThrow(conflict);
  });
});

describe("closing a generation early", () => {
  const { search, candidates } = askAll(startSearch());
  const told = (count: number) => evaluate(search, candidates.slice(0, count), sphere);

  test("takes missing results for the worst", () => {
    const missing = closeGeneration(told(4));
    const failed = ["0.0.4", "0.0.5"].reduce((state, id) => tell(state, id, { failed: true }), told(4));
    expect(missing.run?.distribution).toEqual(failed.run?.distribution);
    expect([missing.evaluations, failed.evaluations]).toEqual([4, 6]);
  });

  test("needs the results of half of it", () => {
    expect(() => closeGeneration(told(2))).toThrow("at least `3` of its `6` candidates, and has `2`");
    expect(closeGeneration(told(3)).run?.generation).toBe(1);
    expect(() => closeGeneration(closeGeneration(told(3)))).toThrow(expect.objectContaining({ name: "CONFLICT" }));
  });

  test("keeps what is told after it, as the best and as a known point of the next generation", () => {
    const late = tell(closeGeneration(told(4)), "0.0.5", { value: -1 });
    expect(late.best).toMatchObject({ id: "0.0.5", value: -1, values: candidates[5]?.values });
    const next = askAll(late);
    expect(next.candidates.map(({ id }) => id)).toEqual(["0.1.1", "0.1.2", "0.1.3", "0.1.4", "0.1.5"]);
    expect(next.search.open?.candidates[0]).toMatchObject({ injected: true, outcome: -1 });
    expect(() => tell(late, "0.0.5", { value: -1 })).toThrow(expect.objectContaining({ name: "CONFLICT" }));
    expect(tell(late, "0.0.4", { failed: true }).late).toEqual([]);
  });

  test("forgets the oldest of what is missing", () => {
    let state = startSearch();
    for (let generation = 0; generation < 40; generation += 1) {
      const asked = askAll(state);
      state = closeGeneration(evaluate(asked.search, asked.candidates.slice(0, 3), sphere));
    }
    expect(state.late.map(({ id }) => id).slice(0, 2)).toEqual(["0.6.5", "0.7.3"]);
    expect(state.late.length).toBe(100);
    expect(() => tell(state, "0.6.4", { value: 1 })).toThrow(expect.objectContaining({ name: "CONFLICT" }));
  });
});
