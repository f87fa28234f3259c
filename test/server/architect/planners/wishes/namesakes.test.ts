import { beforeAll, describe, expect, test } from "vitest";
import { readClause } from "../../../../../server/architect/planners/wishes/clause.ts";
import { isLimited } from "../../../../../server/architect/planners/wishes/namesakes.ts";
import { listPlaces } from "../../../../../server/architect/planners/wishes/places/list-places.ts";
import type { Places } from "../../../../../server/architect/planners/wishes/places/places.ts";
import { createGround, readCheckout } from "../../../../helpers/plan-ground.ts";

let places: Places;
beforeAll(async () => {
  places = listPlaces((await createGround(await readCheckout())).version);
});

function isLimitedIn(message: string, id: string): boolean {
  const thing = places.things.find((one) => one.id === id);
  if (thing === undefined) throw new Error(`There is no ${id}.`);
  return isLimited(readClause(message, places), thing, places);
}

describe("a value of another field", () => {
  const LOCATION = "runner.get_weather/input/location";

  test("limits what is wished of a field of its tool", () => {
    expect(isLimitedIn("let locations of imperial answers have 200 characters", LOCATION)).toBe(true);
  });

  test("limits nothing when it is the field's own, or not said", () => {
    expect(isLimitedIn("add imperial to the units", "runner.get_weather/input/units")).toBe(false);
    expect(isLimitedIn("let locations have 200 characters", LOCATION)).toBe(false);
  });
});

test("a version limits what is wished, but for labels and within quotation marks", () => {
  const UNITS = "runner.get_weather/input/units";
  expect(isLimitedIn("units should be imperial in 0.1.0", UNITS)).toBe(true);
  expect(isLimitedIn("units should be imperial", UNITS)).toBe(false);
  expect(isLimitedIn('describe units as "As in 0.1.0"', UNITS)).toBe(false);
});
