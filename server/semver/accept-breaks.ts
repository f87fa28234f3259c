import { canonicalJson } from "../json/canonical-json.ts";
import type { AcceptedBreak, Version } from "../versions/version.ts";
import { type Finding, type Place, placeIn } from "./finding.ts";

/** An entry under `accepts` of versions.yaml that must not stand there. */
export interface AcceptFault {
  readonly rule: "accepted-forbidden" | "accepted-late" | "accepted-stale";
  /** In plain words, one sentence. */
  readonly message: string;
  readonly fix: string;
  readonly place: Place;
}

export interface Accepted {
  /** All findings, those that are accepted with who accepts them and why. */
  readonly findings: readonly Finding[];
  readonly faults: readonly AcceptFault[];
}

/**
 * Applies what `after` accepts next to `before`. An entry counts for one finding of a break and for one version before:
 * next to another version it has no effect. Policies of `before` decide if anything may be accepted, because those of
 * `after` could be part of the change that is to be let through.
 */
export function acceptBreaks(findings: readonly Finding[], before: Version, after: Version): Accepted {
  const listed = after.history.versions.get(after.semver)?.accepts ?? [];
  const own = [...listed.entries()].filter(([, { from }]) => from === before.semver);
  const late = findLate(before, after);
  if (own.length === 0) return { findings, faults: late };
  const forbidding = before.policies.find(({ forbidsBreaks }) => forbidsBreaks === true);
  const toPlace = (index: number) => toEntryPlace(after.semver, index);
  if (forbidding !== undefined) {
    const message = `The policy \`${forbidding.name}\` of ${before.semver} forbids to accept breaks.`;
    const fix = "Raise the number, or release a version first whose policies allow it.";
    const faults = own.map(([index]) => ({ rule: "accepted-forbidden", message, fix, place: toPlace(index) }) as const);
    return { findings, faults: [...late, ...faults] };
  }
  const settled = findings.map((finding) => {
    const entry = own.find(([, one]) => isAbout(one, finding))?.[1];
    return entry === undefined ? finding : { ...finding, accepted: { reason: entry.reason, by: entry.by } };
  });
  const stale = own
    .filter(([, entry]) => !findings.some((finding) => isAbout(entry, finding)))
    .map(([index, entry]) => toStale(entry, findings, before, toPlace(index)));
  return { findings: settled, faults: [...late, ...stale] };
}

function isAbout({ finding, of, member }: AcceptedBreak, other: Finding): boolean {
  return other.level === "major" && other.rule === finding && other.of === of && other.member === member;
}

function toStale(entry: AcceptedBreak, findings: readonly Finding[], { semver }: Version, place: Place): AcceptFault {
  const near = findings.filter(({ level, of }) => level === "major" && of === entry.of);
  const known =
    near.length > 0 ? near : findings.filter(({ level, rule }) => level === "major" && rule === entry.finding);
  const shown = known.slice(0, SHOWN).map((finding) => `\`${showEntry(finding)}\``);
  const fix =
    shown.length === 0 ? "Remove the entry." : `Remove the entry, or name what is there: ${shown.join(" or ")}.`;
  const part = entry.member === undefined ? "" : `, member \`${entry.member}\`,`;
  const message = `There is no break \`${entry.finding}\` of \`${entry.of}\`${part} next to ${semver}, and one is accepted.`;
  return { rule: "accepted-stale", message, fix, place };
}

/** Findings that a fix names at most. */
const SHOWN = 3;

/** Writes a finding as an entry names it. */
function showEntry({ rule, of, member }: Pick<Finding, "rule" | "of" | "member">): string {
  const named = { finding: rule, of, ...(member !== undefined && { member }) };
  return `{ ${Object.entries(named)
    .map(([key, value]) => `${key}: ${/^[\w.-]+(?: [\w.-]+)*$/.test(value) ? value : JSON.stringify(value)}`)
    .join(", ")} }`;
}

/** Finds entries of versions before this one that differ from those that they were released with. */
function findLate(before: Version, after: Version): readonly AcceptFault[] {
  return [...before.history.versions].flatMap(([semver, { accepts = [] }]) => {
    const entry = after.history.versions.get(semver);
    const now = entry?.accepts ?? [];
    if (semver === after.semver || entry === undefined || canonicalJson(now) === canonicalJson(accepts)) return [];
    const message = `The version ${semver} is released, and accepts other breaks here than it was released with.`;
    const fix = `Write the entry as ${before.semver} has it: what is released does not change.`;
    return [{ rule: "accepted-late", message, fix, place: toEntryPlace(semver) }];
  });
}

function toEntryPlace(semver: string, ...index: readonly number[]): Place {
  return placeIn("after", "versions.yaml", "versions", semver, "accepts", ...index);
}
