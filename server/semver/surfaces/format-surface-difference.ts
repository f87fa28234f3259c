import { defined } from "../../json/defined.ts";
import { toPointer } from "../../json/pointer.ts";
import { isObject } from "../../json/is-object.ts";
import { BUMP_RULES } from "../bump-rules.ts";
import { type Claim, explainClaim } from "../claim.ts";
import { explainExample } from "../explain-example.ts";
import type { Step } from "../finding.ts";
import type { DifferenceFormat } from "../report/format-difference.ts";
import { isAtLeast, type Level } from "../level.ts";
import { formatReport } from "../report/format-report.ts";
import type { ReportEntry } from "../report/report.ts";
import type { SurfaceDifference } from "./compare-surfaces.ts";
import { type SurfaceFinding, SURFACE_RULES } from "./rules.ts";
import { findLine } from "./surface.ts";

/** Demands on a difference: at most the bump `expect`, and with `check` a version number that says enough. */
export interface SurfaceDemands {
  readonly expect?: Level;
  readonly check: boolean;
}

export interface SurfaceVerdict {
  readonly isRefused: boolean;
  /** Sentences, the most important first. */
  readonly lines: readonly string[];
}

/** Judges a difference by the demands that were made. */
export function judgeSurfaceDifference(
  difference: SurfaceDifference,
  { expect, check }: SurfaceDemands,
): SurfaceVerdict {
  const { before, after, required, claim } = difference;
  const isTooMuch = expect !== undefined && !isAtLeast(expect, required);
  const isUnderClaimed = check && (claim === undefined ? required !== "none" : !claim.isKept);
  const [from, to] = [before, after].map(({ name, version }) => `\`${name}\` ${version}`);
  const most = expect === "none" ? "No bump" : `At most a ${expect} bump`;
  const need =
    required === "none"
      ? `Nothing that clients can see differs between ${from} and ${to}.`
      : `The change from ${from} to ${to} needs a ${required} bump.`;
  return {
    isRefused: isTooMuch || isUnderClaimed,
    lines: [
      ...(isTooMuch ? [`${most} was expected, and the change needs a ${required} one.`] : []),
      ...(claim === undefined || required === "none" ? [need] : [explainClaim(claim)]),
      ...(claim === undefined ? [explainNoClaim(before.version, after.version)] : []),
    ],
  };
}

function explainNoClaim(from: string, to: string): string {
  return `Version numbers cannot be compared: \`${from}\` or \`${to}\` is no semver number such as 1.2.3.`;
}

/** Saved surface that a difference is shown beside: its name, and its text. */
export interface SavedFile {
  readonly name: string;
  readonly text: string;
}

/** Writes a difference of surfaces in the form that was asked for. `saved` gives findings their lines. */
export function formatSurfaceDifference(
  difference: SurfaceDifference,
  { lines, isRefused }: SurfaceVerdict,
  format: DifferenceFormat,
  saved?: SavedFile,
): string {
  const { before, after, findings, required, claim } = difference;
  if (format === "json") {
    const document = {
      from: before,
      to: after,
      required,
      refused: isRefused,
      verdict: lines,
      ...defined({ claim: claim === undefined ? undefined : toClaimJson(claim) }),
      findings: findings.map(({ place, ...finding }) => ({ ...finding, side: place.side, path: toPath(place.path) })),
    };
    return JSON.stringify(document, undefined, 2);
  }
  const entries = findings.map((finding) => toEntry(finding, saved));
  return formatReport({ verdict: lines, isRefused, required, entries, ...defined({ file: saved?.name }) }, format);
}

function toClaimJson({ isKept, ...claim }: Claim) {
  return { ...claim, kept: isKept };
}

function toEntry(finding: SurfaceFinding, saved: SavedFile | undefined): ReportEntry {
  const { level, rule, message, value, place } = finding;
  const path = toPath(place.path);
  const at = saved && { file: saved.name, line: findLine(saved.text, toKeys(place.path)), column: 1 };
  const { why } = { ...BUMP_RULES, ...SURFACE_RULES }[rule];
  const where = at === undefined ? path : `${at.file}:${at.line}`;
  return { level, rule, why, message, where, ...defined({ value, example: explainExample(finding), at }) };
}

/** JSON Pointer to a place in a saved surface, without its first slash. */
function toPath(path: readonly Step[]): string {
  return toPointer(toKeys(path)).slice(1);
}

/** Steps of which items of lists, such as arguments of prompts, are named. */
function toKeys(path: readonly Step[]): readonly (string | number)[] {
  return path.map((step) => (isObject(step) ? String(Object.values(step)[0]) : step));
}
