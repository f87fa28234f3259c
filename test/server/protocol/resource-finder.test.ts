import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createUriMatcher } from "../../../server/protocol/resource-finder.ts";

describe("createUriMatcher", () => {
  test.each([
    ["session://{conversation_id}", "session://abc", { conversation_id: "abc" }],
    ["session://{conversation_id}", "session://", undefined],
    ["session://{conversation_id}", "session://a/b", undefined],
    ["session://{conversation_id}", "session://abc?limit=1", undefined],
    ["session://index{?limit,before}", "session://index", {}],
    ["session://index{?limit,before}", "session://index?before=x&limit=5", { limit: "5", before: "x" }],
    ["session://index{?limit,before}", "session://index?page=2", undefined],
    ["session://index{?limit,before}", "session://indexes", undefined],
    ["test://template/{id}/data", "test://template/a%20b/data", { id: "a b" }],
    ["test://template/{id}/data", "test://template/50%/data", { id: "50%" }],
    ["a.b://{x}", "aXb://1", undefined],
    ["state://active", "state://active", {}],
  ])("%s against %s", (template, uri, variables) => {
    expect(createUriMatcher(template)(uri)).toEqual(variables);
  });

  test("finds again what was filled in, for any value", () => {
    const match = createUriMatcher("x://{a}/y/{b}{?q}");
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), fc.string(), (a, b, q) => {
        const encode = encodeURIComponent;
        expect(match(`x://${encode(a)}/y/${encode(b)}?q=${encode(q)}`)).toEqual({ a, b, q });
      }),
    );
  });
});
