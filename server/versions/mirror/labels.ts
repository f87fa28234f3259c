import type { LoadedHistory } from "../loaded-history.ts";
import type { Tree } from "../tree.ts";
import type { TreeResult } from "../git/tree-walk.ts";
import { type Followed, followTip } from "./follow-tip.ts";
import type { Mirror } from "./mirror.ts";
import { LABELS_REF } from "./refs.ts";

export type LoadHistory = (tree: Tree) => Promise<LoadedHistory>;

/** What labels mean: whatever the tip of the default branch said last that could be understood. */
export type Labels = Followed<ReadonlyMap<string, string>>;

export function createLabels(options: {
  readonly mirror: Mirror;
  readonly readTree: (commit: string) => Promise<TreeResult>;
  readonly loadHistory: LoadHistory;
}): Labels {
  const { mirror, readTree, loadHistory } = options;
  const none: ReadonlyMap<string, string> = new Map();
  return followTip({
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
    isSame: (a, b) => a.size === b.size && [...a].every(([label, target]) => b.get(label) === target),
  });
}
