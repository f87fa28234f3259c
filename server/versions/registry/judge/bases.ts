import { readVersionName, type VersionName } from "../../version-name.ts";
import type { Version } from "../../version.ts";
import type { TaggedVersion, VersionIndex } from "../version-index.ts";

/**
 * Scope of the measured numbers: those of the tree and of its tools; that of the tree alone, for ranges; or that of the
 * tree as far as it hides a break, for labels that people move.
 */
export type Scope = "all" | "tree" | "label";

/** A version whose number is measured; `releasedAt` in milliseconds since 1970, infinite for one that has no tag yet. */
export interface Measured extends Pick<VersionName, "semver" | "build" | "prerelease" | "parsed"> {
  readonly commit: string;
  readonly releasedAt: number;
}

/** A version that another one is measured against, and why. */
export interface Base {
  readonly version: TaggedVersion;
  readonly scope: Scope;
  /** In words, for whoever is told what came of it; absent for the parent that versions.yaml names. */
  readonly because?: string;
}

const COMMIT = /^[0-9a-f]{7,64}$/;
/** Ancestors that are looked at; beyond them the highest release below has to do. */
const MAX_PARENTS = 16;

/** Known facts about the other versions. */
export interface Surroundings {
  readonly index: VersionIndex;
  /** Checks that others may be measured against a version: its tag stands, and no known fact speaks against it. */
  readonly mayServe: (version: TaggedVersion) => boolean;
  /** Checks that one commit is in the history of another; undefined while git has not been asked. */
  readonly isAncestor: (older: string, newer: string) => boolean | undefined;
  /** The tagged commits that begin so. */
  readonly findCommits: (prefix: string) => readonly string[];
}

export interface FoundBases {
  readonly bases: readonly Base[];
  /** Commits of which it has to be known first whether the one is in the history of the other. */
  readonly unknown?: { readonly older: string; readonly newer: string };
}

/** Walks up the versions and commits that a version was made from by its own versions.yaml, nearest first. */
export function* walkParents({
  semver,
  history: { versions },
}: Pick<Version, "semver" | "history">): Generator<string> {
  for (let name = versions.get(semver)?.parent; name !== undefined; name = versions.get(name)?.parent) yield name;
}

/** Lists the nearest of them, as many as a number is measured against. */
export function listParents(version: Pick<Version, "semver" | "history">): readonly string[] {
  return walkParents(version).take(MAX_PARENTS).toArray();
}

/**
 * Those of a version's parents that it may be measured against. Pre-releases are passed over, which promise nothing to what
 * comes after them (semver.org, 9.); where there is nothing else, the first one is left.
 */
function listReleases(parents: readonly string[]): readonly string[] {
  const releases = parents.filter((name) => readVersionName(name)?.prerelease !== true);
  return releases.length > 0 ? releases : parents.slice(-1);
}

/**
 * The versions that a number is measured against, all lower ones that came before: the nearest served one of those that the
 * version was made from (`named`, nearest first), or else the highest served release; and the served release that ranges
 * such as `^` and `~` would move from. Each is there once. docs/semver.md has the rule in words.
 */
export function findBases(
  measured: Measured,
  named: readonly string[],
  { index, mayServe, isAncestor, findCommits }: Surroundings,
): FoundBases {
  const parents = listReleases(named);
  let unknown: FoundBases["unknown"];

  /** Clocks differ, so what a commit has in its history came before it, whatever their dates say. */
  function cameBefore(version: TaggedVersion): boolean {
    if (version.releasedAt <= measured.releasedAt) return true;
    const known = isAncestor(version.commit, measured.commit);
    if (known === undefined) unknown ??= { older: version.commit, newer: measured.commit };
    return known === true;
  }

  const isBelow = (version: TaggedVersion) => version.parsed.compare(measured.parsed) < 0 && mayServe(version);

  /**
   * Checks that the version is dated before all its parents, which is impossible. Such a date would hide from the proof
   * the versions released since, so it is ignored. One older parent is enough to believe the date: the number of another
   * may have been released later, or again.
   */
  function isMisdated(): boolean {
    const served = parents.flatMap((name) => findNamed(index, name, findCommits, isBelow) ?? []);
    return served.length > 0 && !served.some(cameBefore);
  }

  const hasNoDate = isMisdated();
  const isBase = (version: TaggedVersion) => isBelow(version) && (hasNoDate || cameBefore(version));

  function findParent(): Base | undefined {
    for (const [at, name] of parents.entries()) {
      const version = findNamed(index, name, findCommits, isBase);
      if (version === undefined) continue;
      if (name === named[0]) return { version, scope: "all" };
      const why = at > 0 ? tellPassed(parents.slice(0, at)) : `its parent \`${named[0]}\` is a pre-release`;
      return { version, scope: "all", because: `${why}, and this is the nearest served release that it came from` };
    }
    const version = findBelow(index, measured, isBase);
    const why = parents.length === 0 ? "it names no parent" : tellPassed(parents);
    return version && { version, scope: "all", because: `${why}, and this is the highest served release below it` };
  }

  const parent = findParent();
  const neighbour = findBelow(index, measured, (version) => !fitsSameRange(version, measured) || isBase(version));
  const bases = parent === undefined ? [] : [parent];
  if (neighbour !== undefined && measured.build === undefined && fitsSameRange(neighbour, measured)) {
    const because = `ranges such as \`^${neighbour.semver}\` would move from there to it`;
    if (neighbour.commit !== parent?.version.commit) bases.push({ version: neighbour, scope: "tree", because });
  }
  return { bases, ...(unknown && { unknown }) };
}

/** The highest release below another version that will do. */
function findBelow(
  index: VersionIndex,
  { parsed }: Measured,
  willDo: (version: TaggedVersion) => boolean,
): TaggedVersion | undefined {
  const { versions } = index;
  for (let at = findPlace(versions, parsed); at < versions.length; at += 1) {
    const version = versions[at];
    if (version !== undefined && !version.prerelease && version.build === undefined && willDo(version)) return version;
  }
  return undefined;
}

/** The place of the first version that is lower. */
function findPlace(versions: readonly TaggedVersion[], parsed: VersionName["parsed"]): number {
  let [from, to] = [0, versions.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((versions[middle]?.parsed.compare(parsed) ?? -1) < 0) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Checks that ranges may lead from one version to the other without a number for a major change between them. */
function fitsSameRange({ parsed: a }: TaggedVersion, { parsed: b }: Measured): boolean {
  return a.major === b.major && (a.major > 0 || a.minor === b.minor);
}

/** The version that versions.yaml means by the name of a parent, a semver or a commit, among those that will do. */
function findNamed(
  index: VersionIndex,
  name: string,
  findCommits: Surroundings["findCommits"],
  willDo: (version: TaggedVersion) => boolean,
): TaggedVersion | undefined {
  const same = index.bySemver.get(name)?.filter(willDo) ?? [];
  const plain = same.find(({ build }) => build === undefined);
  if (plain !== undefined || same.length > 0) {
    return plain ?? (same.every(({ commit }) => commit === same[0]?.commit) ? same[0] : undefined);
  }
  const [commit = "", ...others] = COMMIT.test(name) ? findCommits(name) : [];
  return others.length > 0 ? undefined : index.byCommit.get(commit)?.find(willDo);
}

function tellPassed(names: readonly string[]): string {
  const all = names.map((name) => `\`${name}\``).join(", ");
  return names.length === 1 ? `its parent ${all} is not served` : `its ancestors ${all} are not served`;
}
