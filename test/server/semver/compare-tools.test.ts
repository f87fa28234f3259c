import { describe, expect, it } from "vitest";
import { compareInputs, compareOutputs, findLostMembers } from "../../../server/semver/compare-tools.ts";
import type { JsonSchema } from "../../../server/host-api.ts";
import type { Reading } from "../../../server/semver/reading.ts";
import { compileSchema } from "../../../server/versions/manifests/schema/compile-schema.ts";
import { createStripUndeclared } from "../../../server/versions/manifests/schema/strip-undeclared.ts";
import { createDefaults } from "../../../server/versions/manifests/schema/with-defaults.ts";

const object = (properties: JsonSchema, required: readonly string[] = [], more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
  ...more,
});
const inputs = (before: JsonSchema, after: JsonSchema, reading: Reading = "plain") => {
  const [one, other] = [before, after].map((input) => ({
    input,
    checkInput: compileSchema(input),
    withDefaults: createDefaults(input),
  }));
  if (one === undefined || other === undefined) throw new Error("there are two");
  return compareInputs(one, other, reading);
};
const toOutput = (output: JsonSchema) => {
  return { output, checkOutput: compileSchema(output), stripUndeclared: createStripUndeclared(output) };
};
const outputs = (before: JsonSchema, after: JsonSchema, reading: Reading = "plain") =>
  compareOutputs(toOutput(before), toOutput(after), reading);
const text = { type: "string" };

describe("inputs", () => {
  it("may be asked for in more ways, not in fewer", () => {
    const before = object({ city: text }, ["city"]);
    const after = object({ city: text, units: text }, ["city"]);
    expect(inputs(before, after).verdict).toBe("included");
    expect(inputs(after, before).verdict).toBe("excluded");
  });

  it("of a tool that declares no arguments may gain one that can be left out, when callers know what is declared", () => {
    const [bare, more] = [{ type: "object" }, { type: "object", properties: { host: text } }];
    expect(inputs(bare, more, "declared").verdict).toBe("included");
    expect(inputs(bare, { ...more, required: ["host"] }, "declared").verdict).toBe("excluded");
    expect(inputs(more, bare, "declared").verdict).toBe("excluded");
    expect(inputs(bare, more, "strict").verdict).toBe("excluded");
  });

  it("are compared as they are filled in alike, where a default is not valid itself", () => {
    const days = (maximum: number) => object({ days: { type: "integer", maximum, default: 9 } });
    expect(inputs(days(7), { ...days(7), description: "Again." }).verdict).toBe("included");
    expect(inputs(days(7), days(8)).verdict).toBe("included");
    expect(inputs(days(8), days(7)).verdict).toBe("excluded");
  });

  it("are told with a value for each place where one is refused", () => {
    const before = object({ city: text, units: { enum: ["metric", "imperial"] }, days: { type: "integer" } });
    const after = object({ city: text, units: { enum: ["metric"] }, days: { type: "integer", maximum: 7 } }, ["city"]);
    expect(inputs(before, after)).toEqual({
      verdict: "excluded",
      witness: {},
      meaning: [],
      findings: [
        { path: ["city"], rule: "required-added", message: "`city` must be there now", value: {} },
        {
          path: ["units"],
          rule: "values-narrowed",
          message: '`units` can no longer be `"imperial"`',
          value: { units: "imperial" },
        },
        { path: ["days"], rule: "bound-narrowed", message: "`days` must now be at most 7", value: { days: 8 } },
      ],
    });
  });

  it.each([
    ["a new required member has a default", {}, { default: "metric" }, "included"],
    ["a new required member has none", {}, {}, "excluded"],
    ["a default is not valid", {}, { default: 1 }, "excluded"],
  ])("are filled in first: %s", (_, __, more, verdict) => {
    const after = object({ city: text, units: { ...text, ...more } }, ["units"]);
    expect(inputs(object({ city: text }), after).verdict).toBe(verdict);
  });

  it("are filled in at every depth, and through references", () => {
    const place = (more: JsonSchema, required: readonly string[]) => ({
      type: "object",
      properties: { places: { type: "array", items: { $ref: "#/$defs/place" } } },
      $defs: { place: { type: "object", properties: { zoom: { type: "integer", ...more } }, required } },
    });
    expect(inputs(place({}, []), place({ default: 3 }, ["zoom"])).verdict).toBe("included");
    expect(inputs(place({}, []), place({}, ["zoom"])).verdict).toBe("excluded");
  });

  it("are not filled in where alternatives stand between", () => {
    const after = (more: JsonSchema) => ({ type: "object", anyOf: [object({ a: { ...text, ...more } }, ["a"])] });
    expect(inputs({ type: "object", maxProperties: 0 }, after({ default: "x" })).verdict).toBe("excluded");
  });

  it("have a proof where conditions stand beside defaults only if those are the same", () => {
    const schema = (initial: string, limit: number) =>
      object({ a: { ...text, default: initial }, b: text }, [], { maxProperties: limit });
    expect(inputs(schema("x", 1), schema("x", 2)).verdict).toBe("included");
    expect(inputs(schema("x", 1), schema("y", 2)).verdict).toBe("unknown");
    expect(inputs(object({ b: text }, [], { maxProperties: 1 }), schema("x", 1)).verdict).toBe("excluded");
  });

  it.each([
    [{ default: 1 }, { default: 2 }, ["`n` had the default `1`, and is `2` now"]],
    [{ default: 1 }, {}, ["`n` had the default `1`, and has none now"]],
    [{}, { default: 1 }, []],
    [{ default: 1 }, { default: 1 }, []],
  ])("mean something else when the default %j becomes %j", (before, after, messages) => {
    const { verdict, meaning } = inputs(object({ n: before }), object({ n: after, other: text }));
    expect(verdict).toBe("included");
    expect(meaning.map(({ message }) => message)).toEqual(messages);
    expect(meaning.every(({ rule }) => rule === "default-changed")).toBe(true);
  });
});

