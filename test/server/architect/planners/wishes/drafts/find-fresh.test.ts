import { beforeAll, describe, expect, test } from "vitest";
import type { Ground } from "../../../../../../server/architect/planners/planner.ts";
import { readClause } from "../../../../../../server/architect/planners/wishes/clause.ts";
import { findFresh } from "../../../../../../server/architect/planners/wishes/drafts/find-fresh.ts";
import { toUnnamed } from "../../../../../../server/architect/planners/wishes/drafts/draft.ts";
import { listPlaces } from "../../../../../../server/architect/planners/wishes/places/list-places.ts";
import { createGround, readCheckout } from "../../../../../helpers/plan-ground.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await createGround(await readCheckout());
});

function valuesOf(text: string): readonly unknown[] {
  const places = listPlaces(ground.version);
  const thing = places.things.find(({ id }) => id === "runner.get_weather/input/units");
  const [place] = thing === undefined ? [] : (places.placesOf.get(thing) ?? []).filter(({ key }) => key === "values");
  if (thing === undefined || place === undefined) throw new TypeError("There are no units.");
  return findFresh(readClause(text, places), toUnnamed(thing, 1), place, places).map(({ value }) => value);
}

describe("[A9] values that are not there yet", () => {
  test.each([
    ["units of get_weather: KLV + RNK missing", ["klv", "rnk"]],
    ["Add kelvin and rankine to the units", ["kelvin", "rankine"]],
    ["get_weather: allow si as units", ["si"]],
    ["allow es as units", ["es"]],
    ["runner.chat: allow kelvin as units", ["kelvin"]],
  ])("are all found: %s", (text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });
});
