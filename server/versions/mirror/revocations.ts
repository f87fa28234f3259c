import { canonicalJson } from "../../json/canonical-json.ts";
import type { TreeResult } from "../git/tree-walk.ts";
import type { LoadedRevoked } from "../load-version.ts";
import type { Revoked } from "../policy.ts";
import { NOTHING_REVOKED, uniteRevoked } from "../revoked.ts";
import type { Tree } from "../tree.ts";
import { type Followed, followTip } from "./follow-tip.ts";
import type { Mirror } from "./mirror.ts";
import { REVOKED_REF } from "./refs.ts";

export type LoadRevoked = (tree: Tree) => Promise<LoadedRevoked>;

/**
 * Revocations by the policies of the default branch. While some policies cannot be read, everything that the last good
 * commit revoked stays revoked, and the others' revocations are added. A tip without policies that is no readable tree of
 * an agent is treated alike: a mistake never gives anything back.
 */
export type Revocations = Followed<Revoked>;

export function createRevocations(options: {
  readonly mirror: Mirror;
  readonly readTree: (commit: string) => Promise<TreeResult>;
  readonly loadRevoked: LoadRevoked;
}): Revocations {
  const { mirror, readTree, loadRevoked } = options;
  return followTip({
    mirror,
    ref: REVOKED_REF,
    path: "manifests/policies",
    none: NOTHING_REVOKED,
    async read(commit) {
      const read = await readTree(commit);
      if (!read.ok) return { value: NOTHING_REVOKED, problems: read.problems };
      const { revoked, problems, doubts } = await loadRevoked(read.tree);
      return { value: revoked, problems, doubts };
    },
    join: (good, readable) => uniteRevoked([good, readable]),
    isSame: (a, b) => canonicalJson(a) === canonicalJson(b),
  });
}
