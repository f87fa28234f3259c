import { readFile } from "node:fs/promises";
import { join } from "node:path";
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

  test("keeps the higher version of a tool that conflicts in nothing else, and names what is left", async () => {
    const toTool = (version: string, does: string, title = "Old") =>
      `name: a.b\nversion: ${version} # of ${title}\ndescription: ${does}\n\n\n\ninput:\n  type: object\n`;
    const toFiles = (current: string, version: string, does: string) => ({
      "versions.yaml": `current: ${current}\nversions:\n${entry("1.0.0")}${current === "1.0.0" ? "" : entry(current)}`,
      "manifests/a/one.yaml": toTool(version, "Same."),
      "manifests/a/two.yaml": toTool(version, does),
      "notes.md": `${does}\n`,
    });
    const repository = await createRepository();
    await repository.commit(toFiles("1.0.0", "1.0.0", "Same."));
    await repository.git("switch", "--quiet", "--create", "1.0.x");
    const older = toFiles("1.0.1", "1.0.10", "Theirs.");
    const one = older["manifests/a/one.yaml"].replace("type: object", "type: object # theirs");
    await repository.commit({ ...older, "manifests/a/one.yaml": one });
    await repository.git("switch", "--quiet", "main");
    await repository.commit(toFiles("1.1.0", "1.0.9", "Ours."));
    await expect(repository.git("merge", "--quiet", "1.0.x")).rejects.toThrow();
    expect(await runIn(join(repository.path, "manifests"), ["mend"])).toEqual({
      code: 0,
      printed:
        "versions.yaml keeps `current: 1.1.0` and lists 1.0.1 besides.\n" +
        "manifests/a/one.yaml keeps `version: 1.0.10`, the higher one.\n" +
        "Still in conflict: manifests/a/two.yaml, notes.md.",
    });
    expect(await readFile(join(repository.path, "manifests/a/one.yaml"), "utf8")).toBe(one);
    expect(await repository.git("diff", "--name-only", "--diff-filter=U")).toBe("manifests/a/two.yaml\nnotes.md");
  });
});
