import { lt } from "semver";
import type { Problem } from "../versions/problem.ts";
import type { Readable } from "../versions/read-text-of.ts";
import type { Scope } from "../versions/registry/judge/bases.ts";
import { explainExample } from "./explain-example.ts";
import { type Claim, explainClaim } from "./claim.ts";
import type { Difference } from "./compare-versions.ts";
import { demandOf, type Finding } from "./finding.ts";
import { isAtLeast } from "./level.ts";
import { locateFindings, type LocatedFinding } from "./locate-findings.ts";

/**
 * Judges the numbers of the newer one of two versions, within `scope`: one problem for each that claims too little,
 * followed by the changes that it hides.
 */
export async function judgeDifference(
  difference: Difference,
  before: Readable,
  after: Readable,
  scope: Scope,
): Promise<readonly Problem[]> {
  const broken = difference.claims.filter((claim) => !claim.isKept && isMeasured(claim, difference, scope));
  if (broken.length === 0) return [];
  const untold = difference.findings.filter(
    // Callers see the problems of a version, and what roles may do is none of their business.
    (finding) => finding.isPolicy !== true && broken.some((claim) => concerns(claim, finding)),
  );
  const located = await locateFindings(untold, (side, file) => (side === "before" ? before : after).readText(file));
  const needsOf = (tool: string | undefined) => toNeeds(tool, before, after);
  return [
    ...broken.map((claim) => ({ ...toClaimProblem(claim, after), ...needsOf(claim.tool) })),
    ...located.map((finding) => ({ ...toProblem(finding), ...needsOf(finding.tool) })),
  ];
}

function isMeasured({ tool, from, to }: Claim, { required }: Difference, scope: Scope): boolean {
  if (scope === "all") return true;
  if (tool !== undefined) return false;
  // A label that goes back does what it is for, and short of a break it may go anywhere.
  return scope === "tree" || (required === "major" && !lt(to, from));
}

/** Lists what must not stand under `accepts` of the newer version, with its places in versions.yaml. */
export async function locateFaults({ faults }: Difference, { readText }: Readable): Promise<readonly Problem[]> {
  const located = await locateFindings(faults, (_side, file) => readText(file));
  return located.map(({ place, position, rule, message, fix }) => ({
    file: place.file,
    ...position,
    rule,
    message,
    fix,
  }));
}

/** Checks that a finding needs a larger bump than a number claims. */
function concerns({ tool, claimed }: Claim, finding: Finding): boolean {
  return (tool === undefined || tool === finding.tool) && !isAtLeast(claimed, demandOf(finding));
}

/** Finds the capabilities that callers of the finding's tool need, if any: of a removed one, those that they needed. */
function toNeeds(name: string | undefined, before: Readable, after: Readable): Pick<Problem, "needs"> {
  const tool = name === undefined ? undefined : (after.version.tools.get(name) ?? before.version.tools.get(name));
  const needs = tool?.requiredCapabilities ?? [];
  return needs.length === 0 ? {} : { needs };
}

function toClaimProblem(claim: Claim, { version }: Readable): Problem {
  const { tool, needed } = claim;
  const file = tool === undefined ? "versions.yaml" : (version.tools.get(tool)?.file ?? "versions.yaml");
  const fix = `Release it as ${needed} or higher, or take back what needs that: \`cairn diff\` shows it, \`cairn bump\` writes the number.`;
  return { file, line: 1, column: 1, rule: "under-claimed", message: explainClaim(claim), fix };
}

function toProblem(finding: LocatedFinding): Problem {
  const { place, position, rule, level, message } = finding;
  const explained = explainExample(finding);
  const example = explained === undefined ? "" : ` ${explained}`;
  const removed = place.side === "before" ? " This is its place in the version before." : "";
  return {
    file: place.file,
    ...position,
    rule,
    message: `${message}${example}${removed}`,
    fix: `It needs a ${level} bump.`,
  };
}
