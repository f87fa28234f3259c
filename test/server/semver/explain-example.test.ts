import { describe, expect, test } from "vitest";
import { explainExample, explainPart } from "../../../server/semver/explain-example.ts";
import { formatDifference } from "../../../server/semver/report/format-difference.ts";
import { compareTrees } from "./compare-trees.ts";

/** Compares two versions of a tool; returns the sentences on the smallest examples, and the parts that they are about. */
async function explain(before: string, after: string) {
  const toTree = (schemas: string) => ({
    "manifests/runner/plan.yaml": `name: runner.plan\nversion: 1.0.0\ndescription: Plans.\n${schemas}`,
    "tools/runner/plan.ts": "export default () => ({});\n",
  });
  const difference = await compareTrees(toTree(before), toTree(after));
  return difference.findings.map((finding) => [finding.message, explainExample(finding), explainPart(finding)]);
}

const input = (members: string, more = "") =>
  `input: { type: object${more}, properties: { ${members} } }\noutput: { type: object }\n`;
const output = (members: string, more = "") =>
  `input: { type: object }\noutput: { type: object${more}, properties: { ${members} } }\n`;
const CLOSED = ", additionalProperties: false";

describe("[V2] the smallest example of a finding, before and after", () => {
  test.each<[what: string, before: string, after: string, ...found: (readonly (string | undefined)[])[]]>([
    [
      "a narrower bound",
      input("days: { type: integer, maximum: 30 }"),
      input("days: { type: integer, maximum: 14 }"),
      [
        "Input of `runner.plan`: `days` must now be at most 14.",
        'Before: a call with `{"days":30}` was accepted; after: it is refused (`days` must be at most 14).',
        "tool runner.plan, member days",
      ],
    ],
    [
      "a member that must be there",
      input("day: { type: string }"),
      input("day: { type: string }", ", required: [day]"),
      [
        "Input of `runner.plan`: `day` must be there now.",
        "Before: a call with `{}` was accepted; after: it is refused (`day` is missing).",
        "tool runner.plan, member day",
      ],
    ],
    [
      "a member of an input more",
      input("", CLOSED),
      input("day: { type: integer }", CLOSED),
      [
        "Input of `runner.plan`: `day` is new, and may be given.",
        'Before: a call with `{"day":0}` was refused (`day` is not allowed); after: it is accepted.',
        "tool runner.plan, member day",
      ],
    ],
    [
      "another default",
      input("city: { type: string }, days: { type: integer, default: 7 }", ", required: [city]"),
      input("city: { type: string }, days: { type: integer, default: 3 }", ", required: [city]"),
      [
        "Input of `runner.plan`: `days` had the default `7`, and is `3` now.",
        'Before: a call with `{"city":"Berlin"}` meant `{"city":"Berlin","days":7}`; after: it means `{"city":"Berlin","days":3}`.',
        "tool runner.plan, member days",
      ],
    ],
    [
      "another type of an output",
      output("t: { type: integer }", ", required: [t]"),
      output("t: { type: string }", ", required: [t]"),
      [
        "Output of `runner.plan`: `t` can be of a type that it could not be of.",
        'Before: `{"t":0}`; after: `{"t":"some text"}` can come in its place.',
        "tool runner.plan, member t",
      ],
    ],
    [
      "an output that may be left out",
      output("a: { type: object, properties: { t: { enum: [1] } }, required: [t] }", ", required: [a]"),
      output("a: { type: object, properties: { t: { enum: [1] } } }", ", required: [a]"),
      [
        "Output of `runner.plan`: `a.t` may be left out.",
        'Before: `{"a":{"t":1}}`; after: `{"a":{}}` can come in its place.',
        "tool runner.plan, member a.t",
      ],
    ],
    [
      "a member of an output that is gone",
      output("a: { type: boolean }, t: { type: boolean }"),
      output("a: { type: boolean }"),
      [
        "Output of `runner.plan`: `t` could be there, and does not come any more.",
        'Before: `{"t":true}` could come; after: it is `{}`.',
        "tool runner.plan, member t",
      ],
    ],
    [
      "an output that promises more",
      output("a: { enum: [x, y] }"),
      output("a: { enum: [x] }"),
      [
        'Output of `runner.plan`: `a` can no longer be `"y"`.',
        'Before: `{"a":"y"}` could come; after: it cannot.',
        "tool runner.plan, member a",
      ],
    ],
    [
      "an output that is always there, and a new one",
      output("a: { type: boolean }"),
      output("a: { type: boolean }, b: { type: boolean }"),
      [
        "Output of `runner.plan`: `b` can be there now.",
        'For example `{"b":true}` can come now.',
        "tool runner.plan, member b",
      ],
    ],
    [
      "one member in other words",
      input("a: { type: object, properties: { b: { type: integer } } }, c: {}"),
      input("a: { type: object, properties: { b: { type: integer, description: It. } } }, c: {}"),
      [
        "Input of `runner.plan`: `a.b` is worded in another way, and allows the same.",
        undefined,
        "tool runner.plan, member a.b",
      ],
    ],
    [
      "several members in other words",
      input("a: { type: integer }, c: {}"),
      input("a: { type: integer, description: It. }, c: { description: That. }"),
      ["The input of `runner.plan` is worded in another way, and allows the same.", undefined, "tool runner.plan"],
    ],
  ])("is that of %s", async (_, before, after, ...found) => {
    expect(await explain(before, after)).toEqual(found);
  });
});

test("text names the part and the member beside the rule, and shows the example below", async () => {
  const tool = (maximum: number) => ({
    "manifests/runner/plan.yaml": `name: runner.plan\nversion: 1.0.0\ndescription: Plans.\n${input(`days: { type: integer, maximum: ${maximum} }`)}`,
    "tools/runner/plan.ts": "export default () => ({});\n",
  });
  const [line, example] = formatDifference(await compareTrees(tool(30), tool(14)), "text").split("\n");
  expect(line).toMatch(/at most 14\. \[input-narrowed\] of tool runner\.plan, member days$/);
  expect(example).toBe(
    '    Before: a call with `{"days":30}` was accepted; after: it is refused (`days` must be at most 14).',
  );
});
