import type { LoadedHistory } from "../loaded-history.ts";
import type { Tree } from "../tree.ts";
import type { DatedCommit } from "../git/history.ts";
import type { TreeResult } from "../git/tree-walk.ts";
import { type Followed, followTip, type Reading } from "./follow-tip.ts";
import type { Mirror } from "./mirror.ts";
import { LABELS_REF } from "./refs.ts";

export type LoadHistory = (tree: Tree) => Promise<LoadedHistory>;

/** What labels say at one commit: by label, a version or a commit. */
export type DeclaredLabels = ReadonlyMap<string, string>;

/** What they say since some moment, in milliseconds since 1970. */
export interface SaidLabels {
  readonly labels: DeclaredLabels;
  readonly at: number;
}

/** What labels say: whatever the tip of the default branch said last that could be understood. */
export interface Labels extends Followed<DeclaredLabels> {
  /** What they said before and say now, oldest first, as far back as is looked at. */
  loadPast(): Promise<readonly SaidLabels[]>;
}

/** Where labels are. */
export const LABELS_FILE = "versions.yaml";
/** Commits that changed it and are looked at to learn where labels come from. */
export const MAX_PAST = 16;

interface LabelsOptions {
  readonly readTree: (commit: string) => Promise<TreeResult>;
  readonly loadHistory: LoadHistory;
}

export function createLabels(options: LabelsOptions & { readonly mirror: Mirror }): Labels {
  const { mirror } = options;
  const followed = followTip<DeclaredLabels>({
    mirror,
    ref: LABELS_REF,
    path: LABELS_FILE,
    none: new Map(),
    read: (commit) => readLabels(options, commit),
    join: (good) => good,
    isSame: isSameLabels,
  });
  let past: readonly SaidLabels[] | undefined;

  return Object.freeze<Labels>({
    get current() {
      return followed.current;
    },
    get source() {
      return followed.source;
    },
    get problems() {
      return followed.problems;
    },
    update: followed.update,
    async loadPast() {
      const { current, source } = followed;
      if (past?.at(-1)?.labels === current) return past;
      const newest = { labels: current, at: Infinity };
      if (source === undefined || current.size === 0) return [newest];
      past = [...(await loadSaid(await mirror.listChanges(source, LABELS_FILE, MAX_PAST), options)), newest];
      return past;
    },
  });
}

/** What labels said at some commits, which are given newest first; oldest first. Where one is not understood, none. */
export async function loadSaid(
  commits: readonly DatedCommit[],
  options: LabelsOptions,
): Promise<readonly SaidLabels[]> {
  const said = commits.map(async ({ commit, at }) => ({ labels: (await readLabels(options, commit)).value, at }));
  return (await Promise.all(said)).toReversed();
}

async function readLabels({ readTree, loadHistory }: LabelsOptions, commit: string): Promise<Reading<DeclaredLabels>> {
  const read = await readTree(commit);
  const loaded = read.ok ? await loadHistory(read.tree) : read;
  return loaded.ok ? { value: loaded.history.labels, problems: [] } : { value: new Map(), problems: loaded.problems };
}

export function isSameLabels(a: DeclaredLabels, b: DeclaredLabels): boolean {
  return a.size === b.size && [...a].every(([label, target]) => b.get(label) === target);
}
