import { describe, expect, test } from "vitest";
import { complete, propose } from "../../../../tools/_lib/chat/propose.ts";
import { createProfile } from "../../../../tools/_lib/chat/tool-profile.ts";
import { FIXTURE_TOOLS } from "../../fixture-tools.ts";

const moment = { now: Date.UTC(2026, 6, 1, 12), offset: 0 };
const dice = FIXTURE_TOOLS.filter(({ name }) => name === "dice.roll").map(createProfile)[0];
if (!dice) throw new Error("no dice");

describe("propose", () => {
  test("calls the tool when nothing is missing", () => {
    expect(propose("3 of them", dice, { moment })).toEqual({ call: "dice.roll", arguments: { count: 3 } });
  });

  test("asks when something is, and remembers what is known", () => {
    expect(propose("with 20 sides", dice, { moment })).toMatchObject({
      say: { kind: "question", tool: "dice.roll", arguments: { sides: 20 } },
      awaiting: { for: "argument", tool: "dice.roll", arguments: { sides: 20 }, field: "count", asked: 0 },
    });
  });

  test("excuses itself before asking again", () => {
    expect(complete(dice, { arguments: {} }, 1, "Sorry. ")).toMatchObject({
      say: { text: expect.stringMatching(/^Sorry\. How many dice/) },
      awaiting: { asked: 1 },
    });
  });
});
