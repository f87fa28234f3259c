import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assertJson, canonicalJson, MAX_JSON_DEPTH, writeJson } from "../../../server/json/canonical-json.ts";
import { expectQuick } from "../../helpers/expect-quick.ts";
import { jsonValues } from "../../helpers/json-values.ts";

describe("canonicalJson", () => {
  test("sorts members by UTF-16 code units, as the RFC's example does", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    expect([...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, said]) => said)).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  test("writes the RFC's example of all kinds of values", () => {
    const value: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  // The sample numbers of RFC 8785, Appendix B, by their bits.
  test.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("writes the number of bits %s as %s", (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, "hex").readDoubleBE())).toBe(text);
  });

  test("says the same of any order of members", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(canonicalJson(reverse(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test("reads back as what was written", () => {
    fc.assert(
      fc.property(jsonValues({ maxDepth: 5 }), (value) => {
        const text = canonicalJson(value);
        const read: unknown = JSON.parse(text);
        expect(read).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(read)).toBe(text);
      }),
    );
    expect(canonicalJson({ '"': 1, "\\": 2, "\n": 3 })).toBe('{"\\n":3,"\\"":1,"\\\\":2}');
  });

  test("keeps `__proto__` as a member, and escapes lone surrogates and NUL", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":"\\ud800\\u0000"}}'))).toBe(
      '{"__proto__":{"a":"\\ud800\\u0000"},"b":1}',
    );
  });

  const cycle: Record<string, unknown> = {};
  cycle["self"] = { again: [cycle] };
  class Point {
    readonly x = 1;
  }
  test.each([
    ["undefined", undefined, "The value is `undefined`, which JSON cannot carry."],
    ["an undefined member", { a: [0, { b: undefined }] }, "The value at `/a/1/b` is `undefined`"],
    ["a hole", Object.assign(Array<number>(3), { 0: 0, 2: 2 }), "The value at `/1` is `undefined`"],
    ["NaN", { a: Number.NaN }, "The value at `/a` is `NaN`"],
    ["Infinity", [Number.NEGATIVE_INFINITY], "The value at `/0` is `-Infinity`"],
    ["a function", { toJSON: () => 1 }, "The value at `/toJSON` is a function"],
    ["a symbol", Symbol("s"), "The value is a symbol"],
    ["a bigint", [1n], "The value at `/0` is a bigint"],
    ["a date", { at: new Date(0) }, "The value at `/at` is not a plain object"],
    ["a map", new Map(), "The value is not a plain object"],
    ["bytes", Buffer.from("a"), "The value is not a plain object"],
    ["an instance", new Point(), "The value is not a plain object"],
    ["a cycle", cycle, `nests deeper than ${MAX_JSON_DEPTH} levels or contains itself`],
  ])("refuses %s, naming the place", (_, value, message) => {
    expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
    expect(() => canonicalJson(value)).toThrow(message);
  });

  test("takes nesting up to its bound, and refuses 100,000 levels without running out of stack", () => {
    expect(canonicalJson(nest(MAX_JSON_DEPTH))).toHaveLength(2 * MAX_JSON_DEPTH);
    expect(() => canonicalJson(nest(MAX_JSON_DEPTH + 1))).toThrow("nests deeper");
    expect(() => canonicalJson(nest(100_000))).toThrow("nests deeper");
  });
});

function nest(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

function reverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverse);
  if (value === null || typeof value !== "object") return value;
  const reversed: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(value).reverse()) reversed[name] = reverse(member);
  return reversed;
}

describe("writeJson", () => {
  test("writes any value canonically and in its own order", () => {
    fc.assert(
      fc.property(jsonValues(), (value) => {
        expect(writeJson(value)).toEqual({ canonical: canonicalJson(value), plain: JSON.stringify(value) });
      }),
    );
  });

  test.each([
    [{ b: 1, a: { d: 2, c: 3 } }, '{"a":{"c":3,"d":2},"b":1}', '{"b":1,"a":{"d":2,"c":3}}'],
    [{ a: 1, b: ["é", -0] }, '{"a":1,"b":["é",0]}', '{"a":1,"b":["é",0]}'],
    [{ 10: 1, 9: 2 }, '{"10":1,"9":2}', '{"9":2,"10":1}'],
  ])("writes %j as %s and %s", (value, canonical, plain) => {
    expect(writeJson(value)).toEqual({ canonical, plain });
  });

  test("refuses what is no JSON, as canonicalJson does", () => {
    let deep: unknown = 1;
    for (let depth = 0; depth <= MAX_JSON_DEPTH; depth += 1) deep = [deep];
    for (const value of [undefined, { a: undefined }, [Number.NaN], new Date(0), () => 1, { toJSON: () => 1 }, deep]) {
      expect(() => writeJson(value)).toThrow("which JSON cannot carry");
    }
  });
});

describe("assertJson", () => {
  test("passes what JSON can carry, a megabyte of it at once", async () => {
    fc.assert(fc.property(jsonValues(), (value) => assertJson(value)));
    const items = Array.from({ length: 450_000 }, (_, at) => at);
    await expectQuick(60, () => assertJson(items));
  });

  test.each([
    [{ a: [1, undefined] }, "The value at `/a/1` is `undefined`, which JSON cannot carry."],
    [[Number.NaN], "The value at `/0` is `NaN`, which JSON cannot carry."],
    [{ a: new Date(0) }, "The value at `/a` is not a plain object, which JSON cannot carry."],
  ])("names the place of what JSON cannot carry (%#)", (value, message) => {
    expect(() => assertJson(value)).toThrow(message);
  });
});
