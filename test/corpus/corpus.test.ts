import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { compareVersions } from "../../server/semver/compare-versions.ts";
import { createLoader } from "../../server/versions/load-version.ts";
import { toSurface } from "../../server/versions/surface.ts";
import { createMemoryTree } from "../fixtures/trees/create-memory-tree.ts";

/**
 * Trees as repositories have them in their history, each with all that manifests could say when it was made. They are
 * added to and never changed: a tag that was served once is served for ever.
 */
const trees = globSync("test/corpus/*.json")
  .sort()
  .map((path) => ({
    file: basename(path),
    ...(JSON.parse(readFileSync(path, "utf8")) as { what: string; files: Record<string, string> }),
  }));

/** Clients keep lists by it, so what a tree says must give the same one for ever. */
const FINGERPRINTS: Readonly<Record<string, string>> = {
  "conformance.json": "86dbe8121f1505707a42e91581c5d652d1824ae4bd7d455375154015084546bf",
  "every-kind.json": "63497b8b1705601662c9a176b65ad4a48554ba6728c43c12f22482f6e0ed6a11",
  "example-0.1.0-decisions.json": "a96c5d50e16f94f7e433c22d347fa4f24f0ae382c4601454c701fff6105a1725",
  "example-0.1.0-first.json": "1281287dbdbfe8e74bd85fda1285908d9f289fa8d3b8925f3d529e330b8997d5",
  "example-0.1.0-tuner.json": "486436907844993b54bcecb775da766223479f8f82d62469b22a839ec58bcb23",
  "live-tools.json": "d9353fa98d008a50587ebd332965b1f7f84157f40a08f749d67dbd4fabdb7e9a",
  "template.json": "6311651ff46208f7fc7dbf0e0f8200ad8c7683b396d8d49a51cba911ee49c29f",
  "workflows-server.json": "12d90dea75a13d61ee3cbd3e1798f6d0573709ffd513f59aab38aaeae0f730a4",
  "workflows.json": "9678ff0da9faba429dd9607c5fda9fe899dcef71ef336acd64c216d461690c23",
};

describe("[V1] every tree that was ever good", () => {
  test.each(trees)("still is: $what", async ({ file, files }) => {
    const loaded = await createLoader().load(createMemoryTree(files), "0123456");
    expect(loaded).toMatchObject({ ok: true });
    if (!loaded.ok) return;
    expect(loaded.version.fingerprint()).toBe(FINGERPRINTS[file]);
    expect(Object.keys(toSurface(loaded.version)).length).toBeGreaterThan(2);
    expect(compareVersions(loaded.version, loaded.version)).toMatchObject({ findings: [], isUnderClaimed: false });
  });
});
