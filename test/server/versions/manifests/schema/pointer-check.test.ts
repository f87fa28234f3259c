import { describe, expect, it } from "vitest";
import { createPointerCheck } from "../../../../../server/versions/manifests/schema/pointer-check.ts";

describe("createPointerCheck", () => {
  const schema = {
    type: "object",
    properties: {
      a: { type: "object", properties: { "b/c": {} } },
      list: { type: "array", prefixItems: [{ properties: { first: {} } }], items: { $ref: "#/$defs/item" } },
      open: { type: "object" },
      map: { type: "object", additionalProperties: { properties: { value: {} } } },
      pattern: { patternProperties: { "^x-": { properties: { y: {} } } } },
    },
    allOf: [{ if: { properties: { kind: {} } }, else: { properties: { extra: {} } } }],
    $defs: { item: { properties: { name: {}, child: { $ref: "#/$defs/item" } } } },
  };

  it.each([
    ["/a", true],
    ["/a/b~1c", true],
    ["/a/b", false],
    ["/list/0/first", true],
    ["/list/0/name", false],
    ["/list/7/name", true],
    ["/list/7/child/child/name", true],
    ["/list/x", false],
    ["/open/anything", false],
    ["/map/anything/value", true],
    ["/pattern/x-1/y", true],
    ["/pattern/y", false],
    ["/extra", true],
    ["/toString", false],
  ])("knows whether a schema speaks of %s: %s", (pointer, answer) => {
    expect(createPointerCheck(schema)(pointer)).toBe(answer);
  });
});
