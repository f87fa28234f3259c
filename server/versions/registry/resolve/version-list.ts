import type { VersionRecord } from "../../record.ts";
import { isUnproven } from "../judge/claims.ts";
import type { Standings } from "../standings.ts";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import type { VersionCache } from "../version-cache.ts";
import { type VersionIndex, isKept, isQuarantined, toCommitRecord, toRecord } from "../version-index.ts";
import type { Verdict, Verdicts } from "../verdicts.ts";

export interface VersionQuery {
  readonly limit: number;
  readonly offset: number;
  /** Also quarantined versions, prereleases and pull request heads. */
  readonly includeUnstable?: boolean;
  /** Heads of pull requests, and nothing else. */
  readonly onlyPullRequests?: boolean;
  /** Milliseconds since 1970: only versions made after. */
  readonly since?: number;
}

export interface VersionPage {
  readonly versions: readonly VersionRecord[];
  /** All that fit the query; falls when one that nobody had looked at turns out broken. */
  readonly total: number;
  /** Number of those that are tagged and answer, as far as known. */
  readonly served: number;
}

/** A line of the listing: the commit to look at and how to tell what is known of it. */
interface Line {
  readonly commit: string;
  readonly createdAt: number;
  readonly isTagged: boolean;
  readonly toRecord: (verdict: Verdict | undefined, good: "served" | "preview" | "unserved") => VersionRecord;
  readonly isQuarantined: (verdict: Verdict | undefined) => boolean;
  readonly isServed: (verdict: Verdict | undefined) => boolean;
}

const MAX_LIMIT = 1_000;
const CONCURRENCY = 8;

/**
 * One page of the versions, highest precedence first and pull requests last. Everything on it has been looked at, so a
 * broken or under-claimed version never shows as a good one. A commit that cannot be read at the moment stays
 * `unverified`, and one that cannot be compared with what it was made from `unproven`.
 */
export async function listVersions(
  context: {
    readonly index: VersionIndex;
    readonly cache: VersionCache;
    readonly verdicts: Verdicts;
    /** See `Claims.prove`. */
    readonly prove: (commit: string) => Promise<void>;
    readonly standings: Pick<Standings, "findLedTo" | "findTriable">;
  },
  query: VersionQuery,
): Promise<VersionPage> {
  const { cache, verdicts, prove, standings } = context;
  const lines = linesOf(context.index, query);
  const unreadable = new Set<string>();
  const tried = new Set<string>();
  const fits = (line: Line) => query.includeUnstable === true || !line.isQuarantined(verdicts.get(line.commit));
  const from = Math.max(0, Math.trunc(query.offset));
  const count = Math.min(MAX_LIMIT, Math.max(0, Math.trunc(query.limit)));
  for (;;) {
    const fitting = lines.filter(fits);
    const page = fitting.slice(from, from + count);
    const unknown = page.filter(
      (line) =>
        verdicts.get(line.commit) === undefined && !line.isQuarantined(undefined) && !unreadable.has(line.commit),
    );
    const unproven = page.filter(({ commit }) => isUnproven(verdicts.get(commit)) && !tried.has(commit));
    if (unknown.length === 0 && unproven.length === 0) {
      const untagged = page.filter(({ isTagged }) => !isTagged).map(({ commit }) => commit);
      const heads = [...new Set(untagged)];
      const none = new Set<string>();
      const ledTo = heads.length === 0 ? none : await standings.findLedTo(heads);
      const triable = heads.length === 0 ? none : await standings.findTriable(heads);
      const toGood = (commit: string) =>
        ledTo.has(commit) ? "served" : triable.has(commit) ? "preview" : ("unserved" as const);
      const versions = page.map((line) => line.toRecord(verdicts.get(line.commit), toGood(line.commit)));
      const served = fitting.filter((line) => line.isServed(verdicts.get(line.commit))).length;
      return { versions, total: fitting.length, served };
    }
    await forEachConcurrently([...new Set(unknown.map(({ commit }) => commit))], CONCURRENCY, async (commit) => {
      await cache.verify(commit).catch(() => unreadable.add(commit));
    });
    for (const { commit } of unproven) tried.add(commit);
    await forEachConcurrently([...new Set(unproven.map(({ commit }) => commit))], CONCURRENCY, prove);
  }
}

function linesOf(index: VersionIndex, query: VersionQuery): readonly Line[] {
  const { onlyPullRequests = false, includeUnstable = onlyPullRequests, since = -Infinity } = query;
  const tagged = index.versions
    .filter((version) => !version.deleted && (includeUnstable || !version.prerelease))
    .map((version) => ({
      commit: version.commit,
      createdAt: version.createdAt,
      isTagged: true,
      isQuarantined: (verdict: Verdict | undefined) => isQuarantined(version, verdict),
      isServed: (verdict: Verdict | undefined) => !isQuarantined(version, verdict) || isKept(version, verdict),
      toRecord: (verdict: Verdict | undefined) => toRecord(index, version, verdict),
    }));
  const pulls = index.pullRequests.map((pull) => ({
    ...pull,
    isTagged: false,
    isQuarantined: (verdict: Verdict | undefined) => verdict?.ok === false,
    isServed: () => false,
    toRecord: (verdict: Verdict | undefined, good: "served" | "preview" | "unserved") =>
      toPullRecord(index, { ...pull, pullRequest: pull.number }, verdict, good),
  }));
  return [...(onlyPullRequests ? [] : tagged), ...(includeUnstable ? pulls : [])].filter(
    ({ createdAt }) => createdAt > since,
  );
}

/** Makes the record of a head. One that still has the number of a release was made from that. */
function toPullRecord(index: VersionIndex, ...given: Parameters<typeof toCommitRecord>): VersionRecord {
  const record = toCommitRecord(...given);
  const { semver = "" } = record;
  return index.byName.has(semver) ? Object.freeze({ ...record, parent: semver }) : record;
}
