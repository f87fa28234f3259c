import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Ground } from "../../../../../server/architect/planners/planner.ts";
import { createWishPlanner } from "../../../../../server/architect/planners/wishes/create-wish-planner.ts";
import { listPlaces } from "../../../../../server/architect/planners/wishes/places/list-places.ts";
import { createGround } from "../../ground.ts";
import { createGround as createOwnGround, readCheckout } from "../../../../helpers/plan-ground.ts";
import { expectQuick } from "../../../../helpers/expect-quick.ts";

const planner = createWishPlanner();
let small: Ground;
let own: Ground;
beforeAll(async () => {
  small = await createGround();
  own = await createOwnGround(await readCheckout());
});

const WORDS =
  "set raise lower add remove drop require deprecate promote the of to from in for not only default maximum timeout cost role label example " +
  'who greeting warmth length warm plain runner.greet reader names.example.com 1 2 3 0,5 90s "a" twice half bitte auf ajoutez 添加 : = -> , . ? and but';
const soup = fc.array(fc.constantFrom(...WORDS.split(" ")), { maxLength: 25 }).map((words) => words.join(" "));

describe("wishes", () => {
  test("take any text without failing", async () => {
    const texts = fc.oneof(fc.string({ unit: "grapheme", maxLength: 200 }), soup);
    await fc.assert(
      fc.asyncProperty(texts, async (message) => {
        const plan = await planner.plan({ message, attachments: [] }, small);
        expect(["change", "tune", "reject", undefined]).toContain(plan?.kind);
      }),
      { numRuns: process.env["CAIRN_LONG"] ? 5_000 : 100 },
    );
  });

  test("[V9] a number's own name, a verb and a fitting value are planned, or asked about", async () => {
    const names = [...own.version.parameters.values()].flatMap(({ parameters }) =>
      [...parameters].flatMap(([name, parameter]) => (parameter.type === "categorical" ? [] : [{ name, parameter }])),
    );
    const verbs = fc.constantFrom("set", "change", "please put", "could you move", "I'd like to have");
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), verbs, async ({ name, parameter }, verb) => {
        const value = parameter.default === parameter.max ? parameter.min : parameter.max;
        const plan = await planner.plan({ message: `${verb} ${name} to ${value}`, attachments: [] }, own);
        const files =
          plan?.kind === "change"
            ? [...plan.files.values()]
            : plan?.kind === "reject"
              ? Object.values(plan.readings?.[0]?.files ?? {})
              : [];
        expect(files.some((text) => text?.includes(`default: ${value}`))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test("are found in everything that a version has", () => {
    const { things, placesOf } = listPlaces(own.version);
    expect(new Set(things.map(({ id }) => id)).size).toBe(things.length);
    expect([...placesOf.values()].flat().every(({ file, at }) => own.files.includes(file) && at.length > 0)).toBe(true);
    expect(listPlaces(own.version).things).toBe(things);
  });

  test.each([
    ["verbs", "set ", 600],
    ["conjunctions", "set a to 1 and ", 150],
    ["quotes", ' "a', 800],
    ["numbers", "1 ", 1_500],
    ["characters of Chinese", "把", 3_000],
  ])("take little time for many %s", async (_, piece, times) => {
    await expectQuick(5_000, () => planner.plan({ message: piece.repeat(times), attachments: [] }, own));
  });
});
