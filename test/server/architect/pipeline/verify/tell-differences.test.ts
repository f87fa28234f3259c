import { describe, expect, test } from "vitest";
import { tellDifferences } from "../../../../../server/architect/pipeline/verify/tell-differences.ts";
import { createFinding, placeIn } from "../../../../../server/semver/finding.ts";
import type { BumpRule } from "../../../../../server/semver/bump-rules.ts";

const GREET = "manifests/runner/greet.yaml";
const find = (message: string, file = GREET, rule: BumpRule = "input-widened") =>
  createFinding(rule, message, placeIn("after", file, "input"));
const WIDER = find("Input of `runner.greet`: `name` can now be longer.");

describe("the changes of a plan", () => {
  test("are told by their differences where it only names files", () => {
    expect(tellDifferences([`Changes \`${GREET}\`.`], [WIDER])).toEqual([`Added: ${WIDER.message}`]);
  });

  test("keep the sentences of files about which nothing is known, and what somebody has said", () => {
    const code = find("`tools/runner/greet.ts` has other code.", "tools/runner/greet.ts", "handler-changed");
    const changes = [
      "It greets longer.",
      `Changes \`${GREET}\`.`,
      "Changes `tools/runner/greet.ts`.",
      "Adds `docs/a.md`.",
    ];
    expect(tellDifferences(changes, [WIDER, code, find("Another.", "manifests/runner/other.yaml")])).toEqual([
      "It greets longer.",
      `Added: ${WIDER.message}`,
      "Changes `tools/runner/greet.ts`.",
      "Adds `docs/a.md`.",
    ]);
    expect(tellDifferences(["It greets longer."], [WIDER])).toEqual(["It greets longer."]);
  });

  test("are no more than a few, and none that git hosts take for a command", () => {
    const many = Array.from({ length: 10 }, (_, at) => find(`Difference ${at}.`));
    const told = tellDifferences([`Changes \`${GREET}\`.`], many);
    expect([told.length, told.at(-1)]).toEqual([9, "There are 2 more differences."]);
    expect(tellDifferences([`Changes \`${GREET}\`.`], [find("Thanks @owner")])).toEqual([`Changes \`${GREET}\`.`]);
  });
});
