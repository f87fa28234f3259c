import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mergeFiles } from "../../../server/imports/merge-files.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";

const FILE = "list.yaml";
const manifest = (title: string, version: string) =>
  `name: list\ntitle: ${title}\nversion: ${version}\ndescription: Lists.\n`;

/** Merges a file as it is, as the last import wrote it, and as this one does. */
async function merge(mine: string, base: string, next: string) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, FILE), mine);
  const outcomes = await mergeFiles(folder, { base: new Map([[FILE, base]]), next: new Map([[FILE, next]]) });
  return [outcomes.get(FILE), await readFile(join(folder, FILE), "utf8")];
}

describe("a version that a release has raised in an imported manifest", () => {
  test("is no edit, and stays while the lines beside it change", async () => {
    expect(await merge(manifest("A", "1.0.1"), manifest("A", "1.0.0"), manifest("B", "1.0.0"))).toEqual([
      "changed",
      manifest("B", "1.0.1"),
    ]);
    expect(await merge(manifest("A", "1.0.1"), manifest("A", "1.0.0"), manifest("A", "1.0.0"))).toEqual([
      "same",
      manifest("A", "1.0.1"),
    ]);
  });

  test("hides no edit beside it", async () => {
    const [outcome, text] = await merge(manifest("Mine", "1.0.1"), manifest("A", "1.0.0"), manifest("B", "1.0.0"));
    expect(outcome).toBe("conflict");
    expect(text).toContain("<<<<<<< yours\ntitle: Mine\n");
  });
});
