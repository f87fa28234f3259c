import { CairnError } from "../../../errors.ts";
import type { Git } from "../../git/git.ts";
import { createGitTrees } from "../../git/git-tree.ts";
import { isAncestor, listChanges } from "../../git/history.ts";
import { type ObjectReader, openObjectReader } from "../../git/object-reader.ts";
import { LABELS_FILE, loadSaid, MAX_PAST } from "../../mirror/labels.ts";
import { listLocalRefs } from "../../mirror/refs.ts";
import { isTag, toTag } from "../../mirror/sync-plan.ts";
import type { Loader } from "../../load-version.ts";
import type { Problem } from "../../problem.ts";
import { type Readable, readTextOf } from "../../read-text-of.ts";
import type { Version } from "../../version.ts";
import { type Candidate, type Claims, createClaims, type Judgement } from "./claims.ts";
import type { JudgeClaim } from "./compare-bases.ts";
import { judgeLabels } from "../label-moves.ts";
import { createVerdicts } from "../verdicts.ts";
import { createVersionCache } from "../version-cache.ts";
import { createIndex, toRecord, type VersionIndex } from "../version-index.ts";

/** Judges versions of a repository that nobody serves from here, by its tags as they are now: as a service would. */
export interface RepositoryJudge {
  readonly index: VersionIndex;
  /** `tip`: the commit that labels are moved from. */
  judge(candidate: Candidate, tip: string | undefined): Promise<Judgement>;
  /** Lists what is wrong with the labels of a version, which are moved from `tip`. */
  judgeMoves(version: Version, tip: string | undefined): Promise<readonly Problem[]>;
  findBases: Claims["findBases"];
  /** Loads the version of a commit; undefined where it makes none. */
  load(commit: string): Promise<Version | undefined>;
  /** Loads the version of a commit with its files. Rejects with VERSION_QUARANTINED where it makes none. */
  loadReadable(commit: string): Promise<Readable>;
  /** Lists the reasons why a tag is not served; empty when it is. */
  judgeTag(tag: string): Promise<readonly Problem[]>;
  close(): void;
}

export interface JudgeOptions {
  readonly git: Git;
  readonly gitDir: string;
  readonly loader: Loader;
  readonly judge: JudgeClaim;
  /** Filter of the tags that count; absent: all do. */
  readonly isCounted?: (tag: string) => boolean;
}

/** More than a service looks at before it answers: nothing here looks at the rest later. */
const LOOK_BACK = 256;
const MAX_OPEN = 16;

export async function openJudge(options: JudgeOptions): Promise<RepositoryJudge> {
  const objects = openObjectReader(options.git, options.gitDir);
  try {
    return await createJudge(options, objects);
  } catch (error) {
    objects.close();
    throw error;
  }
}

async function createJudge(
  { git, gitDir, loader, judge, isCounted }: JudgeOptions,
  objects: ObjectReader,
): Promise<RepositoryJudge> {
  const run = (args: readonly string[]) => git.run([`--git-dir=${gitDir}`, ...args]);
  const readTree = createGitTrees(objects);
  const refs = await listLocalRefs(run, objects, ["refs/tags/"]);
  if (isCounted !== undefined)
    for (const ref of refs.keys()) if (isTag(ref) && !isCounted(toTag(ref))) refs.delete(ref);
  const index = createIndex({ refs, alarms: new Map(), labels: new Map(), failed: new Map() });
  const verdicts = createVerdicts();
  const cache = createVersionCache({
    max: MAX_OPEN,
    readTree,
    load: loader.load,
    verdicts,
    onVerdict: () => undefined,
  });
  const claims = createClaims({
    index: () => index,
    cache,
    verdicts,
    readTree,
    isAncestor: (older, newer) => isAncestor(run, older, newer),
    judge,
    lookBack: LOOK_BACK,
    onChanged: () => undefined,
    onSettled: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  claims.measure();

  async function findCommit(prefix: string): Promise<string | undefined> {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${prefix}^{commit}`];
    return (await run(args).catch(() => "")).trim() || undefined;
  }

  async function judgeMoves(version: Version, tip: string | undefined): Promise<readonly Problem[]> {
    const isMoved = tip !== undefined && version.history.labels.size > 0;
    const commits = isMoved ? await listChanges(run, tip, LABELS_FILE, MAX_PAST) : [];
    const past = await loadSaid(commits, { readTree, loadHistory: loader.loadHistory });
    return judgeLabels(past, version, { ...claims, index, findCommit });
  }

  return Object.freeze<RepositoryJudge>({
    index,
    async judge(candidate, tip) {
      const judgement = await claims.judge(candidate);
      const problems = await judgeMoves(candidate.version, tip);
      return { ...judgement, problems: [...judgement.problems, ...problems] };
    },
    judgeMoves,
    findBases: claims.findBases,
    async load(commit) {
      const loaded = await cache.look(commit);
      return loaded.ok ? loaded.version : undefined;
    },
    async loadReadable(commit) {
      const [loaded, read] = await Promise.all([cache.look(commit), readTree(commit)]);
      if (loaded.ok && read.ok) {
        return { version: loaded.version, readText: (file) => readTextOf(read.tree, file) };
      }
      throw new CairnError("VERSION_QUARANTINED", `\`${commit}\` is no valid version.`);
    },
    async judgeTag(tag) {
      const version = index.byName.get(tag.slice(1));
      if (version === undefined) return [];
      await claims.isServed(version);
      return toRecord(index, version, verdicts.get(version.commit)).problems;
    },
    close: objects.close,
  });
}
