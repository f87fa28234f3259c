import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assertForm, fitsForm, type FormSchema } from "../../../../server/capabilities/interaction/form.ts";
import type { Json } from "../../../../server/store/store.ts";

const form = (properties: FormSchema["properties"], required?: readonly string[]): FormSchema => ({
  type: "object",
  properties,
  ...(required === undefined ? {} : { required }),
});

describe("assertForm", () => {
  test.each<[FormSchema, string]>([
    [
      form({ a: { type: "object" } }),
      "`ctx.elicit`: `a` is of type `object`; it must be one of string, number, integer, boolean, array.",
    ],
    [
      form({ a: {} as never }),
      "`ctx.elicit`: `a` is of type `undefined`; it must be one of string, number, integer, boolean, array.",
    ],
    [form({ a: { type: "array" } }), "`ctx.elicit`: the list `a` must be of choices: `items` with `enum` or `anyOf`."],
    [
      form({ a: { type: "array", items: {} } }),
      "`ctx.elicit`: the list `a` must be of choices: `items` with `enum` or `anyOf`.",
    ],
    [form({}, ["a"]), "`ctx.elicit`: `a` is required but not among the properties."],
    [form({}, ["toString"]), "`ctx.elicit`: `toString` is required but not among the properties."],
  ])("refuses %j", (schema, message) => {
    expect(() => assertForm(schema)).toThrow(expect.objectContaining({ name: "BAD_REQUEST", message }));
  });

  test("takes what clients can show", () => {
    const properties = {
      a: { type: "string", enum: ["x"] },
      b: { type: "number" },
      c: { type: "integer" },
      d: { type: "boolean" },
      e: { type: "array", items: { enum: ["x"] } },
      f: { type: "array", items: { anyOf: [{ const: "x", title: "X" }] } },
    };
    expect(() => assertForm(form(properties, ["a", "f"]))).not.toThrow();
  });
});

describe("fitsForm", () => {
  const field = (schema: FormSchema["properties"][string], value: Json) => fitsForm(form({ a: schema }), { a: value });

  test.each<[FormSchema["properties"][string], readonly Json[], readonly Json[]]>([
    [{ type: "string" }, ["", "x"], [1, null, true, ["x"], {}]],
    [{ type: "string", minLength: 2, maxLength: 3 }, ["ab", "abc"], ["a", "abcd"]],
    [{ type: "string", maxLength: 1 }, ["😀"], ["😀😀"]],
    [{ type: "string", enum: ["x", "y"] }, ["x", "y"], ["z", "", 1]],
    [{ type: "string", oneOf: [{ const: "x" }] }, ["x"], ["y"]],
    [{ type: "number", minimum: 0, maximum: 1 }, [0, 0.5, 1], [-0.1, 1.1, "0.5", null]],
    [{ type: "integer", minimum: 1 }, [1, 2], [0, 1.5, "1"]],
    [{ type: "boolean" }, [true, false], ["true", 0, null]],
    [{ type: "array", items: { enum: ["x", "y"] } }, [[], ["x"], ["x", "y"]], [["z"], "x", [1]]],
    [{ type: "array", items: { anyOf: [{ const: "x" }] }, minItems: 1, maxItems: 2 }, [["x"]], [[], ["x", "x", "x"]]],
  ])("%j takes %j, and not %j", (schema, fit, unfit) => {
    expect(fit.map((value) => field(schema, value))).toEqual(fit.map(() => true));
    expect(unfit.map((value) => field(schema, value))).toEqual(unfit.map(() => false));
  });

  test("wants what is required, takes nothing that is not in the form", () => {
    const schema = form({ a: { type: "string" }, b: { type: "string" } }, ["a"]);
    expect([{ a: "" }, { a: "", b: "" }].map((content) => fitsForm(schema, content))).toEqual([true, true]);
    expect(
      [{}, { b: "" }, { a: "", c: "" }, { a: "", toString: "" }].map((content) => fitsForm(schema, content)),
    ).toEqual([false, false, false, false]);
    expect([undefined, null, [], "a"].map((content) => fitsForm(form({}), content))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  const choices = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 5 });
  const filled = fc.oneof(
    fc.tuple(fc.constant({ type: "boolean" }), fc.boolean()),
    fc.integer().map((value) => [{ type: "integer", minimum: value, maximum: value }, value] as const),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value) => [{ type: "number", minimum: value }, value] as const),
    fc
      .string({ unit: "grapheme" })
      .map((value) => [{ type: "string", maxLength: [...value].length, minLength: [...value].length }, value] as const),
    choices.map((values) => [{ type: "string", enum: values }, values[0] as string] as const),
    choices.map((values) => [{ type: "array", items: { enum: values }, maxItems: values.length }, values] as const),
  );

  test("takes every form that was filled in as it says, and refuses it with anything missing or added", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), filled, { minKeys: 1 }), fc.string(), (fields, more) => {
        const names = Object.keys(fields);
        const schema = form(
          Object.fromEntries(names.map((name) => [name, fields[name]?.[0] as FormSchema["properties"][string]])),
          names,
        );
        const content = Object.fromEntries(names.map((name) => [name, fields[name]?.[1] as Json]));
        assertForm(schema);
        expect(fitsForm(schema, content)).toBe(true);
        const [first = "", ...rest] = names;
        expect(fitsForm(schema, Object.fromEntries(rest.map((name) => [name, content[name] as Json])))).toBe(false);
        expect(fitsForm(schema, { ...content, [first]: { not: "so" } })).toBe(false);
        if (!names.includes(more)) {
          expect(fitsForm(schema, Object.fromEntries([...Object.entries(content), [more, 1]]))).toBe(false);
        }
      }),
    );
  });
});
