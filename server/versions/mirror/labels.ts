import type { Mirror } from "./mirror.ts";
import type { Problem } from "../problem.ts";
import { DEFAULT_BRANCH_REF, LABELS_REF, type LocalRef } from "./refs.ts";
import type { TreeResult } from "../git/tree-walk.ts";
import type { Tree } from "../tree.ts";
import type { LoadedHistory } from "../loaded-history.ts";

export type LoadHistory = (tree: Tree) => Promise<LoadedHistory>;

/** What labels say at one commit: by label, a version or a commit. */
export type DeclaredLabels = ReadonlyMap<string, string>;

/** What they say since some moment, in milliseconds since 1970. */
export interface SaidLabels {
  readonly labels: DeclaredLabels;
  readonly at: number;
}

/** What labels say: whatever the tip of the default branch said last that could be understood. */
export interface Labels {
  readonly current: DeclaredLabels;
  /** What they said before and say now, oldest first, as far back as is looked at. */
  loadPast(): Promise<readonly SaidLabels[]>;
  /** Why the tip was not understood; empty when it was. */
  readonly problems: readonly Problem[];
  update(refs: ReadonlyMap<string, LocalRef>): Promise<void>;
}

/** Commits that changed versions.yaml and are looked at to learn where labels come from. */
export const MAX_PAST = 16;

export function createLabels(options: {
  readonly mirror: Mirror;
  readonly readTree: (commit: string) => Promise<TreeResult>;
  readonly loadHistory: LoadHistory;
  readonly onError: (error: unknown) => void;
}): Labels {
  const { mirror, readTree, loadHistory, onError } = options;
  let current: DeclaredLabels = new Map();
  let problems: readonly Problem[] = [];
  /** The commits that were looked at: `good` gave the labels, `tip` was the last. */
  let [good, tip]: (string | undefined)[] = [];
  let past: readonly SaidLabels[] | undefined;

  async function look(commit: string): Promise<boolean> {
    const read = await readTree(commit);
    const loaded = read.ok ? await loadHistory(read.tree) : read;
    problems = loaded.ok ? [] : loaded.problems;
    if (loaded.ok && !isSameLabels(current, loaded.history.labels)) current = loaded.history.labels;
    return loaded.ok;
  }

  async function loadPast(): Promise<readonly SaidLabels[]> {
    if (past?.at(-1)?.labels === current) return past;
    const newest = { labels: current, at: Infinity };
    if (good === undefined || current.size === 0) return [newest];
    const commits = await mirror.listChanging(good, "versions.yaml", MAX_PAST);
    const said = await Promise.all(commits.map(async ({ commit, at }) => ({ labels: await loadLabels(commit), at })));
    past = [...said.toReversed(), newest];
    return past;
  }

  async function loadLabels(commit: string): Promise<DeclaredLabels> {
    const read = await readTree(commit);
    const loaded = read.ok ? await loadHistory(read.tree) : read;
    return loaded.ok ? loaded.history.labels : new Map();
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
    loadPast,
    // What cannot be read at the moment is looked at again next time, and stops nothing else.
    update: (refs: ReadonlyMap<string, LocalRef>) => update(refs).catch(onError),
  });
}

export function isSameLabels(a: DeclaredLabels, b: DeclaredLabels): boolean {
  return a.size === b.size && [...a].every(([label, target]) => b.get(label) === target);
}
