import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillPlaceholders } from "../../../server/protocol/fill-placeholders.ts";

describe("fillPlaceholders", () => {
  test.each([
    ["Hello, {{who}}!", "Hello, Ada!"],
    ["{{who}}{{who}}", "AdaAda"],
    ["{{nobody}}.", "."],
    ["{{constructor}}.", "."],
    ["{ {who} } {{ who }}", "{ {who} } {{ who }}"],
  ])("makes of %j %j", (text, filled) => {
    expect(fillPlaceholders(text, new Map([["who", "Ada"]]))).toBe(filled);
  });

  test("takes a value as it is, whatever it looks like", () => {
    expect(
      fillPlaceholders(
        "<{{a}}{{b}}>",
        new Map([
          ["a", "$& {{b}}"],
          ["b", '"'],
        ]),
      ),
    ).toBe('<$& {{b}}">');
  });

  test("keeps JSON well-formed, for any value", () => {
    for (const mimeType of ["application/json", "application/problem+json"]) {
      fc.assert(
        fc.property(fc.string(), (value) => {
          const text = fillPlaceholders('{"value":"{{value}}"}', new Map([["value", value]]), mimeType);
          expect(JSON.parse(text)).toEqual({ value });
        }),
      );
    }
  });
});
