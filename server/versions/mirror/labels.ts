import type { Mirror } from "./mirror.ts";
import type { Problem } from "../problem.ts";
import { DEFAULT_BRANCH_REF, LABELS_REF, type LocalRef } from "./refs.ts";
import type { TreeResult } from "../git/tree-walk.ts";
import type { Tree } from "../tree.ts";
import type { LoadedHistory } from "../loaded-history.ts";

export type LoadHistory = (tree: Tree) => Promise<LoadedHistory>;

/** What labels mean: whatever the tip of the default branch said last that could be understood. */
export interface Labels {
  readonly current: ReadonlyMap<string, string>;
  /** Why the tip was not understood; empty when it was. */
  readonly problems: readonly Problem[];
  update(refs: ReadonlyMap<string, LocalRef>): Promise<void>;
}

export function createLabels(options: {
  readonly mirror: Mirror;
  readonly readTree: (commit: string) => Promise<TreeResult>;
  readonly loadHistory: LoadHistory;
  readonly onError: (error: unknown) => void;
}): Labels {
  const { mirror, readTree, loadHistory, onError } = options;
  let current: ReadonlyMap<string, string> = new Map();
  let problems: readonly Problem[] = [];
  /** The commits that were looked at: `good` gave the labels, `tip` was the last. */
  let [good, tip]: (string | undefined)[] = [];

  async function look(commit: string): Promise<boolean> {
    const read = await readTree(commit);
    const loaded = read.ok ? await loadHistory(read.tree) : read;
    problems = loaded.ok ? [] : loaded.problems;
    if (loaded.ok && !isSame(current, loaded.history.labels)) current = loaded.history.labels;
    return loaded.ok;
  }

  async function update(refs: ReadonlyMap<string, LocalRef>): Promise<void> {
    // A restart begins with what was good before it.
    const remembered = refs.get(LABELS_REF)?.target;
    if (good === undefined && remembered !== undefined && (await look(remembered))) good = remembered;
    const next = refs.get(DEFAULT_BRANCH_REF)?.target;
    if (next === undefined || next === tip) return;
    if (next === good) {
      problems = [];
    } else if (await look(next)) {
      good = next;
      await mirror.writeRefs("update", [{ ref: LABELS_REF, oid: next }]);
    }
    tip = next;
  }

  return Object.freeze({
    get current() {
      return current;
    },
    get problems() {
      return problems;
    },
    // What cannot be read at the moment is looked at again next time, and stops nothing else.
    update: (refs: ReadonlyMap<string, LocalRef>) => update(refs).catch(onError),
  });
}

function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([label, target]) => b.get(label) === target);
}
