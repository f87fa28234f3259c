import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJson } from "../../../server/json/read-json.ts";

describe("reading JSON", () => {
  test("takes no name for another one that was read before", () => {
    expect(readJson('{"before":1,"\\\\":2}')).toEqual({ before: 1, "\\": 2 });
    expect(readJson('{"before":1,"\\"":2}')).toEqual({ before: 1, '"': 2 });
    expect(readJson('{"before":1,"\\u005c":2}')).toEqual({ before: 1, "\\": 2 });
    expect(readJson('{"before":1,"\\u0022":3}')).toEqual({ before: 1, '"': 3 });
  });

  test("gives back what was written, whatever its names", () => {
    const name = fc.oneof(fc.constantFrom("\\", '"', "a\\", 'a"', "\n", "__proto__", "", "é"), fc.string());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.string({ unit: "binary" }),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
        fc.constantFrom(null, true, false),
        fc.array(tie("value"), { maxLength: 4 }),
        fc
          .array(fc.tuple(name, tie("value")), { maxLength: 5 })
          .map((entries) => Object.fromEntries(entries) as unknown),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1), (written, indent) => {
        const text = JSON.stringify(written, undefined, indent);
        // Compared as text: order, and members called `__proto__`, count as well.
        expect(JSON.stringify(readJson(text), undefined, indent)).toBe(text);
      }),
    );
  });

  test.each(["", "{", '{"\\":1}', '{"a\\"":1,}', "nul"])("refuses %j as JSON.parse does", (text) => {
    expect(() => readJson(text)).toThrow(SyntaxError);
  });
});
