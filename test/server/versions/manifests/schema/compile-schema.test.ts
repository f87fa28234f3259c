import * as fc from "fast-check";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { compileSchema } from "../../../../../server/versions/manifests/schema/compile-schema.ts";

const WEATHER = {
  type: "object",
  required: ["location"],
  properties: {
    location: { type: "string", minLength: 1 },
    units: { type: "string", enum: ["metric", "imperial"] },
    days: { type: "integer", minimum: 1, maximum: 14 },
    when: { type: "string", format: "date-time" },
    tags: { type: "array", items: { type: "string", pattern: "^[a-z]+$" }, maxItems: 2, uniqueItems: true },
  },
  additionalProperties: false,
};

describe("what is wrong with an input", () => {
  const check = compileSchema(WEATHER);

  it.each([
    [{ location: "Berlin", units: "metric", days: 3, tags: ["a"], when: "2025-06-10T12:00:00Z" }, []],
    [{}, ["`location` is missing"]],
    [[], ["the value must be an object"]],
    [null, ["the value must be an object"]],
    [{ location: "" }, ["`location` must not be empty"]],
    [{ location: 1 }, ["`location` must be a string"]],
    [{ location: "a", units: "kelvin" }, ["`units` must be one of metric, imperial"]],
    [{ location: "a", units: "Metric" }, ["`units` must be one of metric, imperial; did you mean `metric`?"]],
    [{ location: "a", days: 0 }, ["`days` must be at least 1"]],
    [{ location: "a", days: 1.5 }, ["`days` must be a whole number"]],
    [{ location: "a", when: "today" }, ["`when` must be a valid date-time such as 2025-06-10T12:34:56Z"]],
    [{ location: "a", tags: ["B"] }, ["`tags[0]` must match the pattern ^[a-z]+$"]],
    [{ location: "a", tags: ["a", "a"] }, ["`tags` must not have the same item twice"]],
    [{ location: "a", tags: ["a", "b", "c"] }, ["`tags` must have at most 2 items"]],
    [{ lokation: "a" }, ["`lokation` is not allowed; did you mean `location`?"]],
    [{ location: "a", other: 1 }, ["`other` is not allowed; allowed are location, units, days, when, tags"]],
    [
      { units: 1, days: 99 },
      [
        "`location` is missing",
        "`units` must be a string",
        "`units` must be one of metric, imperial",
        "`days` must be at most 14",
      ],
    ],
  ])("is told in sentences: %j", (input, messages) => {
    expect(check(input).map(({ message }) => message)).toEqual(messages);
  });

  it("is told with the JSON Pointer of the value, or of the object around what is missing or unknown", () => {
    const nested = compileSchema({
      type: "object",
      properties: { "a/b": { type: "array", items: { type: "object", required: ["c"], properties: { c: WEATHER } } } },
    });
    expect(nested({ "a/b": [{}, { c: { location: 1 } }] })).toEqual([
      { path: "/a~1b/0", message: '`["a/b"][0].c` is missing' },
      { path: "/a~1b/1/c/location", message: '`["a/b"][1].c.location` must be a string' },
    ]);
  });

  it("is told at most twenty times, and once when the value is large", () => {
    const list = compileSchema({ type: "array", items: { type: "string" } });
    expect(list(Array.from({ length: 50 }, () => 1))).toHaveLength(20);
    expect(list(Array.from({ length: 50_000 }, () => 1))).toEqual([{ path: "/0", message: "`[0]` must be a string" }]);
  });

  it("never shows the value itself, which may be secret", () => {
    const secret = "s3cr3t";
    const problems = compileSchema({
      type: "object",
      properties: {
        a: { type: "number" },
        b: { const: 1 },
        c: { pattern: "^a" },
        d: { format: "uri" },
        e: { not: {} },
      },
    })({ a: secret, b: secret, c: secret, d: secret, e: secret });
    expect(problems).toHaveLength(5);
    expect(JSON.stringify(problems)).not.toContain(secret);
  });
});

describe("alternatives", () => {
  const shapes = {
    anyOf: [
      {
        type: "object",
        required: ["kind", "radius"],
        properties: { kind: { const: "circle" }, radius: { type: "number" } },
      },
      {
        type: "object",
        required: ["kind", "side"],
        properties: { kind: { const: "square" }, side: { type: "number" } },
      },
      { $ref: "#/$defs/text" },
    ],
    $defs: { text: { type: "string", minLength: 3 } },
  };

  it.each([
    [{ kind: "circle" }, ["`radius` is missing"]],
    [{ kind: "square", side: "4" }, ["`side` must be a number"]],
    ["ab", ["the value must have at least 3 characters"]],
    [{ kind: "line" }, ["`kind` must be one of circle, square"]],
    [5, ["the value must be an object or a string"]],
  ])("are told apart by type and constants: %j", (value, messages) => {
    expect(compileSchema(shapes)(value).map(({ message }) => message)).toEqual(messages);
  });

  it("of one key each are told as that", () => {
    const check = compileSchema({ type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] });
    expect(check({})[0]?.message).toBe("the value must have exactly one of a, b; add one of them");
    expect(check({ a: 1, b: 2 })[0]?.message).toBe("the value must have exactly one of a, b; keep one of them");
  });

  it("that nothing tells apart are told by the nearest", () => {
    const check = compileSchema({
      anyOf: [
        { type: "object", required: ["a", "b", "c"] },
        { type: "object", required: ["a"], properties: { a: { type: "string" } } },
      ],
    });
    expect(check({})).toEqual([
      {
        path: "",
        message: "the value fits none of its 2 alternatives; for the nearest, the value must have `a`",
      },
    ]);
  });

  it("inside alternatives are told by the innermost that fits", () => {
    const check = compileSchema({
      oneOf: [
        {
          type: "object",
          properties: { op: { const: "set" }, to: { anyOf: [{ type: "string" }, { type: "number" }] } },
        },
        { type: "object", required: ["op", "key"], properties: { op: { const: "unset" } } },
      ],
    });
    expect(check({ op: "set", to: true })).toEqual([{ path: "/to", message: "`to` must be a string or a number" }]);
  });
});

