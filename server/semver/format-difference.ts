import { canonicalJson } from "../json/canonical-json.ts";
import { printable } from "../text/printable.ts";
import { toWorkflowCommand } from "../text/workflow-command.ts";
import type { Claim } from "./claim.ts";
import type { Difference } from "./compare-versions.ts";
import type { LocatedFinding } from "./locate-findings.ts";
import { LEVELS } from "./level.ts";
import { defined } from "../json/defined.ts";

export const DIFFERENCE_FORMATS = ["text", "json", "markdown", "github"] as const;
export type DifferenceFormat = (typeof DIFFERENCE_FORMATS)[number];

/** A difference with places; `hidden`: findings left out because their reader may not see them. */
export interface LocatedDifference extends Omit<Difference, "findings"> {
  readonly findings: readonly LocatedFinding[];
  readonly hidden?: number;
}

/** Characters of an example value that people are shown. */
const VALUE_LENGTH = 200;

export function formatDifference(difference: LocatedDifference, format: DifferenceFormat): string {
  switch (format) {
    case "text":
      return toText(difference);
    case "json":
      return JSON.stringify(toDifferenceJson(difference), undefined, 2);
    case "markdown":
      return toMarkdown(difference);
    case "github":
      return toAnnotations(difference);
  }
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

function toText({ findings, ...difference }: LocatedDifference): string {
  return [
    ...findings.flatMap(({ level, rule, message, place, position, value, accepted }) => [
      `${place.file}:${position.line}:${position.column}: ${level}: ${message} [${rule}]`,
      ...(value === undefined ? [] : [`    for example ${showValue(value)}`]),
      ...(accepted === undefined ? [] : [`    ${explainAccepted(accepted)}`]),
    ]),
    ...(findings.length === 0 ? [] : [""]),
    ...explainClaims(difference),
  ]
    .map(printable)
    .join("\n");
}

function toMarkdown({ findings, ...difference }: LocatedDifference): string {
  const sections = LEVELS.toReversed().flatMap((level) => {
    const own = findings.filter((finding) => finding.level === level);
    if (own.length === 0) return [];
    const lines = own.map(({ rule, message, place, position, value, accepted }) => {
      const consent = accepted === undefined ? "" : ` ${escapeMarkdown(explainAccepted(accepted))}`;
      const example = value === undefined ? "" : ` For example ${toCode(showValue(value))}.`;
      return `- ${escapeMarkdown(message)}${example}${consent} (\`${place.file}:${position.line}\`, ${rule})`;
    });
    return [`### ${level[0]?.toUpperCase()}${level.slice(1)}`, "", ...lines, ""];
  });
  return [...sections, ...explainClaims(difference).map(escapeMarkdown)].map(printable).join("\n");
}

/** Writes annotations; a removed part has no line in the tree that is shown. */
function toAnnotations({ findings, ...difference }: LocatedDifference): string {
  const { isUnderClaimed, required } = difference;
  return [
    ...findings.map(({ level, rule, message, place, position, value, accepted }) => {
      const kind = isUnderClaimed && accepted === undefined && level === required ? "error" : "notice";
      const { line, column: col } = position;
      const at = place.side === "after" ? { file: place.file, line, col } : {};
      const example = value === undefined ? "" : ` For example ${showValue(value)}.`;
      const consent = accepted === undefined ? "" : ` ${explainAccepted(accepted)}`;
      return toWorkflowCommand(kind, { ...at, title: `${level}: ${rule}` }, message + example + consent);
    }),
    ...explainClaims(difference).map((line) =>
      toWorkflowCommand(isUnderClaimed ? "error" : "notice", { file: "versions.yaml" }, line),
    ),
  ].join("\n");
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
  if (isKept) return `${what} from ${from} to ${to} needs a ${required} bump, and has it${early}.`;
  return `${what} needs a ${required} bump, and ${says}: it must be ${needed} or higher.`;
}

function showValue(value: unknown): string {
  const text = canonicalJson(value);
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}...` : text;
}

function toCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

/** Manifests of a stranger's pull request must not format, or mention anybody in, a comment made of them. */
function escapeMarkdown(text: string): string {
  return text
    .split(/(`[^`@<]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\`*_{}[\]<>@#|!]/g, "\\$&")))
    .join("");
}
