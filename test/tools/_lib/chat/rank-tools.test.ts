import { describe, expect, test } from "vitest";
import { rankTools } from "../../../../tools/_lib/chat/rank-tools.ts";
import { createProfile } from "../../../../tools/_lib/chat/tool-profile.ts";
import { FIXTURE_TOOLS } from "../../fixture-tools.ts";

const profiles = FIXTURE_TOOLS.map(createProfile);
const best = (message: string) => rankTools(message, profiles)[0];

describe("rankTools", () => {
  test.each([
    ["its name", "weather", "runner.get_weather"],
    ["its description", "exchange rate", "money.convert_currency"],
    ["a property", "which ticker symbol", "stocks.quote"],
    ["a choice", "bicycle", "maps.find_route"],
    ["a synonym of a choice", "kilometres", "units.convert_length"],
    ["an example", "umbrella", "runner.get_weather"],
  ])("finds a tool by %s", (_, message, name) => {
    expect(best(message)).toMatchObject({ profile: { info: { name } } });
  });

  test("gives no weight to words that only tell the time", () => {
    expect(best("today and tomorrow morning")?.score).toBe(0);
  });

  test("does not depend on the order of the tools", () => {
    const order = (list: typeof profiles) =>
      rankTools("convert a ticket", list).map(({ profile }) => profile.info.name);
    expect(order(profiles.toReversed())).toEqual(order(profiles));
  });
});
