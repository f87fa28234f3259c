import { beforeAll, expect, test } from "vitest";
import type { Ground } from "../../../../../../server/architect/planners/planner.ts";
import { readClause } from "../../../../../../server/architect/planners/wishes/clause.ts";
import { listPlaces } from "../../../../../../server/architect/planners/wishes/places/list-places.ts";
import { leadOf } from "../../../../../../server/architect/planners/wishes/samples/lead-of.ts";
import { createGround, readCheckout } from "../../../../../helpers/plan-ground.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await createGround(await readCheckout());
});

test("[A9] the example whose values a message says is ahead of the others of its tool", () => {
  const tool = ground.version.tools.get("tuner.pref_fit");
  if (tool === undefined) throw new TypeError("There is no such tool.");
  const clause = readClause("drop the pref_fit example of warm against warm", listPlaces(ground.version));
  const leads = tool.examples.map((_, at) => leadOf(clause, tool, at));
  expect(leads.filter((lead) => lead > 0)).toHaveLength(1);
  expect(leads.indexOf(Math.max(...leads))).toBe(2);
});
