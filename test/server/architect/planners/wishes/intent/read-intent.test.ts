import { describe, expect, test } from "vitest";
import { toFeatures } from "../../../../../../server/architect/planners/wishes/intent/features.ts";
import { INTENTS } from "../../../../../../server/architect/planners/wishes/intent/intents.ts";
import { idleness, readIntent } from "../../../../../../server/architect/planners/wishes/intent/read-intent.ts";

/** The intents of a message, the likeliest first. */
function order(message: string): readonly string[] {
  return [...readIntent(message)].sort(([, one], [, other]) => other - one).map(([intent]) => intent);
}

describe("the intents of a message", () => {
  test("are likelihoods that add up to 1, one for each intent, also of no message at all", () => {
    for (const message of ["", "?", "Give the export two minutes.", "导出至少要两分钟"]) {
      const likelihoods = readIntent(message);
      expect([...likelihoods.keys()]).toEqual(INTENTS);
      expect([...likelihoods.values()].reduce((sum, one) => sum + one, 0)).toBeCloseTo(1);
    }
  });

  // None of these is a message of test/evaluation/intents.
  test.each([
    ["A rental without a driving licence number must not go through.", "required"],
    ["you ought to be able to leave the middle name blank", "optional"],
    ["The nightly import of the parish registers never makes it in a minute, give it three.", "limit-up"],
    ["Interns must not see what the orchestra is paid.", "right-revoke"],
    ["Die Hafenmeister sollen die Gezeiten nicht mehr ändern dürfen.", "right-revoke"],
    ["Il nous manque « péniche » parmi les moyens de transport.", "value-add"],
    ["Nadie usa ya el campo del fax, fuera con él.", "field-remove"],
  ])("have the right one among the first three: %s", (message, intent) => {
    expect(order(message).slice(0, 3)).toContain(intent);
  });

  test.each([
    ["How many parcels fit on a pallet, by the way?", true],
    ["Thanks, you are stars!", true],
    ["Make the deadline of the essays mandatory.", false],
  ])("say how likely nothing is wanted: %s", (message, isIdle) => {
    expect(idleness(readIntent(message)) > 0.5).toBe(isIdle);
  });
});

describe("the features of a message", () => {
  test("are its words, their pairs and beginnings, as stems, without what only it has", () => {
    expect([...toFeatures('Set "gift note" of place_order to 350, please!')].join(" | ")).toBe(
      "set | set <text> | set _ of | <text> | <text> of | <text> _ <name> | of | of <name> | of _ to | <name> | <name> to | <name> _ <number> | to | to <number> | to _ pleas | <number> | <number> pleas | <number> _ ! | pleas | pleas ! | ! | ^set | ^set <text> of | $!",
    );
  });

  test("are characters and their pairs where words run together", () => {
    expect([...toFeatures("改期")]).toEqual(["改", "期", "改期", "<zh>", "^<zh>", "$<zh>", "<short>"]);
  });
});
