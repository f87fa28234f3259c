import fc from "fast-check";
import { expect, test } from "vitest";
import { createThinned, offer, POINT_LIMIT } from "../../../../../server/capabilities/tuner/plots/thinned.ts";

test("a series keeps its first point and others at equal distances, never too many nor too few", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), (count) => {
      let series = createThinned<number>();
      for (let place = 0; place < count; place += 1) series = offer(series, () => place);
      expect(series.offered).toBe(count);
      expect(series.points).toEqual(series.points.map((_, place) => place * series.stride));
      expect(series.points.length).toBe(Math.ceil(count / series.stride));
      expect(series.points.length).toBeLessThanOrEqual(POINT_LIMIT);
      if (series.stride > 1) expect(series.points.length).toBeGreaterThan(POINT_LIMIT / 2);
    }),
    { numRuns: 30 },
  );
});

test("a point that is not kept is not made", () => {
  let made = 0;
  let series = createThinned<number>();
  for (let place = 0; place < 10_000; place += 1) series = offer(series, () => (made += 1));
  expect(made).toBeLessThan(1000);
});
