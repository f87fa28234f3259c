import { CairnError } from "../../../errors.ts";
import type { Commits } from "../commits.ts";
import { assertHere, type LookForVersion } from "./assert-here.ts";
import type { VersionRecord } from "../../record.ts";
import {
  toNoneFits,
  versionAmbiguous,
  versionNotFound,
  versionNotServed,
  versionQuarantined,
  versionUnreadable,
} from "./resolve-errors.ts";
import { type Segment, readSegment } from "./segment.ts";
import { type Selection, select } from "./select.ts";
import type { Standings } from "../standings.ts";
import type { Retirements } from "../retirements.ts";
import type { VersionCache } from "../version-cache.ts";
import {
  findDeprecated,
  isKept,
  isOwnFault,
  isQuarantined,
  type TaggedVersion,
  toCommitRecord,
  toRecord,
  type VersionIndex,
} from "../version-index.ts";
import type { Verdicts } from "../verdicts.ts";
import type { Version } from "../../version.ts";

export interface Resolved {
  readonly version: Version;
  readonly record: VersionRecord;
  /** True if the address will answer with this commit for ever. */
  readonly immutable: boolean;
}

/** A version that an address means, whether it is served or not. */
export interface Found {
  readonly record: VersionRecord;
  readonly immutable: boolean;
  /** Under a ceiling unless it is served; absent when a quarantined tag was named, or the commit makes no version. */
  readonly version?: Version;
}

export interface ResolveContext extends LookForVersion {
  readonly dev: () => string | undefined;
  readonly cache: VersionCache;
  readonly verdicts: Verdicts;
  readonly standings: Standings;
  readonly commits: Commits;
  readonly retirements: Pick<Retirements, "isOver">;
  readonly staleSince: () => string | undefined;
}

/** One attempt to answer one address, with the versions as they are at its beginning. */
interface Attempt extends ResolveContext {
  readonly text: string;
  readonly segment: Segment;
  readonly versions: VersionIndex;
}

/**
 * The version that the segment of an address means now, to act: a served tag leads to it, or it is the work tree. Rejects
 * with VERSION_NOT_FOUND, VERSION_AMBIGUOUS, VERSION_QUARANTINED or VERSION_NOT_SERVED; UNAVAILABLE when a version exists
 * that cannot be read at the moment.
 */
export async function resolveVersion(context: ResolveContext, text: string): Promise<Resolved> {
  let found = await findVersion(context, text);
  // Its tag may have been pushed a moment ago.
  if (isUnled(found) && (await context.lookAgain())) found = await findVersion(context, text);
  const { version, record, immutable } = found;
  if (version === undefined || record.state === "quarantined") throw versionQuarantined(text, record);
  if (record.state !== "served") throw versionNotServed(text, record);
  return { version, record, immutable };
}

/**
 * The version that an address means, to show what it is like: under a ceiling unless it is served. Rejects as
 * `resolveVersion` does, but never with VERSION_NOT_SERVED.
 */
export async function inspectVersion(context: ResolveContext, text: string): Promise<Resolved> {
  const { version, record, immutable } = await findVersion(context, text);
  if (version === undefined) throw versionQuarantined(text, record);
  return { version, record, immutable };
}

/**
 * The version that the commit of an address makes, for what works on the repository and not on behalf of a caller: whatever
 * leads to it, and however it is numbered. Rejects as `inspectVersion` does.
 */
export async function readVersion(context: ResolveContext, text: string): Promise<Version> {
  const { record } = await findVersion(context, text);
  const loaded = await context.cache.open(record.commit);
  if (loaded.ok) return loaded.version;
  throw versionQuarantined(text, record);
}

function isUnled({ record: { state } }: Found): boolean {
  return state === "unserved" || state === "preview";
}

/** Finds the version that an address means, served or not. */
export async function findVersion(context: ResolveContext, text: string): Promise<Found> {
  const segment = readSegment(text);
  const attempt = () => find({ ...context, text, segment, versions: context.index() });
  await assertHere(context, segment);
  try {
    return await attempt();
  } catch (error) {
    // It may have been pushed a moment ago.
    const mayAppear = segment.kind !== "nonsense" && segment.kind !== "tag" && segment.kind !== "dev";
    if (!isNotFound(error) || !mayAppear || !(await context.lookAgain())) throw error;
    return attempt();
  }
}

async function find(attempt: Attempt): Promise<Found> {
  const selection = select(attempt.versions, attempt.segment, attempt.dev());
  try {
    switch (selection.kind) {
      case "version":
        return await openTagged(attempt, selection.version, selection.immutable);
      case "first":
        return await openFirst(attempt, selection.versions);
      case "choices":
        throw versionAmbiguous(
          attempt.text,
          selection.versions.map(({ name, commit }) => ({ version: name, commit })),
        );
      case "commit":
        return await openCommit(attempt, selection);
      case "nothing":
        throw notFound(attempt, selection.reason);
    }
  } catch (error) {
    if (error instanceof CairnError && error.name.startsWith("VERSION_")) throw error;
    throw versionUnreadable(error);
  }
}

