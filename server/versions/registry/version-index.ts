import { type Announced, NOTHING_ANNOUNCED } from "../retirement/announced.ts";
import type { Alarms } from "../mirror/alarms.ts";
import type { Problem } from "../problem.ts";
import type { Alarm, ClaimState, VersionRecord, VersionState } from "../record.ts";
import { DEFAULT_BRANCH_REF, DEV_REF, type LocalRef } from "../mirror/refs.ts";
import { isTag, toTag } from "../mirror/sync-plan.ts";
import { toParent, type Verdict } from "./verdicts.ts";
import { type VersionName, compareNames, readTagName, readVersionName } from "../version-name.ts";

/** A version that a tag names. */
export interface TaggedVersion extends VersionName {
  readonly tag: string;
  readonly commit: string;
  readonly createdAt: number;
  /** Earliest time of the release: a tag is never older than its commit, whatever its date. */
  readonly releasedAt: number;
  readonly alarm?: Alarm;
  /** Gone upstream: kept for those who pinned it, and for nobody else. */
  readonly deleted: boolean;
  /** Object that the tag points at when that is no commit, so no version either. */
  readonly notACommit?: string;
  /** Reason not to trust the tag, where tags must be signed. */
  readonly untrusted?: string;
  /** True if the tag was served with this commit before, so that clients may have pinned it. */
  readonly wasServed: boolean;
}

interface PullRequestHead {
  readonly number: number;
  readonly commit: string;
  readonly createdAt: number;
}

/** Index of the versions at one moment; immutable, replaced as a whole. Built from refs alone. */
export interface VersionIndex {
  /** Highest precedence first, then newest first. */
  readonly versions: readonly TaggedVersion[];
  readonly byName: ReadonlyMap<string, TaggedVersion>;
  readonly bySemver: ReadonlyMap<string, readonly TaggedVersion[]>;
  readonly byCommit: ReadonlyMap<string, readonly TaggedVersion[]>;
  /** Newest first; heads that are tagged as well are not repeated here. */
  readonly pullRequests: readonly PullRequestHead[];
  /** Commits that some ref points at. */
  readonly tips: ReadonlySet<string>;
  readonly defaultCommit?: string;
  /** Label to what versions.yaml says that it means. */
  readonly labels: ReadonlyMap<string, string>;
  readonly announced: Announced;
  /** Tags upstream that could not be brought here yet, by version name, and why. */
  readonly missing: ReadonlyMap<string, string>;
}

export function createIndex(given: {
  readonly refs: ReadonlyMap<string, LocalRef>;
  readonly alarms: Alarms;
  readonly labels: ReadonlyMap<string, string>;
  /** Absent: nothing. */
  readonly announced?: Announced;
  /** By ref. */
  readonly failed: ReadonlyMap<string, string>;
  /** The commit that a tag was served with. */
  readonly servedAs?: (tag: string) => string | undefined;
}): VersionIndex {
  const versions: TaggedVersion[] = [];
  const heads: PullRequestHead[] = [];
  const tips = new Set<string>();
  for (const [ref, { target, type, createdAt, committedAt = createdAt, proposal, untrusted }] of given.refs) {
    if (isTag(ref)) {
      const name = readTagName(toTag(ref));
      const alarm = given.alarms.get(toTag(ref));
      if (name === undefined) continue;
      versions.push({
        ...name,
        tag: toTag(ref),
        commit: target,
        createdAt,
        releasedAt: Math.max(createdAt, committedAt),
        deleted: alarm?.kind === "deleted",
        wasServed: given.servedAs?.(toTag(ref)) === target,
        ...(alarm && { alarm }),
        ...(type !== "commit" && { notACommit: type }),
        ...(untrusted !== undefined && { untrusted }),
      });
    }
    if (proposal !== undefined && type === "commit") heads.push({ number: proposal, commit: target, createdAt });
    if (
      isTag(ref) ||
      proposal !== undefined ||
      ref.startsWith("refs/heads/") ||
      ref === DEFAULT_BRANCH_REF ||
      ref === DEV_REF
    ) {
      if (type === "commit") tips.add(target);
    }
  }
  versions.sort(compareVersions);
  const byCommit = groupBy(versions, ({ commit }) => commit);
  const defaultCommit = given.refs.get(DEFAULT_BRANCH_REF)?.target;
  return Object.freeze({
    versions,
    byName: new Map(versions.map((version) => [version.name, version])),
    bySemver: groupBy(versions, ({ semver }) => semver),
    byCommit,
    pullRequests: heads.filter(({ commit }) => !byCommit.has(commit)).sort((a, b) => b.number - a.number),
    tips,
    ...(defaultCommit !== undefined && { defaultCommit }),
    labels: given.labels,
    announced: given.announced ?? NOTHING_ANNOUNCED,
    missing: new Map(
      [...given.failed].flatMap(([ref, why]) => (isTag(ref) ? [[toTag(ref).replace(/^v/, ""), why] as const] : [])),
    ),
  });
}

