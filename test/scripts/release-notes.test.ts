import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { findNotes } from "../../scripts/release-notes.mjs";

const run = promisify(execFile);
const CHANGELOG =
  "# Changelog\n\n## Unreleased\n\n- Later.\n\n## [0.2.0] - 2026-11-01\n\n### Added\n\n- A thing.\n\n## 0.1.0\n\n- First.\n";

describe("the notes of a release of Cairn", () => {
  test("are the changelog's section of the version, without its heading", () => {
    expect(findNotes("cairn-v0.2.0", "0.2.0", CHANGELOG)).toBe("### Added\n\n- A thing.");
    expect(findNotes("cairn-v0.1.0", "0.1.0", CHANGELOG)).toBe("- First.");
  });

  test.each([
    ["v0.2.0", "0.2.0", "is no tag of a release"],
    ["cairn-v0.2", "0.2.0", "is no tag of a release"],
    ["cairn-v0.2.0", "0.1.0", "the tag names 0.2.0, and package.json 0.1.0"],
    ["cairn-v0.3.0", "0.3.0", "no section `## 0.3.0`"],
    ["cairn-vUnreleased", "Unreleased", "is no tag of a release"],
  ])("of %s with package.json at %s are refused: %s", (tag, version, said) => {
    expect(() => findNotes(tag, version, CHANGELOG)).toThrow(said);
    expect(() => findNotes("cairn-v0.2.0", "0.2.0", "## 0.2.0\n\n## 0.1.0\n")).toThrow("is empty");
  });

  test("end the workflow's step where the tag is none", async () => {
    const failed = await run(process.execPath, ["scripts/release-notes.mjs", "v9.9.9"]).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("release-notes: `v9.9.9` is no tag") });
  });
});
