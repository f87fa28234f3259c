import { expect, test } from "vitest";
import { toNodes } from "../../../../console/pages/versions/to-nodes.ts";
import type { GraphVersion } from "../../../../console/service/versions.ts";

const node = (commit: string, tag: string | undefined, parent: string | null, semver: string | null = null) =>
  ({ commit_hash: commit, parent, semver, ...(tag === undefined ? {} : { tag }) }) as GraphVersion;

test("a parent is found by its name, its number or its commit, and one that is not loaded is left out", () => {
  expect(
    toNodes([
      node("d", "v1.2.0", "1.1.0"),
      node("c", "v1.1.0+warm", "b", "1.1.0"),
      node("b", "v1.0.0", "0.9.0"),
      node("head", undefined, "1.1.0+warm"),
    ]),
  ).toEqual([
    { commit: "d", parent: "c" },
    { commit: "c", parent: "b" },
    { commit: "b" },
    { commit: "head", parent: "c" },
  ]);
});
