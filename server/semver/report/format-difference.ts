import { BUMP_RULES } from "../bump-rules.ts";
import { explainClaims } from "../claim.ts";
import { explainExample, explainPart } from "../explain-example.ts";
import type { Difference } from "../compare-versions.ts";
import type { LocatedFinding } from "../locate-findings.ts";
import { formatReport } from "./format-report.ts";
import { defined } from "../../json/defined.ts";

export const DIFFERENCE_FORMATS = ["text", "json", "markdown", "github", "sarif"] as const;
export type DifferenceFormat = (typeof DIFFERENCE_FORMATS)[number];

/** A difference with places; `hidden`: findings left out because their reader may not see them. */
export interface LocatedDifference extends Omit<Difference, "findings"> {
  readonly findings: readonly LocatedFinding[];
  readonly hidden?: number;
}

/** Writes a difference in one of the forms of a report, or as JSON. `verdict`: sentences on its numbers. */
export function formatDifference(
  difference: LocatedDifference,
  format: DifferenceFormat,
  verdict: readonly string[] = explainClaims(difference),
): string {
  if (format === "json") return JSON.stringify(toDifferenceJson(difference), undefined, 2);
  const { findings, required, isUnderClaimed } = difference;
  const entries = findings.map((finding) => {
    const { level, rule, message, value, accepted } = finding;
    const { file, side } = finding.place;
    const { line, column } = finding.position;
    return {
      ...defined({ value, example: explainExample(finding), accepted: accepted && explainAccepted(accepted) }),
      level,
      rule,
      why: BUMP_RULES[rule].why,
      message,
      of: explainPart(finding),
      where: `${file}:${line}:${column}`,
      // A removed part has no line in the tree that is shown.
      ...(side === "after" ? { at: { file, line, column } } : {}),
    };
  });
  return formatReport({ verdict, isRefused: isUnderClaimed, required, entries, file: "versions.yaml" }, format);
}

/** Writes a difference for programs, on the command line and over REST alike. */
export function toDifferenceJson({ findings, required, claims, hidden = 0, ...rest }: LocatedDifference) {
  return {
    from: rest.before,
    to: rest.after,
    required,
    under_claimed: rest.isUnderClaimed,
    claims: claims.map(({ isKept, tool, ...claim }) => ({
      ...defined({ tool }),
      ...claim,
      kept: isKept,
    })),
    findings: findings.map(({ place, position, isPolicy: _isPolicy, ...finding }) => ({
      ...finding,
      file: place.file,
      ...position,
      side: place.side,
    })),
    hidden,
  };
}

/** Writes who accepts a break, and why. */
function explainAccepted({ by, reason }: NonNullable<LocatedFinding["accepted"]>): string {
  return `Accepted by ${by}: ${reason}`;
}
