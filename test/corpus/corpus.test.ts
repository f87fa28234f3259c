import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compareVersions } from "../../server/compat/compare-versions.ts";
import { createLoader } from "../../server/versions/load-version.ts";
import { toSurface } from "../../server/versions/surface.ts";
import { createMemoryTree } from "../fixtures/trees/create-memory-tree.ts";

/**
 * Trees as repositories have them in their history, each with all that manifests could say when it was made. They are
 * added to and never changed: a tag that was served once is served for ever.
 */
const trees = globSync("test/corpus/*.json")
  .sort()
  .map((file) => JSON.parse(readFileSync(file, "utf8")) as { what: string; files: Record<string, string> });

describe("[V1] every tree that was ever good", () => {
  test.each(trees)("still is: $what", async ({ files }) => {
    const loaded = await createLoader().load(createMemoryTree(files), "0123456");
    expect(loaded).toMatchObject({ ok: true });
    if (!loaded.ok) return;
    expect(Object.keys(toSurface(loaded.version)).length).toBeGreaterThan(2);
    expect(compareVersions(loaded.version, loaded.version)).toMatchObject({ findings: [], isUnderClaimed: false });
  });
});
