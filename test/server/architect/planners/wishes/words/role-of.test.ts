import { describe, expect, test } from "vitest";
import { findAmounts } from "../../../../../../server/architect/planners/wishes/words/values.ts";
import { toTokens } from "../../../../../../server/architect/planners/wishes/words/words.ts";
import { openAgents } from "../../../../../helpers/open-agents.ts";

const { changesOf } = await openAgents(["clinic", "example", "ferry"]);

function stepsOf(text: string): readonly (readonly [number, string | undefined])[] {
  return findAmounts(toTokens(text)).flatMap(({ value, role, goes }) =>
    role === "by" ? [[value, goes] as const] : [],
  );
}

describe("a number is a step", () => {
  test.each([
    ["Add 30 seconds to the time limit", 30, "up"],
    ["Take 5 off the cost", 5, "down"],
    ["Put another 20 seconds on the time limit", 20, "up"],
    ["Make it two seconds longer", 2, "up"],
    ["The fee should be 5 euros lower", 5, "down"],
    ["It should get an extra 2 seconds", 2, "up"],
    ["Reminders should go out 12 hours earlier", 12, "open"],
    ["Añade 2 segundos al límite", 2, "up"],
    ["2 secondes de plus", 2, "up"],
    ["Raise it by 3", 3, undefined],
  ])("%s", (text, value, goes) => {
    expect(stepsOf(text)).toEqual([[value, goes]]);
  });

  test.each(["Raise it to 30 seconds", "20 characters or more", "Add 50 as the maximum"])("not in: %s", (text) => {
    expect(stepsOf(text)).toEqual([]);
  });
});

test("steps change what is there, of several tools, too", async () => {
  expect(await changesOf("example", "Add 10 seconds to the time limits of chat and get_weather, please.")).toBe(
    "The time limit of `runner.chat` is `70000`; it was `60000`. The time limit of `runner.get_weather` is `25000`; it was `15000`.",
  );
  expect(await changesOf("clinic", "Cut 1 second off the time limit of write_prescription and create_invoice.")).toBe(
    "The time limit of `records.write_prescription` is `2000`; it was `3000`. The time limit of `office.create_invoice` is `4000`; it was `5000`.",
  );
  expect(await changesOf("ferry", "Set the rate limit of book_crossing to 20 and double that for find_sailings.")).toBe(
    "The rate limit of `passage.book_crossing` is `20`; it was `10`. The rate limit of `passage.find_sailings` is `40`; it was `150`.",
  );
});
