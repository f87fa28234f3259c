import { isDeepStrictEqual } from "node:util";
import type { LoadedHistory } from "../loaded-history.ts";
import type { Problem } from "../problem.ts";
import type { Tree } from "../tree.ts";
import type { TreeResult } from "../git/tree-walk.ts";
import { type Followed, followTip } from "./follow-tip.ts";
import type { Mirror } from "./mirror.ts";
import { LABELS_REF, type LocalRef } from "./refs.ts";

export type LoadHistory = (tree: Tree) => Promise<LoadedHistory>;

/**
 * Versions or ids of commits by label, as the tip of the default branch said last that could be understood. Problems also
 * name labels whose version or commit is not there.
 */
export type Labels = Followed<ReadonlyMap<string, string>>;

type Refs = ReadonlyMap<string, LocalRef>;

const COMMIT = /^[0-9a-f]{7,64}$/;

export function createLabels(options: {
  readonly mirror: Mirror;
  readonly readTree: (commit: string) => Promise<TreeResult>;
  readonly loadHistory: LoadHistory;
}): Labels {
  const { mirror, readTree, loadHistory } = options;
  const none: ReadonlyMap<string, string> = new Map();
  const written = followTip({
    mirror,
    ref: LABELS_REF,
    path: "versions.yaml",
    none,
    async read(commit) {
      const read = await readTree(commit);
      const loaded = read.ok ? await loadHistory(read.tree) : read;
      return loaded.ok ? { value: loaded.history.labels, problems: [] } : { value: none, problems: loaded.problems };
    },
    join: (good) => good,
    isSame: isDeepStrictEqual,
  });
  let current = none;
  let problems: readonly Problem[] = [];

  async function findDangling(refs: Refs): Promise<readonly Problem[]> {
    const dangling: Problem[] = [];
    for (const [label, target] of current) {
      const isCommit = COMMIT.test(target);
      const isThere = isCommit ? (await mirror.objects.info(target)) !== undefined : hasTag(target, refs);
      if (isThere) continue;
      const message = `The label \`${label}\` stands for \`${target}\`, ${isCommit ? "and there is no such commit" : "of which there is no tag yet"}.`;
      const fix = isCommit ? "Write the id of a commit of this repository." : `Push the tag \`v${target}\`.`;
      dangling.push({ file: "versions.yaml", line: 1, column: 1, rule: "history-reference", message, fix });
    }
    return dangling;
  }

  return Object.freeze({
    get current() {
      return current;
    },
    get problems() {
      return problems;
    },
    /** What labels name may come and go without their being written anew. */
    async update(refs: Refs) {
      await written.update(refs);
      const meant = new Map([...written.current].map(([label, target]) => [label, toCommit(target, refs)]));
      if (!isDeepStrictEqual(current, meant)) current = meant;
      const found = [...written.problems, ...(await findDangling(refs))];
      if (!isDeepStrictEqual(problems, found)) problems = found;
    },
  });
}

/** An annotated tag has an id of its own, which `git rev-parse v1.0.0` prints: what it is a tag of is meant. */
function toCommit(target: string, refs: Refs): string {
  if (!COMMIT.test(target)) return target;
  for (const ref of refs.values()) if (ref.oid !== ref.target && ref.oid.startsWith(target)) return ref.target;
  return target;
}

function hasTag(version: string, refs: Refs): boolean {
  if (refs.has(`refs/tags/v${version}`)) return true;
  // A version that only tags with names behind a `+` carry.
  return [...refs.keys()].some((ref) => ref.startsWith(`refs/tags/v${version}+`));
}