describe("a compiled schema", () => {
  it("answers as ajv does without Cairn's changes", () => {
    const ajv = new Ajv2020({ strict: false });
    const schema = {
      type: "object",
      properties: {
        a: { type: "array", uniqueItems: true },
        b: { $ref: "#/$defs/tree" },
        c: { type: "number", maximum: 0.5 },
      },
      patternProperties: { "^x": { type: "string" } },
      unevaluatedProperties: { type: "boolean" },
      $defs: { tree: { type: "array", items: { $ref: "#/$defs/tree" }, maxItems: 3 } },
    };
    const expected = ajv.compile(schema);
    const check = compileSchema(schema);
    const keys = fc.constantFrom("a", "b", "c", "xa", "xb", "d");
    // Members of an item that have these names are taken for what objects inherit by Ajv's comparison, which may then throw.
    const inherited = /"(?:toString|valueOf|constructor)":/;
    const values = fc.jsonValue({ maxDepth: 4 }).filter((value) => !inherited.test(JSON.stringify(value)));
    fc.assert(
      fc.property(fc.dictionary(keys, values, { noNullPrototype: true }), (value) => {
        const answer = expected(value);
        expect([value, check(value).length === 0]).toEqual([value, answer]);
      }),
      { numRuns: 2000 },
    );
  });

  it("takes nothing from another of the same `$id`", () => {
    const first = compileSchema({ $id: "https://example.com/x.json", type: "object", required: ["a"] });
    const second = compileSchema({ $id: "https://example.com/x.json", type: "object", required: ["b"] });
    expect([first({ a: 1 }), second({ b: 1 })]).toEqual([[], []]);
    expect([first({ b: 1 }).length, second({ a: 1 }).length]).toEqual([1, 1]);
  });

  it("may have any `$id`, since it is only a name here", () => {
    for (const id of ["urn:x", "not a uri", "#a", "https://example.com/a#"]) {
      const check = compileSchema({
        $id: id,
        type: "object",
        properties: { a: { $ref: "#/$defs/b" } },
        $defs: { b: {} },
      });
      expect(check({ a: 1 })).toEqual([]);
    }
  });

  it("takes properties that objects inherit for missing", () => {
    const check = compileSchema({
      type: "object",
      required: ["toString"],
      properties: { constructor: { type: "string" } },
    });
    expect(check({})).toEqual([{ path: "", message: "`toString` is missing" }]);
    expect(check({ toString: 1, constructor: "x" })).toEqual([]);
    expect(check(JSON.parse('{"toString": 1, "__proto__": 2}'))).toEqual([]);
  });

  it("compares items whose members have names that objects inherit", () => {
    const check = compileSchema({ type: "array", uniqueItems: true });
    for (const name of ["toString", "valueOf", "constructor"]) {
      expect([check([{}, { [name]: "" }]), check([{ [name]: 1 }, { [name]: 2 }])]).toEqual([[], []]);
      expect(check([{ [name]: 1 }, { [name]: 1 }])).toHaveLength(1);
    }
  });

  it("takes decimal fractions for the multiples that they are meant to be", () => {
    const check = compileSchema({ type: "number", multipleOf: 0.01 });
    expect([check(19.99), check(0.07), check(19.999).length]).toEqual([[], [], 1]);
  });

  it("finds definitions by their anchors", () => {
    const check = compileSchema({
      type: "object",
      properties: { first: { $ref: "#size" }, second: { $ref: "#/$defs/size" } },
      $defs: { size: { $anchor: "size", type: "integer" } },
    });
    expect(check({ first: 1, second: 2 })).toEqual([]);
    expect(check({ first: "a", second: "b" }).map(({ path }) => path)).toEqual(["/first", "/second"]);
  });

  it("keeps annotations of one's own out of the way", () => {
    expect(
      compileSchema({ type: "object", "x-header": "a", properties: { a: { type: "string", "x-b": {} } } })({}),
    ).toEqual([]);
  });
});

describe("`contains` beside `prefixItems`", () => {
  const check = compileSchema({ prefixItems: [{ type: "string" }], contains: { const: 1 } });

  it.each([
    [[], 1],
    [["a"], 1],
    [["a", 1], 0],
  ])("is asked of %j", (list, violations) => {
    expect(check(list).filter(({ path }) => path === "")).toHaveLength(violations);
  });
});