/** Highest precedence first, then newest first. */
export function compareVersions(a: TaggedVersion, b: TaggedVersion): number {
  return b.parsed.compare(a.parsed) || b.createdAt - a.createdAt || compareNames(a, b);
}

/** Everything known of a tagged version, given what was found of its commit. */
export function toRecord(index: VersionIndex, version: TaggedVersion, verdict: Verdict | undefined): VersionRecord {
  const problems = problemsOf(version, verdict);
  const isRefused = problems.length > 0 && !isKept(version, verdict);
  const state: VersionState = isRefused ? "quarantined" : verdict === undefined ? "unverified" : "served";
  return Object.freeze({
    commit: version.commit,
    tag: version.tag,
    semver: version.semver,
    ...(version.build !== undefined && { build: version.build }),
    prerelease: version.prerelease,
    createdAt: new Date(version.createdAt).toISOString(),
    state,
    problems,
    alarms: version.alarm === undefined || isKnownDeleted(index, version) ? [] : [version.alarm],
    ...findDeprecated(index, version.semver),
    servers: state === "served" && verdict?.ok === true ? verdict.servers : [],
    claim: toClaimState(verdict),
    ...toParent(verdict),
    ...(verdict?.ok === true && verdict.accepts === true && { acceptsBreaks: true }),
    labels: isOutlived(index, version)
      ? []
      : [...index.labels].flatMap(([label, of]) => (means(of, version) ? [label] : [])),
  });
}

/**
 * Checks that a version's own name continues to answer although its number claims too little among the present versions:
 * it was served among others, or by other rules, and clients that pinned it must not notice. Ranges skip it.
 */
export function isKept(version: TaggedVersion, verdict: Verdict | undefined): boolean {
  const { wasServed, notACommit, untrusted, semver } = version;
  const isGood = notACommit === undefined && untrusted === undefined;
  return wasServed && isGood && verdict?.ok === true && verdict.semver === semver;
}

/** Checks that a tagged version is known to be broken, or to claim too little with its number; cheaper than its record. */
export function isQuarantined(version: TaggedVersion, verdict: Verdict | undefined): boolean {
  return (
    version.notACommit !== undefined ||
    version.untrusted !== undefined ||
    (verdict !== undefined && !(verdict.ok && verdict.semver === version.semver && !isUnderClaimed(verdict)))
  );
}

/** Checks that a version is quarantined for its commit; the state of its tag does not concern the commit. */
export function isOwnFault({ semver, notACommit, untrusted }: TaggedVersion, verdict: Verdict | undefined): boolean {
  if (verdict === undefined || notACommit !== undefined || untrusted !== undefined) return false;
  return !verdict.ok || (verdict.semver === semver && isUnderClaimed(verdict));
}

