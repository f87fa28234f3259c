import { describe, expect, it } from "vitest";
import { draftOf, toLatestDraft } from "../../../server/json/schema-draft.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema";

describe("draftOf", () => {
  it.each([
    [undefined, "2020-12"],
    ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
    ["https://json-schema.org/draft/2019-09/schema#", "2019-09"],
    [DRAFT_07, "draft-07"],
    ["https://json-schema.org/draft-07/schema", "draft-07"],
    ["http://json-schema.org/draft-04/schema#", undefined],
    [7, undefined],
  ])("reads %s as %s", ($schema, draft) => {
    expect(draftOf($schema === undefined ? {} : { $schema })).toBe(draft);
  });
});

describe("toLatestDraft", () => {
  it("writes dynamic references as plain ones, unless a schema inside has a `$id`", () => {
    const node = { $dynamicAnchor: "n", properties: { a: { $dynamicRef: "#n" } } };
    expect(toLatestDraft(node)).toEqual({ $dynamicAnchor: "n", properties: { a: { $ref: "#" } } });
    const several = { $defs: { other: { $id: "other", ...node } } };
    expect(toLatestDraft(several)).toBe(several);
  });

  it("returns schemas of 2020-12 and of unknown drafts as they are", () => {
    const latest = { prefixItems: [true], unevaluatedItems: false };
    const unknown = { $schema: "http://json-schema.org/draft-04/schema#", items: [true] };
    expect(toLatestDraft(latest)).toBe(latest);
    expect(toLatestDraft(unknown)).toBe(unknown);
    expect(toLatestDraft(true)).toBe(true);
  });

  it("converts a schema once", () => {
    const schema = { $schema: DRAFT_07, items: [true] };
    expect(toLatestDraft(schema)).toBe(toLatestDraft(schema));
  });

  it.each<[string, object, object]>([
    [
      "lists of items",
      { items: [{ type: "string" }, false], additionalItems: { type: "null" } },
      { prefixItems: [{ type: "string" }, false], items: { type: "null" } },
    ],
    ["further items that count for nothing", { items: true, additionalItems: false }, { items: true }],
    [
      "dependencies",
      { dependencies: { a: ["b"], c: { minProperties: 2 } } },
      { dependentRequired: { a: ["b"] }, dependentSchemas: { c: { minProperties: 2 } } },
    ],
    [
      "references, beside which nothing counts",
      {
        properties: { a: { $ref: "#/definitions/a", minimum: 1, title: "A" } },
        definitions: { a: { type: "number" } },
      },
      { properties: { a: { $ref: "#/definitions/a", title: "A" } }, definitions: { a: { type: "number" } } },
    ],
    [
      "references to what has moved",
      {
        items: [{ $ref: "#/additionalItems" }],
        additionalItems: { $ref: "#/dependencies/a~1%25" },
        dependencies: { "a/%": {} },
      },
      {
        prefixItems: [{ $ref: "#/items" }],
        items: { $ref: "#/dependentSchemas/a~1%25" },
        dependentRequired: {},
        dependentSchemas: { "a/%": {} },
      },
    ],
    [
      "anchors",
      { properties: { a: { $ref: "#one" } }, definitions: { one: { $id: "#one", type: "null" } } },
      { properties: { a: { $ref: "#/definitions/one" } }, definitions: { one: { $anchor: "one", type: "null" } } },
    ],
    [
      "keywords of later drafts, which count for nothing",
      { prefixItems: [false], minContains: 2, unevaluatedProperties: false, contains: true },
      { contains: true },
    ],
    ["values that only look like schemas", { const: { items: [1] } }, { const: { items: [1] } }],
  ])("reads %s of draft-07", (_, schema, latest) => {
    expect(toLatestDraft({ $schema: DRAFT_07, ...schema })).toEqual(latest);
  });

  it.each<[string, object, object]>([
    ["references to the root", { items: { $recursiveRef: "#" }, $recursiveAnchor: true }, { items: { $ref: "#" } }],
    [
      "two references at once",
      { items: { $ref: "#/$defs/a", $recursiveRef: "#" }, $defs: { a: true } },
      { items: { $ref: "#/$defs/a", allOf: [{ $ref: "#" }] }, $defs: { a: true } },
    ],
    [
      "keywords beside a reference",
      { $ref: "#/$defs/a", minimum: 1, $defs: { a: true } },
      { $ref: "#/$defs/a", minimum: 1, $defs: { a: true } },
    ],
    [
      "items that `contains` finds, which stay unevaluated",
      { contains: { type: "null" }, maxContains: 2, unevaluatedItems: false },
      { allOf: [{ not: { not: { contains: { type: "null" }, maxContains: 2 } } }], unevaluatedItems: false },
    ],
  ])("reads %s of 2019-09", (_, schema, latest) => {
    expect(toLatestDraft({ $schema: DRAFT_2019, ...schema })).toEqual(latest);
  });
});
