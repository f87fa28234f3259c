import { describe, expect, test } from "vitest";
import { findOtherTools } from "../../../../server/architect/guard/find-other-tools.ts";
import { isNamed } from "../../../../server/architect/guard/is-named.ts";
import { readMessage } from "../../../../server/architect/message/read-message.ts";
import type { Tool, Version } from "../../../../server/versions/version.ts";

const TOOLS = ["shop.quote", "shop.refund", "runner.get_weather"].map((name) => ({
  name,
  handler: `tools/${name.replace(".", "/")}.ts`,
}));
const PRICE = 'import { price } from "../_lib/price.ts"; export default () => price;';
const modules = new Map([
  ["tools/shop/quote.ts", PRICE],
  ["tools/shop/refund.ts", PRICE],
  ["tools/runner/get_weather.ts", 'import { sky } from "../_lib/sky.ts"; export default () => sky;'],
  ["tools/_lib/price.ts", "export const price = 1;"],
  ["tools/_lib/sky.ts", "export const sky = 1;"],
]);
const version = {
  tools: new Map(TOOLS.map((tool) => [tool.name, tool as Tool])),
  program: { key: "c", memory: 1, modules },
} as Pick<Version, "tools" | "program"> as Version;

const manifest = (name: string) => ({
  path: `manifests/${name.replace(".", "/")}.yaml`,
  before: `name: ${name}\n`,
  after: `name: ${name}\ntitle: Nicer\n`,
});
const handler = (name: string) => ({ path: `tools/${name.replace(".", "/")}.ts`, before: "a", after: "b" });

/** What is found and not named, as `findUnnamed` has it. */
function find(text: string, ...files: Parameters<typeof findOtherTools>[0]) {
  const message = readMessage(text, []);
  return findOtherTools(files, message, version)
    .filter(({ ask }) => ask === undefined || !isNamed(message, ask.words))
    .map(({ path }) => path);
}

describe("a plan that somebody else than the sender has made", () => {
  test.each([
    ["the tool that is named", "Make the title of shop.quote nicer.", [manifest("shop.quote"), handler("shop.quote")]],
    ["a tool named with spaces", "Let get weather take kelvin.", [handler("runner.get_weather")]],
    ["the one tool that it changes where none is named", "Make the title nicer for people.", [manifest("shop.quote")]],
    ["code of the one tool that uses it", "It is too warm.", [{ path: "tools/_lib/sky.ts", before: "a", after: "b" }]],
    ["pages and tests", "Make the title of shop.quote nicer.", [{ path: "docs/a.md", before: "a", after: "b" }]],
    [
      "new code beside the tool that is named",
      "Make shop.quote faster.",
      [handler("shop.quote"), { path: "tools/_lib/fast.ts", before: undefined, after: "b" }],
    ],
  ])("may change %s", (_, text, files) => {
    expect(find(text, ...files)).toEqual([]);
  });

  test.each([
    ["a handler beside", "Make the title of shop.quote nicer.", [manifest("shop.quote"), handler("shop.refund")], 1],
    ["another manifest alone", "Improve the description of shop.quote.", [manifest("shop.refund")], 0],
    ["several where none is named", "Make titles nicer.", [manifest("shop.quote"), manifest("shop.refund")], 0],
    ["what it was not to touch", "Make titles nicer. Do not touch shop.refund.", [manifest("shop.refund")], 0],
    [
      "shared code",
      "Make shop.quote faster.",
      [handler("shop.quote"), { path: "tools/_lib/price.ts", before: "a", after: "b" }],
      1,
    ],
  ])("waits for a person with a change of %s", (_, text, files, first) => {
    expect(find(text, ...files)[0]).toBe(files[first]?.path);
  });
});
