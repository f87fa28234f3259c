import { describe, expect, test } from "vitest";
import { createWishPlanner } from "../../../../../../server/architect/planners/wishes/create-wish-planner.ts";
import { toParts } from "../../../../../../server/architect/planners/wishes/parts/to-parts.ts";
import { listPlaces } from "../../../../../../server/architect/planners/wishes/places/list-places.ts";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { groundOf, planOf } = await openAgents(["clinic", "farm", "freight", "museum", "shop"], [createWishPlanner()]);

describe("[A9] wishes of one sentence are done together, each with the tool that the first names", () => {
  test.each([
    [
      "freight",
      "Let track_parcel speak es and nl, and give it 9 seconds",
      "`parcels.track_parcel` accepts `es` as `language`. `parcels.track_parcel` accepts `nl` as `language`. The time limit of `parcels.track_parcel` is `9000`; it was `2500`.",
    ],
    [
      "shop",
      "Let list_reviews take 25 seconds, and give its limit a default of 30",
      "The time limit of `catalog.list_reviews` is `25000`; it was `5000`. The default of `limit` in the input of `catalog.list_reviews` is `30`; it was `20`.",
    ],
    [
      "farm",
      "Set the timeout_minutes of start_build to 60 by default, and give the tool 20 seconds",
      "The default of `timeout_minutes` in the input of `builds.start_build` is `60`; it was `45`. The time limit of `builds.start_build` is `20000`; it was `8000`.",
    ],
    [
      "museum",
      "make hold_minutes 15 by default and latecomers next_slot",
      "The parameter `holds.hold_minutes` is `15` by default; it was `30`. The parameter `holds.latecomers` is `next_slot` by default; it was `admit`.",
    ],
  ])("%s: %s", async (agent, message, changes) => {
    const plan = await planOf(agent, message);
    expect(plan?.kind === "change" && plan.changes.join(" ")).toBe(changes);
  });
});

describe("[A9] wishes of one sentence are only offered", () => {
  test.each([
    [
      "clinic",
      "Make find_slots idempotent, and raise its limit to 12",
      "`visits.find_slots` says `idempotent: true`. The maximum of `limit` in the input of `visits.find_slots` is `12`; it was `24`.",
    ],
  ])("as a whole where one of them is only likely: %s: %s", async (agent, message, first) => {
    const plan = await planOf(agent, message);
    expect(plan?.kind === "reject" && plan.readings?.[0]?.title).toBe(first);
  });

  test.each([
    ["clinic", "Give find_slots 9 seconds and, if Anna agrees, drop the pager of register_patient"],
    ["shop", "Let list_reviews take 25 seconds, and give its limit a default of 30, but not before Monday"],
    ["farm", "Set the timeout_minutes of start_build to 60 by default, and give the tool 20 seconds?"],
    ["freight", "Anna wants track_parcel to speak es, and to give it 9 seconds"],
  ])("where something binds or doubts them: %s: %s", async (agent, message) => {
    expect((await planOf(agent, message))?.kind).not.toBe("change");
  });
});

describe("the parts of a sentence", () => {
  test.each([
    [
      "Add CHF to the currency of get_product, and let the tool take 9 seconds",
      ["Add CHF to the currency of get_product", "let catalog.get_product take 9 seconds"],
    ],
    ["Add CHF and SEK to the currency of get_product", []],
    [
      "Give get_product and list_reviews 9 seconds and make it idempotent",
      ["Give get_product and list_reviews 9 seconds", "make it idempotent"],
    ],
  ])("%s", (text, parts) => {
    expect(toParts(text, listPlaces(groundOf("shop").version)).map((part) => part.text)).toEqual(parts);
  });
});