async function openTagged(attempt: Attempt, tagged: TaggedVersion, immutable: boolean): Promise<Found> {
  const { versions, verdicts, cache, standings } = attempt;
  const verdict = verdicts.get(tagged.commit);
  const mayServe = !isQuarantined(tagged, verdict) || (immutable && isKept(tagged, verdict));
  const loaded = mayServe ? await cache.open(tagged.commit) : undefined;
  await standings.isServed(tagged);
  const now = verdicts.get(tagged.commit);
  const record = toRecord(versions, tagged, now);
  const isServed = loaded?.ok === true && record.state === "served" && (immutable || !isQuarantined(tagged, now));
  return { record, immutable, ...(isServed && { version: loaded.version }) };
}

async function openFirst(attempt: Attempt, candidates: Iterable<TaggedVersion>): Promise<Found> {
  const skipped: string[] = [];
  let retired: TaggedVersion | undefined;
  for (const tagged of candidates) {
    const isOver = attempt.retirements.isOver(tagged);
    if (isOver) retired ??= tagged;
    const found = isOver ? undefined : await openTagged(attempt, tagged, false);
    if (found?.version !== undefined) return found;
    skipped.push(tagged.name);
  }
  // Its error says what to use instead.
  if (retired !== undefined) return openTagged(attempt, retired, false);
  throw notFound(attempt, toNoneFits(skipped));
}

async function openCommit(attempt: Attempt, selection: Selection & { kind: "commit" }): Promise<Found> {
  const { prefix, immutable } = selection;
  const { commits, standings } = attempt;
  const found = prefix === attempt.dev() ? [prefix] : await choose(attempt, prefix);
  const [commit] = found;
  if (commit === undefined) {
    const isGone = await commits.isHere(prefix);
    throw notFound(
      attempt,
      isGone
        ? "no branch, tag or pull request leads to that commit any more; to have it served, tag it"
        : "no branch, tag or pull request leads to such a commit",
    );
  }
  if (found.length > 1) {
    throw versionAmbiguous(
      attempt.text,
      found.map((choice) => ({ commit: choice })),
    );
  }
  const loaded = await attempt.cache.open(commit);
  const record = await recordOf(attempt, commit, loaded.ok);
  if (!loaded.ok) return { record, immutable };
  if (record.state === "served") return { record, immutable, version: loaded.version };
  // A tag may come, and make it another.
  const preview = record.state === "preview" ? record.pullRequest : undefined;
  return { record, immutable: false, version: await standings.bound(loaded.version, preview) };
}

/**
 * The commits that begin so. Where a served one does, others count only if they are served too: commits can be made to begin
 * as they should, and a pull request must not take an address away.
 */
async function choose({ commits, standings, versions }: Attempt, prefix: string): Promise<readonly string[]> {
  const found = await commits.find(versions, prefix);
  if (found.length < 2) return found;
  const ledTo = await standings.findLedTo(found);
  return ledTo.size === 0 ? found : [...ledTo];
}

/**
 * The record of a commit: of a tag that names it and is served, else its own. A commit that is tagged with a number which
 * claims too little stays refused, whatever tags come after it; a tag that is wrong in itself says nothing of its commit,
 * lest whoever may set tags take away addresses that are pinned.
 */
async function recordOf(attempt: Attempt, commit: string, isGood: boolean): Promise<VersionRecord> {
  const { versions, verdicts, standings, commits } = attempt;
  const tags = versions.byCommit.get(commit) ?? [];
  const tagged: VersionRecord[] = [];
  for (const tag of tags) {
    await standings.isServed(tag);
    tagged.push(toRecord(versions, tag, verdicts.get(commit)));
  }
  const ofState = (state: VersionRecord["state"]) => {
    const fitting = tagged.filter((record) => record.state === state);
    return fitting.find(({ build }) => build === undefined) ?? fitting[0];
  };
  const isRefused = !isGood || tags.some((tag) => isOwnFault(tag, verdicts.get(commit)));
  const isDev = commit === attempt.dev();
  const isLedTo = isDev || (!isRefused && (await standings.isLedTo(commit)));
  const record = ofState("served") ?? (isLedTo ? undefined : ofState("quarantined"));
  if (record !== undefined) return record;
  const pull = versions.pullRequests.find((head) => head.commit === commit);
  const createdAt = pull?.createdAt ?? (await commits.dateOf(commit));
  const about = { commit, createdAt, ...(pull && { pullRequest: pull.number }) };
  const isTriable = pull !== undefined && !isLedTo && (await standings.findTriable([commit])).has(commit);
  const own = toCommitRecord(about, verdicts.get(commit), isLedTo ? "served" : isTriable ? "preview" : "unserved");
  return isLedTo && !isDev ? Object.freeze({ ...own, ...findDeprecated(versions, own.semver) }) : own;
}

function notFound({ text, segment, versions, verdicts, staleSince }: Attempt, reason: string): CairnError {
  const isServable = (version: TaggedVersion) =>
    !version.deleted && !isQuarantined(version, verdicts.get(version.commit));
  return versionNotFound(text, reason, { index: versions, segment, isServable, staleSince: staleSince() });
}

function isNotFound(error: unknown): boolean {
  return error instanceof CairnError && error.name === "VERSION_NOT_FOUND";
}
