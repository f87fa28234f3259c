import { describe, expect, test } from "vitest";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents([
  "example",
  "farm",
  "ferry",
  "museum",
  "observatory",
  "parcels",
  "railway",
  "shop",
]);

describe("nothing goes that a message does not name as its manifest does", () => {
  test.each([
    ["parcels", "Remove locker."],
    ["parcels", "Remove the driver."],
    ["shop", "Remove customer."],
    ["railway", "Remove bicycle."],
    ["railway", "Rename the conductor to guard."],
    ["observatory", "Remove refund."],
    ["farm", "Deprecate the queue."],
  ])("%s: %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });

  test("what is named whole, or as a field, goes", async () => {
    expect(await changesOf("farm", "Remove the queue forecast.")).toContain(
      "The tool `fleet.queue_forecast` is removed.",
    );
    expect(await changesOf("railway", "Remove the bicycles field.")).toContain("takes no `bicycles` any more");
  });
});

describe("nothing is done of one of two that a message joins", () => {
  test.each([
    ["example", "Make when and units required in get_weather."],
    ["example", "Deprecate when and units."],
    ["ferry", "Make text required and delay_minutes as well."],
    ["ferry", "Make found_at required and reported_by, too."],
    ["museum", "Max length of term and use: 80"],
    ["museum", "Lower the cost of join and request_loan by 1."],
  ])("%s: %s", async (agent, message) => {
    expect(await changesOf(agent, message)).toBeUndefined();
  });
});