describe("outputs", () => {
  it("may say less, not more", () => {
    const before = object({ forecast: { enum: ["sun", "rain"] } }, ["forecast"]);
    const after = object({ forecast: { const: "sun" } }, ["forecast"]);
    expect(outputs(before, after).verdict).toBe("included");
    expect(outputs(after, before)).toMatchObject({ verdict: "excluded", witness: { forecast: "rain" } });
  });

  it("always have what the server puts into them", () => {
    const before = object({ conversation_id: text, logs_uri: text }, ["conversation_id", "logs_uri"]);
    const after = object({ conversation_id: text, logs_uri: { type: ["string", "null"] } });
    expect(outputs(before, after).verdict).toBe("included");
    expect(outputs(before, object({ logs_uri: text })).verdict).toBe("excluded");
  });
});

const open = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties, ...more });

describe("the declared reading of inputs", () => {
  const one = open({ title: text });
  const two = open({ title: text, labels: { type: "array", items: text } });

  it("takes a member that nobody could know for new", () => {
    expect(inputs(one, two, "declared").verdict).toBe("included");
    expect(inputs(one, two, "strict").verdict).toBe("excluded");
  });

  it("takes a member that is declared no more for refused, with a value that has it", () => {
    expect(inputs(two, one, "declared")).toMatchObject({
      verdict: "excluded",
      findings: [{ path: ["labels"], message: "`labels` is declared no more, and would be ignored" }],
    });
    expect(inputs(two, one, "strict").verdict).toBe("included");
  });

  it("holds inside of objects, lists and references", () => {
    const inside = (schema: JsonSchema) =>
      open({ all: { type: "array", items: { $ref: "#/$defs/one" } } }, { $defs: { one: schema } });
    expect(inputs(inside(one), inside(two), "declared").verdict).toBe("included");
    expect(inputs(inside(two), inside(one), "declared").verdict).toBe("excluded");
  });

  it.each([
    ["an open object is closed", one, open({ title: text }, { additionalProperties: false })],
    [
      "any name was declared",
      open({ title: text }, { additionalProperties: {} }),
      open({ title: text, n: text }, { additionalProperties: {} }),
    ],
    ["nothing was named", open({ options: { type: "object" } }), open({ options: open({ n: text }) })],
    ["a new member is required", one, open({ title: text, body: text }, { required: ["body"] })],
  ])("stays as strict where %s", (_, before, after) => {
    expect(inputs(before, after, "declared").verdict).toBe("excluded");
  });

  it("lets a map take in what it named", () => {
    const after = { type: "object", additionalProperties: text };
    expect(inputs(open({ a: text }, { additionalProperties: text }), after, "declared").verdict).toBe("included");
  });

  it.each([
    [{}, {}, ["`n` had no default, and is `1` now"]],
    [{}, { required: ["n"] }, []],
  ])(
    "means something else with a default where none was, unless the member had to be given: %j %j",
    (_, more, messages) => {
      const [before, after] = [open({ n: {} }, more), open({ n: { default: 1 } }, more)];
      for (const reading of ["declared", "strict"] as const) {
        expect(inputs(before, after, reading).meaning.map(({ message }) => message)).toEqual(messages);
      }
      expect(inputs(before, after, "plain").meaning).toEqual([]);
    },
  );
});

describe("outputs as the service sends them", () => {
  const one = open({ total: text });
  const closed = open({ total: text }, { additionalProperties: false });
  const free = open({ total: text }, { additionalProperties: true });
  const two = open({ total: text, next: text });

  it("are the same for schemas that are closed and that strip", () => {
    for (const reading of ["declared", "strict"] as const) {
      expect(outputs(one, closed, reading).verdict).toBe("included");
      expect(outputs(closed, one, reading).verdict).toBe("included");
    }
  });

  it("have what the schema lets through", () => {
    expect(outputs(one, free, "strict")).toMatchObject({ verdict: "excluded" });
    expect(outputs(one, free, "declared").verdict).toBe("included");
    expect(outputs(closed, free, "declared").verdict).toBe("excluded");
  });

  it("lose members that are declared no more", () => {
    expect(findLostMembers(toOutput(two), toOutput(one))).toMatchObject([{ path: ["next"], rule: "member-closed" }]);
    expect(findLostMembers(toOutput(one), toOutput(two))).toEqual([]);
    expect(findLostMembers(toOutput(open({ a: text, b: false })), toOutput(open({ a: text })))).toEqual([]);
  });
});
