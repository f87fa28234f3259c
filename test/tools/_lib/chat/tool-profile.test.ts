import { describe, expect, test } from "vitest";
import { createProfile, isCalled, measureNaming } from "../../../../tools/_lib/chat/tool-profile.ts";
import { FIXTURE_TOOLS } from "../../fixture-tools.ts";

function profileOf(name: string) {
  const tool = FIXTURE_TOOLS.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return createProfile(tool);
}

describe("measureNaming", () => {
  test.each([
    ["tickets.create_ticket", "please create a ticket", true],
    ["tickets.create_ticket", "creating tickets is fun", true],
    ["tickets.create_ticket", "create_ticket now", true],
    ["tickets.create_ticket", "TICKETS.CREATE_TICKET", true],
    ["tickets.create_ticket", "create a new ticket", false],
    ["tickets.create_ticket", "a ticket to create trouble", false],
    ["notes.add", "add a note", true],
    ["notes.add", "notes: add this", true],
    ["notes.add", "add 5 and 7", false],
    ["notes.add", "take note", false],
  ])("%s is named by %j: %s", (name, message, named) => {
    expect(measureNaming(message, profileOf(name)) > 0).toBe(named);
  });
});

describe("isCalled", () => {
  test("takes the full name and the part after the dot", () => {
    const profile = profileOf("notes.add");
    expect(["notes.add", "add", "dd", "notes", undefined].map((name) => isCalled(profile, name))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
