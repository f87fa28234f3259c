import { describe, expect, test } from "vitest";
import { fillFlags, findFlag, readYesNo } from "../../../../tools/_lib/fill/find-flag.ts";
import { createField, createFields, draftOf } from "../../fields.ts";

describe("findFlag", () => {
  test.each([
    ["a dry run please", "dry_run", true],
    ["no dry run", "dry_run", false],
    ["including archived ones", "include_archived", true],
    ["without archived pages", "include_archived", false],
    ["don't show hidden files", "hidden", false],
    ["run it dry", "dry_run", undefined],
    ["pinned", "isPinned", true],
  ])("reads %j for %s", (message, name, expected) => {
    expect(findFlag(message, createField({ type: "boolean" }, name))?.value).toBe(expected);
  });

  test("takes its words out of what is left", () => {
    const { values, rest } = fillFlags(
      draftOf("cats, including archived"),
      createFields({ include_archived: { type: "boolean" } }),
    );
    expect([values, rest]).toEqual([{ include_archived: true }, `cats, ${"\uFFFC".repeat(18)}`]);
  });
});

describe("readYesNo", () => {
  test.each([
    ["yes", true],
    ["Yes, please", true],
    ["ok", true],
    ["nope", false],
    ["don't", false],
    ["Norway", undefined],
    ["perhaps", undefined],
  ])("reads %j", (message, expected) => {
    expect(readYesNo(message)).toBe(expected);
  });
});
