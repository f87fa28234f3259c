import { describe, expect, it } from "vitest";
import { compileSchema } from "../../../../../server/versions/manifests/schema/compile-schema.ts";

/** As a body has them: own members, whose names every object inherits. */
const HOSTILE = ['{"toString":1}', '{"valueOf":{}}', '{"constructor":{"a":1}}', '{"hasOwnProperty":null}'];

describe("lists and objects in `const` and `enum`", () => {
  it.each(HOSTILE)("are compared with %s as with any other value", (text) => {
    const schemas = [{ const: { a: 1 } }, { enum: [{ a: 1 }, [1], "a"] }];
    for (const schema of schemas) expect(compileSchema(schema)(JSON.parse(text))).toHaveLength(1);
    for (const schema of [{ const: JSON.parse(text) as unknown }, { enum: ["a", JSON.parse(text) as unknown] }]) {
      expect(compileSchema(schema)(JSON.parse(text))).toEqual([]);
    }
  });

  it("are the same in whatever order their members are written", () => {
    const check = compileSchema({ enum: [{ a: [1, { b: 2, c: 3 }], d: null }] });
    expect(check({ d: null, a: [1, { c: 3, b: 2 }] })).toEqual([]);
    expect(check({ d: null, a: [{ c: 3, b: 2 }, 1] })).toEqual([
      { path: "", message: 'the value must be one of {"a":[1,{"b":2,"c":3}],"d":null}' },
    ]);
  });
});