/** The record of a commit that no tag names; `good`: what it is where nothing is wrong with it. */
export function toCommitRecord(
  commit: { readonly commit: string; readonly createdAt: number; readonly pullRequest?: number },
  verdict: Verdict | undefined,
  good: "served" | "preview" | "unserved",
): VersionRecord {
  const semver = verdict?.ok === true ? verdict.semver : undefined;
  return Object.freeze({
    commit: commit.commit,
    ...(semver !== undefined && { semver }),
    prerelease: semver !== undefined && readVersionName(semver)?.prerelease === true,
    createdAt: new Date(commit.createdAt).toISOString(),
    state: verdict === undefined ? "unverified" : verdict.ok ? good : "quarantined",
    problems: verdict?.ok === false ? verdict.problems : [],
    alarms: [],
    labels: [],
    servers: verdict?.ok === true && good !== "unserved" ? verdict.servers : [],
    claim: toClaimState(verdict),
    ...toParent(verdict),
    ...(commit.pullRequest !== undefined && { pullRequest: commit.pullRequest }),
  });
}

/** Checks that another tag is what labels with the number of a deleted tag mean. */
function isOutlived({ bySemver }: VersionIndex, { deleted, semver }: TaggedVersion): boolean {
  return deleted && bySemver.get(semver)?.some((other) => !other.deleted) === true;
}

/** Checks that a tag is gone upstream on purpose. */
export function isKnownDeleted({ announced }: VersionIndex, { deleted, semver }: TaggedVersion): boolean {
  return deleted && announced.deletedTags.has(semver);
}

/** Finds what the default branch says of the end of a version; nothing to add to its record where it says nothing. */
export function findDeprecated({ announced }: VersionIndex, semver = ""): Pick<VersionRecord, "deprecated"> {
  const deprecated = announced.deprecations.get(semver);
  return deprecated === undefined ? {} : { deprecated };
}

/** Lists reasons why a tag is not served although its commit may be: the tag has to match the commit's own number. */
function problemsOf(version: TaggedVersion, verdict: Verdict | undefined): readonly Problem[] {
  const { tag, notACommit, untrusted, semver } = version;
  const at = { file: "versions.yaml", line: 1, column: 1 };
  if (notACommit !== undefined) {
    const message = `The tag \`${tag}\` points at a ${notACommit}, not at a commit.`;
    return [{ ...at, rule: "tag-not-a-commit", message, fix: "Tag the commit, under a new version." }];
  }
  if (untrusted !== undefined) {
    const message = `The tag \`${tag}\` ${untrusted}.`;
    const fix = "Release it under a new version, signed with a key that the service's operator has listed.";
    return [{ ...at, rule: "tag-untrusted", message, fix }];
  }
  if (verdict === undefined) return [];
  if (!verdict.ok) return verdict.problems;
  if (verdict.semver === semver) return verdict.claim ?? [];
  const message = `The tag \`${tag}\` names version \`${semver}\`, but \`current\` is \`${verdict.semver}\` at this commit.`;
  const fix = `Tag it \`v${verdict.semver}\`, or release a commit whose \`current\` is \`${semver}\`.`;
  return [{ ...at, rule: "tag-mismatch", message, fix }];
}

function isUnderClaimed(verdict: Verdict): boolean {
  return verdict.ok && verdict.claim !== undefined && verdict.claim.length > 0;
}

function toClaimState(verdict: Verdict | undefined): ClaimState {
  if (verdict?.ok !== true) return "unproven";
  if (verdict.claim === undefined) return "unproven";
  if (isUnderClaimed(verdict)) return "under-claimed";
  return verdict.isFirst === true ? "first" : "proven";
}

/** Checks that a label's declaration means this version: its name, or the beginning of its commit. */
function means(target: string, version: TaggedVersion): boolean {
  return target === version.name || (/^[0-9a-f]{7,}$/.test(target) && version.commit.startsWith(target));
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(items, key);
}
