import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCoordinates } from "../../../../tools/_lib/weather/find-place.ts";

describe("readCoordinates", () => {
  test("reads every place on Earth, and no other", () => {
    const degrees = fc.integer({ min: -4000, max: 4000 }).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(degrees, degrees, (latitude, longitude) => {
        const real = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
        expect(readCoordinates(`${latitude}, ${longitude}`)).toEqual(real ? { latitude, longitude } : "out-of-range");
      }),
    );
  });

  test.each(["Paris", "48.85", "48.85,2.35,1", "48,85 2,35", "1e1,2", "a,b", "", ",", "48.85;2.35", "0x1,2"])(
    "takes %j for a name",
    (text) => {
      expect(readCoordinates(text)).toBeUndefined();
    },
  );
});
