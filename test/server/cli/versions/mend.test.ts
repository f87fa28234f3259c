import { describe, expect, test } from "vitest";
import { addEntries } from "../../../../server/versions/write-version.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { runIn } from "../run-in.ts";

const entry = (name: string, more = "") =>
  `  ${name}:\n    parent: 1.0.0${more}\n    changes:\n      - Of ${name}. # said\n`;

describe("cairn mend", () => {
  test("lists the entries of both in their order, as they stand, and keeps all else of ours", () => {
    const ours = `# Ours.\ncurrent: 1.2.0\nversions:\n  1.0.0: { changes: [] }\n${entry("1.2.0")}# The end.\n`;
    const theirs = `current: 1.0.2\nversions:\n    1.0.0: { changes: [] }\n    1.0.2:\n        changes: [B]\n    0.9.0:\n        changes: [C]\n`;
    expect(addEntries(ours, theirs)).toEqual({
      added: ["1.0.2", "0.9.0"],
      text: `# Ours.\ncurrent: 1.2.0\nversions:\n  0.9.0:\n      changes: [C]\n  1.0.0: { changes: [] }\n  1.0.2:\n      changes: [B]\n${entry("1.2.0")}# The end.\n`,
    });
  });

  test("puts them where the newest comes first, too", () => {
    const ours = `current: 1.2.0\nversions:\n${entry("1.2.0")}  1.0.0: { changes: [] }\n`;
    const theirs = `current: 1.3.0\nversions:\n${entry("1.3.0")}${entry("1.1.0")}  1.0.0: { changes: [] }\n`;
    expect(addEntries(ours, theirs).text).toBe(
      `current: 1.2.0\nversions:\n${entry("1.3.0")}${entry("1.2.0")}${entry("1.1.0")}  1.0.0: { changes: [] }\n`,
    );
  });

  test("refuses entries that contradict each other, and a place without a conflict", async () => {
    const ours = `current: 1.0.1\nversions:\n${entry("1.0.1")}`;
    expect(() => addEntries(ours, ours.replace("Of 1.0.1.", "Another."))).toThrow("Both sides have 1.0.1");
    const repository = await createRepository();
    await repository.commit({ "versions.yaml": ours });
    expect(await runIn(repository.path, ["mend"])).toEqual({
      code: 2,
      printed: "cairn: No merge of two lines of versions has a conflict in versions.yaml here.",
    });
  });
});
