import { LRUCache } from "lru-cache";
import type { Problem } from "../../problem.ts";
import { type Base, findBases, type FoundBases, type Measured } from "./bases.ts";
import { isQuarantined, type TaggedVersion, type VersionIndex } from "../version-index.ts";
import type { Verdict, Verdicts } from "../verdicts.ts";

/** Measure of the versions' numbers, by the versions that exist and the facts found about them. */
export interface Measure {
  /** Works it out for all versions; of an index that is new, for those that may be measured otherwise than before. */
  all(): void;
  /** Works it out for the version of a commit, and for all above it if ranges may go to it now and could not, or the reverse. */
  one(commit: string): void;
  /** Finds the versions that a number is measured against, as far as known. */
  findBases(measured: Measured, parents: readonly string[]): FoundBases;
  /** Checks that a version is served, and stays so while the versions below it stay. */
  isSettled(version: TaggedVersion): boolean;
  /** Notes whether one commit is in the history of another. */
  learn(older: string, newer: string, isAncestor: boolean): void;
}

export interface MeasureOptions {
  readonly index: () => VersionIndex;
  readonly verdicts: Verdicts;
  /** Hears of commits whose versions ranges may go to no more, or again. */
  readonly onChanged: (commit: string) => void;
  /** Hears of commits whose versions are settled, also of those that were. */
  readonly onSettled: (commit: string) => void;
}

const MAX_ANCESTRIES = 10_000;
const MAX_PREFIXES = 10_000;

export function createMeasure({ index, verdicts, onChanged, onSettled }: MeasureOptions): Measure {
  const ancestries = new LRUCache<string, boolean>({ max: MAX_ANCESTRIES });
  const prefixes = new LRUCache<string, readonly string[]>({ max: MAX_PREFIXES });
  let measured: VersionIndex | undefined;

  const surroundings = () => ({
    index: index(),
    mayServe: (version: TaggedVersion) => !version.deleted && !isQuarantined(version, verdicts.get(version.commit)),
    isAncestor: (older: string, newer: string) => ancestries.get(`${older} ${newer}`),
    findCommits,
  });

  function findCommits(prefix: string): readonly string[] {
    const known = prefixes.get(prefix);
    if (known !== undefined) return known;
    const { byCommit } = index();
    const found = byCommit.has(prefix) ? [prefix] : [...byCommit.keys()].filter((commit) => commit.startsWith(prefix));
    prefixes.set(prefix, found);
    return found;
  }

  const isSettled = (version: TaggedVersion) => {
    const verdict = verdicts.get(version.commit);
    return verdict?.ok === true && verdict.claim !== undefined && !isQuarantined(version, verdict);
  };

  /** Recomputes a version; true if ranges may go to it now and could not before, or the reverse. */
  function work(version: TaggedVersion): boolean {
    const verdict = verdicts.get(version.commit);
    if (verdict?.ok !== true || findSpokesman(index(), version.commit, verdict.semver) !== version) return false;
    const { bases, unknown } = findBases(version, verdict.parents ?? [], surroundings());
    const claim = unknown === undefined ? toClaim(verdict, bases, isSettled) : undefined;
    verdicts.setClaim(version.commit, { ...(claim && { claim }), isFirst: bases.length === 0 });
    if (claim?.length === 0) onSettled(version.commit);
    return isRefused(verdict.claim) !== isRefused(claim);
  }

  /** From a place in the index upwards, because each may be measured against those below it. */
  function workUp(from: number): void {
    const { versions } = index();
    const changed: string[] = [];
    for (let at = from; at >= 0; at -= 1) {
      const version = versions[at];
      if (version !== undefined && work(version)) changed.push(version.commit);
    }
    for (const commit of changed) onChanged(commit);
  }

  return Object.freeze<Measure>({
    all() {
      const now = index();
      const isNew = measured !== now;
      const same = measured === undefined || !isNew ? 0 : countSame(measured.versions, now.versions);
      if (isNew) prefixes.clear();
      measured = now;
      workUp(now.versions.length - 1 - same);
    },
    one(commit) {
      const verdict = verdicts.get(commit);
      const version = verdict?.ok === true ? findSpokesman(index(), commit, verdict.semver) : undefined;
      if (version === undefined || !work(version)) return;
      onChanged(commit);
      workUp(index().versions.indexOf(version) - 1);
    },
    findBases: (subject, parents) => findBases(subject, parents, surroundings()),
    isSettled,
    learn: (older, newer, isAncestor) => void ancestries.set(`${older} ${newer}`, isAncestor),
  });
}

/** Of several tags of a commit the one that the most rules are about, and so the commit's number is measured by. */
export function findSpokesman(index: VersionIndex, commit: string, semver: string): TaggedVersion | undefined {
  const own = index.byCommit.get(commit)?.filter((version) => version.semver === semver) ?? [];
  const standing = own.filter(({ deleted }) => !deleted);
  return standing.find(({ build }) => build === undefined) ?? standing[0] ?? own[0];
}

/** The name of a comparison among those that a verdict has. */
export function keyOf({ scope, version }: Base): string {
  return `${scope}:${version.commit}`;
}

/** Returns the claim of a number: without problems, or not known yet, unless one of its bases contradicts it. */
function toClaim(
  { compared = {} }: Verdict & { readonly ok: true },
  bases: readonly Base[],
  isSettled: (version: TaggedVersion) => boolean,
): readonly Problem[] | undefined {
  const problems = toProblems(bases, (key) => compared[key]);
  if (problems.length > 0) return problems;
  const isKnown = bases.every((base) => compared[keyOf(base)] !== undefined && isSettled(base.version));
  return isKnown ? problems : undefined;
}

/** Collects the problems found in comparisons with each base, with the reason for the comparison; each problem once. */
export function toProblems(
  bases: readonly Base[],
  compared: (key: string) => readonly Problem[] | undefined,
): readonly Problem[] {
  const problems = bases.flatMap((base) => (compared(keyOf(base)) ?? []).map((problem) => explain(problem, base)));
  const known = new Map(problems.map((problem) => [`${problem.file} ${problem.line} ${problem.message}`, problem]));
  return [...known.values()];
}

function explain(problem: Problem, { because, version }: Base): Problem {
  if (because === undefined || problem.rule !== "under-claimed") return problem;
  return { ...problem, message: `${problem.message} It is measured against ${version.name}: ${because}.` };
}

function isRefused(claim: readonly Problem[] | undefined): boolean {
  return claim !== undefined && claim.length > 0;
}

/** Counts the lowest versions of two indexes that agree in all facts by which numbers are measured. */
function countSame(before: readonly TaggedVersion[], after: readonly TaggedVersion[]): number {
  const isSame = (a: TaggedVersion | undefined, b: TaggedVersion | undefined) =>
    a !== undefined &&
    a.name === b?.name &&
    a.commit === b.commit &&
    a.createdAt === b.createdAt &&
    a.releasedAt === b.releasedAt &&
    a.deleted === b.deleted &&
    a.untrusted === b.untrusted;
  let same = 0;
  while (isSame(before.at(-1 - same), after.at(-1 - same))) same += 1;
  // Tags of one semver belong together, because one of them may speak for the others.
  const isSplit = () => same > 0 && after.at(-same)?.semver === after.at(-1 - same)?.semver;
  while (isSplit()) same -= 1;
  return same;
}
