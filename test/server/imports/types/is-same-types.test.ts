import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { format } from "prettier";
import { parse } from "yaml";
import { isSameTypes } from "../../../../server/imports/types/is-same-types.ts";
import { writeTypes } from "../../../../server/imports/types/to-types.ts";

const TOOLS = globSync("manifests/{beliefs,work,runner,tuner}/*.yaml")
  .map((path) => ({ stem: path.replace(/^.*\/|\.yaml$/g, ""), ...(parse(readFileSync(path, "utf8")) as Manifest) }))
  .filter(({ input }) => input !== undefined)
  .map(({ stem, input, output }) => ({ stem, input, output }));

interface Manifest {
  readonly input?: object;
  readonly output?: object;
}

const write = (properties: object) =>
  writeTypes([{ stem: "a", input: { type: "object", properties }, output: { type: "object" } }]);
const TUPLE = { type: "array", prefixItems: [{ enum: ["a", "b"] }, { type: "object", properties: { "x-y": {} } }] };
const UNION = { anyOf: [{ type: "string" }, { type: "array", items: { type: ["string", "null"] } }] };

describe("types that a formatter was run over", () => {
  test.each([{}, { singleQuote: true, semi: false, printWidth: 40, tabWidth: 4 }, { quoteProps: "preserve" }] as const)(
    "are the same, as %o writes them",
    async (options) => {
      expect(TOOLS.length).toBeGreaterThan(20);
      for (const text of [writeTypes(TOOLS), write({ TUPLE, UNION, "a-b": { const: 'it\'s "so"' } })]) {
        const formatted = await format(text, { parser: "typescript", ...options });
        expect(formatted).not.toBe(text);
        expect(isSameTypes(text, formatted)).toBe(true);
      }
    },
  );
});

describe("types that differ", () => {
  test.each([
    ["another type", { a: { type: "string" } }, { a: { type: "number" } }],
    ["a text for a type of that name", { a: { const: "string" } }, { a: { type: "string" } }],
    [
      "a list of either for either or a list",
      { a: { type: "array", items: { type: ["string", "null"] } } },
      { a: UNION },
    ],
    ["another description", { a: { description: "One." } }, { a: { description: "Two." } }],
    ["another name", { a: {} }, { b: {} }],
  ])("are no layout: %s", (_what, one, other) => {
    expect(isSameTypes(write(one), write(other))).toBe(false);
  });

  test("are no layout: brackets that join other members", () => {
    expect(isSameTypes("type A = (B | C) & D;", "type A = B | (C & D);")).toBe(false);
  });
});
