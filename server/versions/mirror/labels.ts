import { isDeepStrictEqual } from "node:util";
import type { LoadedHistory } from "../loaded-history.ts";
import type { Mirror } from "./mirror.ts";
import type { Problem } from "../problem.ts";
import { DEFAULT_BRANCH_REF, LABELS_REF, type LocalRef } from "./refs.ts";
import type { TreeResult } from "../git/tree-walk.ts";
import type { Tree } from "../tree.ts";

export type LoadHistory = (tree: Tree) => Promise<LoadedHistory>;

/** What labels mean: whatever the tip of the default branch said last that could be understood. */
export interface Labels {
  /** Label to a version or the id of a commit. */
  readonly current: ReadonlyMap<string, string>;
  /** Why the tip was not understood, and which labels name what is not there; empty when all is well. */
  readonly problems: readonly Problem[];
  update(refs: Refs): Promise<void>;
}

type Refs = ReadonlyMap<string, LocalRef>;

const COMMIT = /^[0-9a-f]{7,64}$/;

export function createLabels(options: {
  readonly mirror: Mirror;
  readonly readTree: (commit: string) => Promise<TreeResult>;
  readonly loadHistory: LoadHistory;
  /** Hears of other problems than before. */
  readonly emit: (event: { readonly kind: "label-problems"; readonly problems: readonly Problem[] }) => void;
  readonly onError: (error: unknown) => void;
}): Labels {
  const { mirror, readTree, loadHistory, emit, onError } = options;
  /** As they were written. */
  let written: ReadonlyMap<string, string> = new Map();
  let current: ReadonlyMap<string, string> = written;
  let misread: readonly Problem[] = [];
  let problems: readonly Problem[] = [];
  /** The commits that were looked at: `good` gave the labels, `tip` was the last. */
  let [good, tip]: (string | undefined)[] = [];

  async function look(commit: string): Promise<boolean> {
    const read = await readTree(commit);
    const loaded = read.ok ? await loadHistory(read.tree) : read;
    misread = loaded.ok ? [] : loaded.problems;
    if (loaded.ok) written = loaded.history.labels;
    return loaded.ok;
  }

  async function readTip(refs: Refs): Promise<void> {
    // A restart begins with what was good before it.
    const remembered = refs.get(LABELS_REF)?.target;
    if (good === undefined && remembered !== undefined && (await look(remembered))) good = remembered;
    const next = refs.get(DEFAULT_BRANCH_REF)?.target;
    if (next === undefined || next === tip) return;
    if (next === good) {
      misread = [];
    } else if (await look(next)) {
      good = next;
      await mirror.writeRefs("update", [{ ref: LABELS_REF, oid: next }]);
    }
    tip = next;
  }

  /** What labels name may come and go without their being written anew. */
  async function update(refs: Refs): Promise<void> {
    await readTip(refs);
    const meant = new Map([...written].map(([label, target]) => [label, toCommit(target, refs)]));
    if (!isDeepStrictEqual(current, meant)) current = meant;
    const found = [...misread, ...(await findDangling(meant, refs))];
    if (isDeepStrictEqual(problems, found)) return;
    problems = found;
    emit({ kind: "label-problems", problems });
  }

  async function findDangling(meant: ReadonlyMap<string, string>, refs: Refs): Promise<readonly Problem[]> {
    const dangling: Problem[] = [];
    for (const [label, target] of meant) {
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
    // What cannot be read at the moment is looked at again next time, and stops nothing else.
    update: (refs: Refs) => update(refs).catch(onError),
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
