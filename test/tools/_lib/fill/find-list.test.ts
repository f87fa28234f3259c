import { describe, expect, test } from "vitest";
import { fillLists } from "../../../../tools/_lib/fill/find-list.ts";
import { createFields, draftOf } from "../../fields.ts";

const read = (message: string, items: object | undefined) =>
  fillLists(draftOf(message), createFields({ labels: { type: "array", ...(items ? { items } : {}) } })).values[
    "labels"
  ];

describe("fillLists", () => {
  test.each([
    ["a bug in the docs, a real bug", { enum: ["bug", "docs", "feature"] }, ["bug", "docs"]],
    ["add 1, 2 and 3.5", { type: "number" }, [1, 2, 3.5]],
    ["labels: red, light blue and green", { type: "string" }, ["red", "light blue", "green"]],
    ["labels red; green", undefined, ["red"]],
    ["nothing", { type: "string" }, undefined],
    ["labels x", { type: "object" }, undefined],
  ])("reads %j as a list of %j", (message, items, expected) => {
    expect(read(message, items)).toEqual(expected);
  });
});
