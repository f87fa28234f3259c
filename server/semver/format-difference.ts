import { BUMP_RULES } from "./bump-rules.ts";
import type { Claim } from "./claim.ts";
import type { Difference } from "./compare-versions.ts";
import type { LocatedFinding } from "./locate-findings.ts";
import { formatReport } from "./format-report.ts";
import { defined } from "../json/defined.ts";

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
  const entries = findings.map(
    ({ level, rule, message, value, accepted, place: { file, side }, position: { line, column } }) => ({
      ...defined({ value, accepted: accepted && explainAccepted(accepted) }),
      level,
      rule,
      why: BUMP_RULES[rule].why,
      message,
      where: `${file}:${line}:${column}`,
      // A removed part has no line in the tree that is shown.
      ...(side === "after" ? { at: { file, line, column } } : {}),
    }),
  );
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

/** One sentence on the tree, and one for each tool whose number says too little. */
export function explainClaims({ claims, required }: Pick<Difference, "claims" | "required">): readonly string[] {
  return claims.flatMap((claim) => {
    if (claim.tool !== undefined) return claim.isKept ? [] : [explainClaim(claim)];
    if (required === "none")
      return [`Nothing that a version is made of differs between ${claim.from} and ${claim.to}.`];
    return [explainClaim(claim)];
  });
}

export function explainClaim({ tool, from, to, claimed, required, isKept, needed }: Claim): string {
  const what = tool === undefined ? "The change" : `The change of the tool \`${tool}\``;
  const early =
    from.startsWith("0.") && claimed !== "none" && required !== "patch" ? ", as numbers before 1.0.0 are read" : "";
  const says =
    claimed === "none"
      ? `${to} is no higher than ${from}`
      : `${from} to ${to} stands for a ${claimed} one at most${early}`;
  const place =
    claimed === "none" && from.startsWith("0.") && required !== "patch"
      ? `, because before 1.0.0 a ${required} bump raises the ${required === "major" ? "second" : "last"} number`
      : "";
  if (isKept) return `${what} from ${from} to ${to} needs a ${required} bump, and has it${early}.`;
  return `${what} needs a ${required} bump, and ${says}: it must be ${needed} or higher${place}.`;
}
