import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createDirectivePlanner } from "../../../../../server/architect/planners/directives/create-directive-planner.ts";
import { createEvidencePlanner } from "../../../../../server/architect/planners/evidence/create-evidence-planner.ts";
import type { Ground } from "../../../../../server/architect/planners/planner.ts";
import { createGround, type Files, readCheckout } from "../../../../helpers/plan-ground.ts";
import { expectQuick } from "../../../../helpers/expect-quick.ts";

let files: Files;
let ground: Ground;
const planners = [createDirectivePlanner(), createEvidencePlanner()];
beforeAll(async () => {
  files = await readCheckout();
  ground = await createGround(files);
});

async function planWith(message: string, attachments: readonly string[] = []) {
  const sent = attachments.map((text) => ({ uri: "file:///a", mediaType: "text/plain", text }));
  const plans = [];
  for (const planner of planners) plans.push(await planner.plan({ message, attachments: sent }, ground));
  return plans;
}

/** Words of directives, in any order. */
const WORDS =
  `set change the default of to match_threshold 0.5 5 "a b" 'x' {"a":1} [1,2] and , ; . because please runner.chat location argument drop ` +
  `add kelvin units weather tool should accept promote brief for reset revert between roll back stable 0.1.0 apply attached diff patch ` +
  `make chat answer shorter reward was better with full it winner defaults \n - \n\n : undo deprecate remove example file tools/x.ts \` \`\`\``;
const soup = fc.array(fc.constantFrom(...WORDS.split(" ")), { maxLength: 60 }).map((words) => words.join(" "));
const messages = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  soup,
);

describe("[A6] planners without a model", () => {
  test("take any text without failing, and change nothing but what may be changed", async () => {
    await fc.assert(
      fc.asyncProperty(messages, fc.array(soup, { maxLength: 1 }), async (message, attachments) => {
        for (const plan of await planWith(message, attachments)) {
          if (plan === undefined) continue;
          if (plan.kind === "reject") expect([plan.reason, plan.accepted].every((text) => text.length > 0)).toBe(true);
          if (plan.kind !== "change") continue;
          expect(plan.title.length).toBeLessThanOrEqual(100);
          expect(plan.files.size).toBeGreaterThan(0);
          for (const [path, text] of plan.files) {
            expect(path).toMatch(/^(?:(?:manifests|tools|schemas|test|docs)\/|versions\.yaml$)/);
            expect(text).not.toBe(files.get(path) ?? null);
          }
        }
      }),
      { numRuns: process.env["CAIRN_LONG"] ? 5_000 : 300 },
    );
  });

  test.each([
    ["verbs", "set "],
    ["sentences", "a. "],
    ["connectors", "set a to 1 and "],
    ["connected names", "to of and "],
    ["politeness", "please "],
    ["blanks", "   "],
    ["line ends", "\n"],
    ["bullets", "- set a to b\n"],
    ["fences", "```\n"],
    ["tildes", "~~~ a\n"],
    ["open quotes", ' "'],
    ["quotes", '"a" '],
    ["ticks", "`a` "],
    ["open brackets", " ["],
    ["braces", "{a: "],
    ["closed braces", "{} "],
    ["stops", "..!! "],
    ["reasons", " because and set"],
    ["hunks", "--- a/tools/x.ts\n"],
    ["dashes", "- "],
    ["anchors", "&a [*a] "],
    ["rewards", "reward was better with "],
    ["should", "weather should accept in "],
    ["signs", "\u{e000}0\u{e001}"],
  ])("take long messages of %s in little time", async (_, piece) => {
    const message = `set chat.match_threshold to 0.5 ${piece.repeat(Math.ceil(20_000 / piece.length))}`.slice(
      0,
      20_000,
    );
    await expectQuick(1_000, () => planWith(message));
    await expectQuick(1_000, () => planWith(message.slice(32)));
  });
});
