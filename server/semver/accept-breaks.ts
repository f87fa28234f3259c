import { canonicalJson } from "../json/canonical-json.ts";
import type { AcceptedBreak } from "../versions/loaded-history.ts";
import type { Version } from "../versions/version.ts";
import { defined } from "../json/defined.ts";
import { type Finding, type Place, placeIn } from "./finding.ts";

/** An entry under `accepts` of versions.yaml that must not stand there. */
export interface AcceptFault {
  readonly rule: "accepted-ambiguous" | "accepted-forbidden" | "accepted-late" | "accepted-stale";
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
 * Applies what `after` accepts next to `before`. An entry counts for one kind of break of one member, and for one version
 * before: next to another version it has no effect. Where it could mean several kinds, it covers them all, because tags
 * were served by such entries, and is a fault of a version that has no tag yet. Policies of `before` decide if anything may be accepted, because those of
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
  // An entry that says how comes before one that does not.
  const entries = own
    .map(([, entry]) => entry)
    .toSorted((a, b) => Number(b.how !== undefined) - Number(a.how !== undefined));
  const settled = findings.map((finding) => {
    const entry = entries.find((one) => isAbout(one, finding));
    return entry === undefined ? finding : { ...finding, accepted: { reason: entry.reason, by: entry.by } };
  });
  const wrong = own.flatMap(([index, entry]) => {
    const matching = findings.filter((finding) => isAbout(entry, finding));
    if (matching.length === 0) return [toStale(entry, findings, before, toPlace(index))];
    return isAmbiguous(entry, matching) ? [toAmbiguous(matching, toPlace(index))] : [];
  });
  return { findings: settled, faults: [...late, ...wrong] };
}

/** Lists the findings that an entry covers, of those that its version has next to the one that the entry names. */
export function listCovered(entry: AcceptedBreak, findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    (finding) =>
      isAbout(entry, finding) && finding.accepted?.reason === entry.reason && finding.accepted.by === entry.by,
  );
}

/** Checks that an entry does not say which of several kinds of break it stands for. */
export function isAmbiguous({ how }: AcceptedBreak, covered: readonly Finding[]): boolean {
  return how === undefined && listKinds(covered).length > 1;
}

function isAbout({ finding, of, member, how }: AcceptedBreak, other: Finding): boolean {
  const isKind = how === undefined || other.schemaRule === how;
  return other.level === "major" && other.rule === finding && other.of === of && other.member === member && isKind;
}

/** Lists the rules of schemas by which findings break, each once. */
function listKinds(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map(({ schemaRule = "" }) => schemaRule))].toSorted();
}

function toAmbiguous(matching: readonly Finding[], place: Place): AcceptFault {
  const kinds = listKinds(matching);
  const keys = kinds.map((kind) => `\`how: ${kind}\``).join(" or ");
  const named = matching.map(({ schemaRule, message }) => `${schemaRule}: ${message}`).join(" ");
  const message = `The entry stands for ${kinds.length} kinds of break, and has to say which is accepted. ${named}`;
  const fix = `Add ${keys}, and write one entry for each that may be released.`;
  return { rule: "accepted-ambiguous", message, fix, place };
}

function toStale(entry: AcceptedBreak, findings: readonly Finding[], { semver }: Version, place: Place): AcceptFault {
  const near = findings.filter(({ level, of }) => level === "major" && of === entry.of);
  const known =
    near.length > 0 ? near : findings.filter(({ level, rule }) => level === "major" && rule === entry.finding);
  const shown = [...new Set(known.map((finding) => showEntry(finding, entry.how !== undefined)))].slice(0, SHOWN);
  const meant = shown.map((text) => `\`${text}\``).join(" or ");
  const fix = shown.length === 0 ? "Remove the entry." : `Remove the entry, or name what is there: ${meant}.`;
  const how = entry.how === undefined ? "" : `, how \`${entry.how}\`,`;
  const part = entry.member === undefined ? how : `, member \`${entry.member}\`${how || ","}`;
  const message = `There is no break \`${entry.finding}\` of \`${entry.of}\`${part} next to ${semver}, and one is accepted.`;
  return { rule: "accepted-stale", message, fix, place };
}

/** Findings that a fix names at most. */
const SHOWN = 3;

/** Writes a finding as an entry names it. */
function showEntry({ rule, of, member, schemaRule: how }: Finding, saysHow: boolean): string {
  const named = { finding: rule, of, ...defined({ member, how: saysHow ? how : undefined }) };
  return `{ ${Object.entries(named)
    .map(([key, value]) => `${key}: ${/^[\w.-]+(?: [\w.-]+)*$/.test(value) ? value : JSON.stringify(value)}`)
    .join(", ")} }`;
}

/**
 * Finds entries of released versions that differ from those that they were released with: of versions before this one, and
 * of its own where `before` is the version that its number is served with.
 */
function findLate(before: Version, after: Version): readonly AcceptFault[] {
  return [...before.history.versions].flatMap(([semver, { accepts = [] }]) => {
    const entry = after.history.versions.get(semver);
    const now = entry?.accepts ?? [];
    const isNew = semver === after.semver && semver !== before.semver;
    if (isNew || entry === undefined || canonicalJson(now) === canonicalJson(accepts)) return [];
    const message = `The version ${semver} is released, and accepts other breaks here than it was released with.`;
    const fix = `Write the entry as ${before.semver} has it: what is released does not change.`;
    return [{ rule: "accepted-late", message, fix, place: toEntryPlace(semver) }];
  });
}

function toEntryPlace(semver: string, ...index: readonly number[]): Place {
  return placeIn("after", "versions.yaml", "versions", semver, "accepts", ...index);
}
