import { CairnError } from "../../errors.ts";
import { hideProblems } from "../hide-problems.ts";
import { isUnproven } from "./claims.ts";
import type { Commits } from "./commits.ts";
import type { VersionRecord } from "../record.ts";
import { versionAmbiguous, versionNotFound, versionQuarantined } from "./resolve-errors.ts";
import { type Segment, readSegment } from "./segment.ts";
import { type Selection, select } from "./select.ts";
import type { VersionCache } from "./version-cache.ts";
import {
  type TaggedVersion,
  type VersionIndex,
  isKept,
  isQuarantined,
  toCommitRecord,
  toRecord,
} from "./version-index.ts";
import type { Verdicts } from "./verdicts.ts";
import type { Version } from "../version.ts";

export interface Resolved {
  readonly version: Version;
  readonly record: VersionRecord;
  /** The same address will answer with this commit for ever. */
  readonly immutable: boolean;
}

/** A version that an address means, whether it is served or not. */
export interface Found {
  readonly record: VersionRecord;
  readonly immutable: boolean;
  /** Absent when it is quarantined. */
  readonly version?: Version;
}

export interface ResolveContext {
  readonly index: () => VersionIndex;
  readonly dev: () => string | undefined;
  readonly cache: VersionCache;
  readonly verdicts: Verdicts;
  /** See `Claims.prove`. */
  readonly prove: (commit: string) => Promise<void>;
  readonly commits: Commits;
  /** Looks at the upstream, unless that was done just now; whether it was. */
  readonly lookAgain: () => Promise<boolean>;
  readonly staleSince: () => string | undefined;
}

/** One attempt to answer one address, with the versions as they are at its beginning. */
interface Attempt extends ResolveContext {
  readonly text: string;
  readonly segment: Segment;
  readonly versions: VersionIndex;
}

/** Quarantined versions that an error names. */
const MAX_NAMED = 3;

/**
 * What the version segment of an address means now. Rejects with VERSION_NOT_FOUND, VERSION_AMBIGUOUS or
 * VERSION_QUARANTINED; UNAVAILABLE when a version exists that cannot be read at the moment.
 */
export async function resolveVersion(context: ResolveContext, text: string): Promise<Resolved> {
  const { version, record, immutable } = await findVersion(context, text);
  if (version !== undefined) return { version, record, immutable };
  const { commit, tag, problems } = record;
  // Who asks is not known here.
  const told = hideProblems(problems, (capabilities) => capabilities.length === 0);
  throw versionQuarantined(text, { ...(tag && { version: tag.slice(1) }), commit, problems: told });
}

/** The same, except that a quarantined version is found as well. */
export async function findVersion(context: ResolveContext, text: string): Promise<Found> {
  const segment = readSegment(text);
  const attempt = () => find({ ...context, text, segment, versions: context.index() });
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
    const message = "The version exists, but cannot be read now.";
    throw new CairnError("UNAVAILABLE", message, { cause: error });
  }
}

async function openTagged(attempt: Attempt, tagged: TaggedVersion, immutable: boolean): Promise<Found> {
  const { versions, verdicts, cache, prove } = attempt;
  const verdict = verdicts.get(tagged.commit);
  const mayServe = !isQuarantined(tagged, verdict) || (immutable && isKept(tagged, verdict));
  const loaded = mayServe ? await cache.open(tagged.commit) : undefined;
  if (loaded?.ok === true && isUnproven(verdicts.get(tagged.commit))) await prove(tagged.commit);
  const now = verdicts.get(tagged.commit);
  const record = toRecord(versions, tagged, now);
  const isServed = loaded?.ok === true && record.state === "served" && (immutable || !isQuarantined(tagged, now));
  return { record, immutable, ...(isServed && { version: loaded.version }) };
}

async function openFirst(attempt: Attempt, candidates: Iterable<TaggedVersion>): Promise<Found> {
  const skipped: string[] = [];
  for (const tagged of candidates) {
    const found = await openTagged(attempt, tagged, false);
    if (found.version !== undefined) return found;
    skipped.push(`\`${tagged.name}\``);
  }
  const others = skipped.length > MAX_NAMED ? `, ... (${skipped.length} in all)` : "";
  const quarantined = `; quarantined: ${skipped.slice(0, MAX_NAMED).join(", ")}${others}`;
  throw notFound(attempt, `no stable version fits${skipped.length === 0 ? "" : quarantined}`);
}

async function openCommit(attempt: Attempt, selection: Selection & { kind: "commit" }): Promise<Found> {
  const { prefix, immutable } = selection;
  const found = prefix === attempt.dev() ? [prefix] : await attempt.commits.find(attempt.versions, prefix);
  const [commit] = found;
  if (commit === undefined) throw notFound(attempt, "no branch, tag or pull request leads to such a commit");
  if (found.length > 1) {
    throw versionAmbiguous(
      attempt.text,
      found.map((choice) => ({ commit: choice })),
    );
  }
  const loaded = await attempt.cache.open(commit);
  const record = await recordOf(attempt, commit, loaded.ok ? "served" : "quarantined");
  return { record, immutable, ...(loaded.ok && { version: loaded.version }) };
}

/** The record of a commit: of a tag that names it, unless that contradicts what the commit says of itself. */
async function recordOf(attempt: Attempt, commit: string, state: VersionRecord["state"]): Promise<VersionRecord> {
  const { versions, verdicts, commits } = attempt;
  const verdict = verdicts.get(commit);
  const tagged = (versions.byCommit.get(commit) ?? [])
    .map((version) => toRecord(versions, version, verdict))
    .filter((record) => record.state === state);
  const record = tagged.find(({ build }) => build === undefined) ?? tagged[0];
  if (record !== undefined) return record;
  const head = versions.pullRequests.find((pull) => pull.commit === commit);
  if (head !== undefined) return toCommitRecord({ ...head, pullRequest: head.number }, verdict);
  return toCommitRecord({ commit, createdAt: await commits.dateOf(commit) }, verdict);
}

function notFound({ text, segment, versions, verdicts, staleSince }: Attempt, reason: string): CairnError {
  const isServable = (version: TaggedVersion) =>
    !version.deleted && !isQuarantined(version, verdicts.get(version.commit));
  return versionNotFound(text, reason, { index: versions, segment, isServable, staleSince: staleSince() });
}

function isNotFound(error: unknown): boolean {
  return error instanceof CairnError && error.name === "VERSION_NOT_FOUND";
}
