import { describe, expect, it } from "vitest";
import { judgeClaim } from "../../../server/semver/judge-claim.ts";
import { readTextOf } from "../../../server/versions/read-text-of.ts";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";
import { changeTree, edit } from "../../fixtures/trees/good-tree.ts";
import { loader } from "../../helpers/loader.ts";
import type { Changes } from "./compare-trees.ts";

const AGENT = "manifests/agent.yaml";
const CHAT = "manifests/runner/chat.yaml";
const POLICY = "manifests/policies/default.yaml";
const [DECLARED, STRICT] = ["declared", "strict"].map((reading) => ({
  [AGENT]: edit("defaults:", `compare: ${reading}\ndefaults:`),
}));

async function readableOf(changes: Changes) {
  const tree = createMemoryTree(changeTree(changes));
  const loaded = await loader.load(tree, "0123456");
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return { version: loaded.version, readText: (file: string) => readTextOf(tree, file) };
}

const toVersion = (semver: string) => ({
  "versions.yaml": edit(
    "current: 1.6.0",
    `current: ${semver}`,
    "  1.6.0:",
    `  ${semver}:\n    parent: 1.6.0\n    changes: [More.]\n  1.6.0:`,
  ),
});
const release = async (before: Changes, after: Changes, isTagged: boolean) => {
  const [older, newer] = [await readableOf(before), await readableOf(after)];
  return (await judgeClaim(older, newer, "tree", isTagged)).map(({ rule }) => rule);
};
/** An input loses a member that it declared, and was open to any; JSON Schema alone takes that for a minor change. */
const MOOD = { [CHAT]: edit("    message:\n", "    mood:\n      type: string\n    message:\n") };
const lost = toVersion("1.7.0");

describe("[D3] numbers of trees that do not say how they are compared", () => {
  it("are enough for a tag when they were enough by JSON Schema alone, and not for what is new", async () => {
    expect(await release(MOOD, lost, true)).toEqual([]);
    expect(await release(MOOD, lost, false)).toEqual(["under-claimed", "input-narrowed"]);
  });

  it("are enough when they are by the declared reading", async () => {
    const gained = { ...MOOD, ...toVersion("1.7.0") };
    expect(await release({}, gained, true)).toEqual([]);
    expect(await release({}, gained, false)).toEqual([]);
  });

  it("are enough for a tag of earlier policies, whose limits were a patch", async () => {
    const after = { [POLICY]: edit("rate: 600", "rate: 1"), ...toVersion("1.6.1") };
    expect(await release({}, after, true)).toEqual([]);
    expect(await release({}, after, false)).toEqual(["under-claimed"]);
  });

  it("have to be enough by a reading that the tree names, also for a tag", async () => {
    const after = { ...DECLARED, ...lost };
    expect(await release({ ...MOOD, ...DECLARED }, after, true)).toEqual(["under-claimed", "input-narrowed"]);
  });

  it("are judged strictly in the version that gives up the strict reading, too", async () => {
    const gained = { ...MOOD, ...toVersion("1.7.0") };
    expect(await release({ ...STRICT }, { ...gained, ...DECLARED }, true)).toContain("input-narrowed");
    expect(await release({ ...DECLARED }, { ...gained, ...DECLARED }, true)).toEqual([]);
  });
});
