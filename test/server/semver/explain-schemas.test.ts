import { describe, expect, test } from "vitest";
import { compareTrees } from "./compare-trees.ts";

const ECHO = "manifests/runner/echo.yaml";

async function explain(before: object, after: object): Promise<readonly string[]> {
  const [old, young] = [before, after].map((input) => ({
    [ECHO]: JSON.stringify({
      name: "runner.echo",
      version: "1.0.0",
      description: "Echoes.",
      input: { type: "object", ...input },
      output: { type: "object" },
    }),
    "tools/runner/echo.ts": "export default () => ({});\n",
  }));
  const { findings } = await compareTrees(old ?? {}, young ?? {});
  return findings.map(({ rule, message, value }) => `${rule}: ${message} ${JSON.stringify(value)}`);
}

const text = { type: "string" };

describe("[D3] a schema that allows more names what", () => {
  test.each([
    [
      "a member that is new",
      { properties: { a: text } },
      { properties: { a: text, b: { type: "boolean" } } },
      ['input-widened: Input of `runner.echo`: `b` is new, and may be given. {"b":true}'],
    ],
    [
      "a value that is new",
      { properties: { a: { enum: ["x"] } } },
      { properties: { a: { enum: ["x", "y"] } } },
      ['input-widened: Input of `runner.echo`: `a` can now be `"y"`. {"a":"y"}'],
    ],
    [
      "a member that may be left out",
      { required: ["a"], properties: { a: text } },
      { properties: { a: text } },
      ["input-widened: Input of `runner.echo`: `a` may be left out now. {}"],
    ],
    [
      "a longer text",
      { properties: { a: { ...text, maxLength: 2 } } },
      { properties: { a: { ...text, maxLength: 9 } } },
      ['input-widened: Input of `runner.echo`: `a` need no longer have at most 2 characters. {"a":"some text"}'],
    ],
  ])("%s", async (_what, before, after, expected) => {
    expect(await explain(before, after)).toEqual(expected);
  });
});

test("[D3] alternatives that each demand members are named by those", async () => {
  const properties = { body: text, reaction: text };
  const anyOf = [{ required: ["body"] }, { required: ["reaction"] }];
  expect(await explain({ properties }, { properties, anyOf })).toEqual([
    "input-narrowed: Input of `runner.echo`: `body` or `reaction` must be there now. {}",
  ]);
});

test("[D3] members that must not be there together are named, also where they may be again", async () => {
  const properties = { a: text, b: text, c: text };
  const not = { required: ["a", "b"] };
  const both = '{"a":"some text","b":"some text"}';
  const narrowed = `input-narrowed: Input of \`runner.echo\`: \`a\` and \`b\` must not be given together now. ${both}`;
  const widened = `input-widened: Input of \`runner.echo\`: \`a\` and \`b\` may be given together now. ${both}`;
  for (const condition of [{ not }, { allOf: [{ not }] }, { not: { anyOf: [not, { required: ["b", "c", "a"] }] } }]) {
    expect(await explain({ properties }, { properties, ...condition })).toEqual([narrowed]);
    expect(await explain({ properties, ...condition }, { properties })).toEqual([widened]);
  }
  const anyOf = [{ required: ["a"] }, { required: ["b"] }];
  expect(await explain({ properties, anyOf }, { properties })).toEqual([
    "input-widened: Input of `runner.echo`: `a` or `b` need no longer be there. {}",
  ]);
});
