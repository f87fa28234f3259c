import { gatherFragments } from "../../versions/manifests/fragments/gather-fragments.ts";
import type { Fragment } from "../../versions/manifests/fragments/read-fragment.ts";
import type { AcceptedBreak } from "../../versions/loaded-history.ts";
import { START } from "../../versions/manifests/position.ts";
import type { Problem } from "../../versions/problem.ts";
import type { Readable } from "../../versions/read-text-of.ts";
import { type Base, walkParents } from "../../versions/registry/judge/bases.ts";
import type { Version } from "../../versions/version.ts";
import { readVersionName } from "../../versions/version-name.ts";
import type { AcceptFault } from "../accept-breaks.ts";
import { type Claim, raiseBy } from "../claim.ts";
import { type Difference, compareInTurns } from "../compare-versions.ts";
import { judgeDifference, locateFaults } from "../judge-difference.ts";
import { isAtLeast, type Level } from "../level.ts";
import { toRaised } from "../plan-raise.ts";

/** Judgement of a tree that has changed since its number was released, by its change fragments. */
export interface PendingJudgement {
  readonly problems: readonly Problem[];
  /** The versions that the release would be measured against. */
  readonly bases: readonly Base[];
  /** The version that the release would be, before it is measured. */
  readonly semver: string;
}

export interface PendingSource {
  readonly findBases: (version: Version) => Promise<readonly Base[]>;
  readonly load: (commit: string) => Promise<Readable>;
}

/**
 * Judges whether change fragments together claim at least the bump that the tree needs since the last served release. The
 * numbers of tools are not measured: a release raises them.
 */
export async function judgePending(
  { version, readText }: Readable,
  fragments: readonly Fragment[],
  { findBases, load }: PendingSource,
): Promise<PendingJudgement> {
  const pending = toPending(version, fragments);
  // A release of another line that has the number is no older version: the release here gets another number, or is refused.
  const bases = (await findBases(pending)).filter(({ version: base }) => base.semver !== pending.semver);
  const problems: Problem[] = [];
  for (const { version: base } of bases.filter(({ scope }) => scope === "all")) {
    const before = await load(base.commit);
    const difference = claimByFragments(await compareInTurns(before.version, pending), fragments);
    const after = { version: pending, readText };
    problems.push(...(await locatePendingFaults(difference, after, fragments)));
    const [claim, ...hidden] = await judgeDifference(difference, before, after, "all");
    if (claim !== undefined) problems.push(toProblem(base.semver, difference.required, fragments), ...hidden);
  }
  return { problems, bases, semver: pending.semver };
}

/** The version that a release would make of a tree: one above its last release, by its fragments. */
export function toPending(version: Version, fragments: readonly Fragment[]): Version {
  const { kind = "patch" } = gatherFragments(fragments);
  return withAccepted(toRaised(raiseBy(findLastRelease(version), kind), version, version), version, fragments);
}

/** The version with the breaks that fragments accept, behind those that its own entry accepts. */
export function withAccepted(version: Version, last: Version, fragments: readonly Fragment[]): Version {
  const accepts = listAccepted(last, fragments);
  const { history, semver } = version;
  const own = history.versions.get(semver);
  if (accepts.length === 0 || own === undefined) return version;
  const entry = { ...own, accepts: [...(own.accepts ?? []), ...accepts] };
  return { ...version, history: { ...history, versions: new Map([...history.versions, [semver, entry]]) } };
}

/** Breaks that the release of these fragments accepts, next to the last release where they do not say what next to. */
export function listAccepted(version: Version, fragments: readonly Fragment[]): readonly AcceptedBreak[] {
  const last = findLastRelease(version);
  return gatherFragments(fragments).accepts.map(({ entry }) => ({ ...entry, from: entry.from ?? last }));
}

/** As `locateFaults`; faults of what a fragment accepts are at the fragment. */
async function locatePendingFaults(
  difference: Difference,
  after: Readable,
  fragments: readonly Fragment[],
): Promise<readonly Problem[]> {
  const { accepts } = gatherFragments(fragments);
  const own = (after.version.history.versions.get(after.version.semver)?.accepts ?? []).length - accepts.length;
  const toSource = ({ place: { path } }: AcceptFault) => {
    const [, semver, , index] = path;
    return semver === after.version.semver && typeof index === "number" ? accepts[index - own]?.fragment : undefined;
  };
  const [theirs, others] = [difference.faults.filter(toSource), difference.faults.filter((one) => !toSource(one))];
  return [
    ...(await locateFaults({ ...difference, faults: others }, after)),
    ...theirs.map((fault) => {
      const { file = "", at = START } = toSource(fault) ?? {};
      return { file, ...at, rule: fault.rule, message: fault.message, fix: fault.fix };
    }),
  ];
}

/** Finds the release that a version was made from: itself, or the nearest of its parents that is no pre-release. */
export function findLastRelease(version: Version): string {
  const isRelease = (name: string) => readVersionName(name)?.prerelease === false;
  return [version.semver, ...walkParents(version)].find(isRelease) ?? version.semver;
}

/** A difference in which change fragments claim, in place of numbers: they say a level outright. */
export function claimByFragments<Told extends Omit<Difference, "findings">>(
  difference: Told,
  fragments: readonly Fragment[],
): Told {
  const { required, claims, before, after } = difference;
  const claimed: Level = gatherFragments(fragments).kind ?? "none";
  const isKept = isAtLeast(claimed, required);
  const own = claims.flatMap((claim): readonly Claim[] => {
    if (claim.tool !== undefined) return [];
    const to = claimed === "none" ? claim.from : claim.to;
    return [{ ...claim, to, claimed, isKept }];
  });
  // The commit itself still has the number of the last release.
  const named = { ...after, version: before.version };
  return { ...difference, after: named, claims: own, isUnderClaimed: !isKept };
}

/** Explains in a sentence what the changes since a version need, and what change fragments claim. */
export function explainPending(from: string, required: Level, fragments: readonly Fragment[]): string {
  if (required === "none") return `Nothing that a version is made of differs from ${from}.`;
  const { kind } = gatherFragments(fragments);
  const needs = `The changes since ${from} need a ${required} bump, and`;
  if (kind === undefined) return `${needs} no change fragment claims one.`;
  return isAtLeast(kind, required)
    ? `${needs} the change fragments claim a ${kind} one.`
    : `${needs} the change fragments claim a ${kind} one at most.`;
}

function toProblem(from: string, required: Level, fragments: readonly Fragment[]): Problem {
  const { kind } = gatherFragments(fragments);
  const rule = "under-claimed";
  const message = explainPending(from, required, fragments);
  const largest = fragments.find((fragment) => fragment.kind === kind);
  if (largest === undefined) {
    const fix = "Run `cairn bump`: it writes a change fragment with the proven kind.";
    return { file: "versions.yaml", line: 1, column: 1, rule, message, fix };
  }
  const { file, at } = largest;
  const fix = `Run \`cairn bump\`, which writes one with the proven kind, or write \`kind: ${required}\` in the fragment of the change that needs it.`;
  return { file, ...at, rule, message, fix };
}
