import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderResult } from "../../../../tools/_lib/chat/render-result.ts";

describe("renderResult", () => {
  test.each([
    [{ summary: "It rains." }, "It rains."],
    [{ forecast: { summary: "It rains.", location: { text: "x" } } }, "It rains."],
    [{ text: "outer", inner: { summary: "inner" } }, "outer"],
    [{ summary: " ", message: "Said." }, "Said."],
    [{ sum: 12, dice: [3, 4, 5], conversation_id: "x", logs_uri: "y" }, "sum: 12\ndice: 3, 4, 5"],
    [{ user: { first_name: "Ada", age: 36 } }, "user: first name: Ada, age: 36"],
    [{ pages: [{ title: "A" }, { title: "B" }] }, "pages:\n- title: A\n- title: B"],
    [{ list: [1, 2, 3, 4, 5, 6, 7] }, "list:\n- 1\n- 2\n- 3\n- 4\n- 5\n- and 2 more"],
    [{ found: [] }, "found: none"],
    [{ done: true, error: null }, "done: true\nerror: null"],
    [{ a: { b: { c: { d: 1 } } } }, 'a: b: c: {"d":1}'],
    [{}, "Done."],
    [undefined, "null"],
    ["plain", "plain"],
  ])("puts %j into words", (result, text) => {
    expect(renderResult(result)).toBe(text);
  });

  test("is never endless and never empty", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = renderResult({ value });
        expect(text.length).toBeGreaterThan(0);
        expect(text.length).toBeLessThanOrEqual(2_001);
      }),
    );
    expect(renderResult({ summary: "x".repeat(10_000) })).toHaveLength(2_001);
  });
});
