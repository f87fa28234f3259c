import { describe, expect, test } from "vitest";
import { fillExplicit, readValue } from "../../../../tools/_lib/fill/find-explicit.ts";
import { createField, createFields, draftOf } from "../../fields.ts";

const moment = { now: Date.UTC(2026, 6, 1, 12), offset: 0 };
const fields = createFields({
  title: { type: "string" },
  due_date: { type: "string", format: "date" },
  count: { type: "integer" },
  size: { enum: ["small", "large"] },
  urgent: { type: "boolean" },
  tags: { type: "array", items: { type: "string" } },
});
const read = (message: string) => fillExplicit(draftOf(message), fields, moment).values;

describe("fillExplicit", () => {
  test.each([
    ["title: Fix it, count: 3", { title: "Fix it", count: 3 }],
    ['title="a, b" count=4', { title: "a, b", count: 4 }],
    ["title=Fix it size=large", { title: "Fix it", size: "large" }],
    ["due date: tomorrow; urgent: yes", { due_date: "2026-07-02", urgent: true }],
    ["due-date=2026-08-01", { due_date: "2026-08-01" }],
    ["tags=a, b and c; count=1", { tags: ["a", "b", "c"], count: 1 }],
    ["tags=[a,b] count=1", { tags: ["a", "b"], count: 1 }],
    ['{"title": "x", "count": 2, "other": 1}', { title: "x", count: 2 }],
    ['use {"count": "two"}', {}],
    ["{not json} title: y", { title: "y" }],
    ["count: many", {}],
    ["title:", {}],
    ["subtitle: no", {}],
  ])("reads %j", (message, expected) => {
    expect(read(message)).toEqual(expected);
  });
});

describe("readValue", () => {
  test("gives nothing rather than something of another type", () => {
    expect(readValue(createField({ type: "string" }), "", moment)).toBeUndefined();
    expect(readValue(createField({ type: "integer" }), "", moment)).toBeUndefined();
    expect(readValue(createField({ type: "string", format: "date" }), "soon", moment)).toBeUndefined();
    expect(readValue(createField({ type: "object" }), "{}", moment)).toBeUndefined();
    expect(readValue(createField({ type: "array", items: { type: "integer" } }), "1, 2", moment)).toEqual([1, 2]);
  });
});
