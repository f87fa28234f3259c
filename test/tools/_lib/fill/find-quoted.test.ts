import { describe, expect, test } from "vitest";
import { fillQuoted } from "../../../../tools/_lib/fill/find-quoted.ts";
import { createFields, draftOf } from "../../fields.ts";

const text = { type: "string" };

describe("fillQuoted", () => {
  test.each([
    ['say "good morning" to her', { title: "good morning" }],
    ["say ‘x’ or 'good morning'", { title: "good morning" }],
    ["“a” and «b»", { title: "a", body: "b" }],
    ['body "b" title "a"', { title: "a", body: "b" }],
    ["it's Bob's", {}],
    ['""', {}],
  ])("reads %j", (message, expected) => {
    expect(fillQuoted(draftOf(message), createFields({ title: text, body: text })).values).toEqual(expected);
  });

  test("leaves a quoted choice to the field that has it", () => {
    const fields = createFields({ title: text, size: { enum: ["small", "large"] } });
    expect(fillQuoted(draftOf('make it "large"'), fields).values).toEqual({});
  });
});
