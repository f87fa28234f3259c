import { compareVersions, type Difference } from "../../../server/semver/compare-versions.ts";
import { locateFindings, type LocatedFinding, type ReadText } from "../../../server/semver/locate-findings.ts";
import { loader } from "../../helpers/loader.ts";
import { readTextOf } from "../../../server/versions/read-text-of.ts";
import type { Tree } from "../../../server/versions/tree.ts";
import type { Version } from "../../../server/versions/version.ts";
import { createMemoryTree } from "../../fixtures/trees/create-memory-tree.ts";
import { type Change, changeTree } from "../../fixtures/trees/good-tree.ts";

export type Changes = Readonly<Record<string, Change>>;

async function loadTree(tree: Tree): Promise<Version> {
  const loaded = await loader.load(tree, "0123456");
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems, undefined, 2));
  return loaded.version;
}

export interface ComparedTrees extends Omit<Difference, "findings"> {
  readonly findings: readonly LocatedFinding[];
  readonly readText: ReadText;
}

/** The good tree with some changes against the good tree with others. */
export async function compareTrees(before: Changes, after: Changes): Promise<ComparedTrees> {
  const [old, young] = [createMemoryTree(changeTree(before)), createMemoryTree(changeTree(after))];
  const difference = compareVersions(await loadTree(old), await loadTree(young));
  const readText: ReadText = (side, file) => readTextOf(side === "before" ? old : young, file);
  const findings = await locateFindings(difference.findings, readText);
  return { ...difference, findings, readText };
}
