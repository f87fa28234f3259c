import { describe, expect, test } from "vitest";
import {
  askFor,
  describeTool,
  listTools,
  toFirstSentence,
  toList,
} from "../../../../tools/_lib/chat/describe-tools.ts";
import { createProfile } from "../../../../tools/_lib/chat/tool-profile.ts";
import { createField } from "../../fields.ts";
import { FIXTURE_TOOLS } from "../../fixture-tools.ts";

const profiles = FIXTURE_TOOLS.map(createProfile);

describe("listTools", () => {
  test("has a line for each tool, the first sentence of its description", () => {
    expect(listTools(profiles.slice(9, 11))).toBe(
      "- dice.roll: Rolls dice and tells the sum.\n- maps.find_route: Finds a route and the travel time between two places by car, train or bicycle.",
    );
  });

  test("shows something of every server before more of one", () => {
    const [weather] = FIXTURE_TOOLS;
    if (weather === undefined) throw new Error("there are no tools");
    const many = ["a.1", "a.2", "a.3", "b.1", "c.1", "c.2"].map((name) =>
      createProfile({ ...weather, name, server: name.slice(0, 1) }),
    );
    const names = listTools(many)
      .split("\n")
      .map((line) => line.slice(2, 5));
    expect(names).toEqual(["a.1", "b.1", "c.1", "a.2", "c.2", "a.3"]);
  });
});

describe("describeTool", () => {
  test("says what a tool takes, and that it changes something", () => {
    const notes = profiles.find(({ info }) => info.name === "notes.add");
    expect(notes && describeTool(notes)).toBe(
      "notes.add: Adds a note to the notebook. It changes something, so I only use it when you order it by its name.\n" +
        "It takes:\n- text: What the note says.\n- pinned (optional): flag",
    );
  });

  test("names choices and defaults", () => {
    const [weather] = profiles;
    expect(weather && describeTool(weather)).toContain(
      '- units (optional): metric or imperial; "metric" unless you say otherwise.',
    );
  });
});

describe("askFor", () => {
  test.each([
    [{ type: "string", description: "City name." }, "location", "What is the location? (City name.)"],
    [{ enum: ["a", "b", "c"] }, "sort_order", "What is the sort order? It can be a, b or c."],
    [{ enum: ["a", "b"] }, "from", "What is the value of `from`? It can be a or b."],
    [
      { type: "integer", description: "How many dice.", minimum: 1, maximum: 9 },
      "count",
      "How many dice? It is at least 1 and at most 9.",
    ],
    [{ type: "boolean" }, "dry_run", "Should dry run be on, yes or no?"],
    [{ type: "object" }, "filter", "I need the filter as JSON."],
  ])("asks by %j", (schema, name, question) => {
    expect(askFor(createField(schema, name))).toBe(question);
  });
});

test("toFirstSentence stops at the first full stop, or where it becomes too long", () => {
  expect(toFirstSentence("One. Two.")).toBe("One.");
  expect(toFirstSentence("x".repeat(300))).toHaveLength(161);
});

test("toList joins as people do", () => {
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map((parts) => toList(parts, "and"))).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
});
