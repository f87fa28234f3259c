import { describe, expect, test } from "vitest";
import { toOwnLeads, toRole } from "../../../../tools/_lib/fill/role.ts";
import { createField } from "../../fields.ts";

describe("toRole", () => {
  test.each([
    ["location", "City name or 'lat,long' coordinates.", "place"],
    ["query", "What to look for.", "topic"],
    ["text", "The text to translate.", "content"],
    ["recipient", "", "person"],
    ["x", "Name of the town.", "place"],
    ["x", "Keywords to search for.", "topic"],
    ["x", "", "other"],
  ])("takes %s (%s) for a %s", (name, description, role) => {
    expect(toRole(createField({ type: "string", description }, name))).toBe(role);
  });

  test("knows the words that lead to one field only", () => {
    expect(toOwnLeads(createField({ type: "string" }, "origin"))).toEqual(["origin", "from"]);
    expect(toOwnLeads(createField({ type: "string" }, "ticket_title"))).toEqual([
      "ticket title",
      "titled",
      "called",
      "named",
    ]);
  });
});
