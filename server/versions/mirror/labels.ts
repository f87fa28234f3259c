import { isDeepStrictEqual } from "node:util";
import { type Announced, NOTHING_ANNOUNCED, toAnnounced } from "../retirement/announced.ts";
import type { LoadedHistory } from "../loaded-history.ts";
import type { Problem } from "../problem.ts";
import type { Tree } from "../tree.ts";
import type { DatedCommit } from "../git/history.ts";
import type { TreeResult } from "../git/tree-walk.ts";
import { type Followed, followTip, type Reading } from "./follow-tip.ts";
import type { Mirror } from "./mirror.ts";
import { LABELS_REF, type LocalRef } from "./refs.ts";

export type LoadHistory = (tree: Tree) => Promise<LoadedHistory>;

/** Labels at one commit: for each label a version or a commit. */
export type DeclaredLabels = ReadonlyMap<string, string>;

/** Labels since some moment, in milliseconds since 1970. */
export interface SaidLabels {
  readonly labels: DeclaredLabels;
  readonly at: number;
}

/**
 * Versions or ids of commits by label, as the tip of the default branch said last that could be understood. Problems also
 * name labels whose version or commit is not there.
 */
export interface Labels extends Followed<DeclaredLabels> {
  /** Announcements of the tip about versions, as far as it could be understood last. */
  readonly announced: Announced;
  /** Loads earlier and present labels, oldest first, as far back as the limit. */
  loadPast(): Promise<readonly SaidLabels[]>;
}

/** Declarations for the service in versions.yaml of one commit. */
interface Declared {
  readonly labels: DeclaredLabels;
  readonly announced: Announced;
}

type Refs = ReadonlyMap<string, LocalRef>;

const COMMIT = /^[0-9a-f]{7,64}$/;
/** File with the labels. */
export const LABELS_FILE = "versions.yaml";
/** Commits that changed it and are looked at to learn where labels come from. */
export const MAX_PAST = 16;

interface LabelsOptions {
  readonly readTree: (commit: string) => Promise<TreeResult>;
  readonly loadHistory: LoadHistory;
}

export function createLabels(options: LabelsOptions & { readonly mirror: Mirror }): Labels {
  const { mirror } = options;
  const written = followTip<Declared>({
    mirror,
    ref: LABELS_REF,
    path: LABELS_FILE,
    none: { labels: new Map(), announced: NOTHING_ANNOUNCED },
    read: (commit) => readDeclared(options, commit),
    join: (good) => good,
    isSame: isDeepStrictEqual,
  });
  let current: DeclaredLabels = new Map();
  let refs: Refs = new Map();
  let past: readonly SaidLabels[] | undefined;
  let problems: readonly Problem[] = [];

  async function findDangling(): Promise<readonly Problem[]> {
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

  return Object.freeze<Labels>({
    get source() {
      return written.source;
    },
    get current() {
      return current;
    },
    get announced() {
      return written.current.announced;
    },
    get problems() {
      return problems;
    },
    /** Updates the labels: the versions that they name may come and go without a new commit of them. */
    async update(now: Refs) {
      await written.update(now);
      refs = now;
      const meant = toCommits(written.current.labels, refs);
      if (!isDeepStrictEqual(current, meant)) current = meant;
      const found = [...written.problems, ...(await findDangling())];
      if (!isDeepStrictEqual(problems, found)) problems = found;
    },
    async loadPast() {
      if (past?.at(-1)?.labels === current) return past;
      const newest = { labels: current, at: Infinity };
      if (written.source === undefined || current.size === 0) return [newest];
      const said = await loadSaid(await mirror.listChanges(written.source, LABELS_FILE, MAX_PAST), options);
      past = [...said.map(({ labels, at }) => ({ labels: toCommits(labels, refs), at })), newest];
      return past;
    },
  });
}

/**
 * Loads the labels at some commits, given newest first; returns them oldest first, without any for a commit that was not
 * understood.
 */
export async function loadSaid(
  commits: readonly DatedCommit[],
  options: LabelsOptions,
): Promise<readonly SaidLabels[]> {
  const said = commits.map(async ({ commit, at }) => ({
    labels: (await readDeclared(options, commit)).value.labels,
    at,
  }));
  return (await Promise.all(said)).toReversed();
}

async function readDeclared({ readTree, loadHistory }: LabelsOptions, commit: string): Promise<Reading<Declared>> {
  const read = await readTree(commit);
  const loaded = read.ok ? await loadHistory(read.tree) : read;
  if (!loaded.ok) {
    return { value: { labels: new Map(), announced: NOTHING_ANNOUNCED }, problems: loaded.problems };
  }
  const { history } = loaded;
  return { value: { labels: history.labels, announced: toAnnounced(history) }, problems: [] };
}

/** An annotated tag has an id of its own, which `git rev-parse v1.0.0` prints: what it is a tag of is meant. */
function toCommits(labels: DeclaredLabels, refs: Refs): DeclaredLabels {
  return new Map([...labels].map(([label, target]) => [label, toCommit(target, refs)]));
}

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
