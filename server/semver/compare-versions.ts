import { type Claim, createClaim } from "./claim.ts";
import type { Version } from "../versions/version.ts";
import { type AcceptFault, acceptBreaks } from "./accept-breaks.ts";
import { demandOf, type Finding } from "./finding.ts";
import { findHandlerChanges } from "./find-handler-changes.ts";
import { findParameterChanges } from "./find-parameter-changes.ts";
import { type Reading, toReading } from "./reading.ts";
import { findPolicyChanges } from "./find-policy-changes.ts";
import { findAgentChanges, findServerChanges } from "./find-server-changes.ts";
import { findToolChanges } from "./find-tool-changes.ts";
import { findWorkflowChanges } from "./find-workflow-changes.ts";
import { type Level, LEVELS, largest } from "./level.ts";

/** Difference of two trees, with the claims of the newer one's numbers. */
export interface Difference {
  readonly before: Compared;
  readonly after: Compared;
  /** Findings, the largest bump first. */
  readonly findings: readonly Finding[];
  readonly required: Level;
  /** Of the tree, then of each tool that changed, by name. */
  readonly claims: readonly Claim[];
  /** Faults of what the newer one accepts next to the older one: errors for a version that has no tag yet. */
  readonly faults: readonly AcceptFault[];
  readonly isUnderClaimed: boolean;
}

export interface Compared {
  readonly version: string;
  readonly commit: string;
  /** Of the surface. */
  readonly fingerprint: string;
}

export function compareVersions(before: Version, after: Version, reading?: Reading): Difference {
  const steps = compareStepwise(before, after, reading);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Compares two versions in steps of one tool each, for callers with other work in between. */
export function* compareStepwise(
  before: Version,
  after: Version,
  reading: Reading = toReading(before, after),
): Generator<void, Difference> {
  const found = [
    ...findAgentChanges(before, after),
    ...findServerChanges(before, after, reading),
    ...findParameterChanges(before.parameters, after.parameters, reading),
    ...findWorkflowChanges(before.workflows, after.workflows, reading),
    ...findPolicyChanges(before, after, reading),
    ...findHandlerChanges(before, after),
  ];
  for (const name of new Set([...before.tools.keys(), ...after.tools.keys()])) {
    found.push(...findToolChanges(before.tools.get(name), after.tools.get(name), reading));
    yield;
  }
  const { findings, faults } = acceptBreaks(found, before, after);
  const required = largest(findings.map(demandOf));
  const claims = [createClaim(before.semver, after.semver, required), ...toToolClaims(before, after, findings)];
  return Object.freeze({
    before: toCompared(before),
    after: toCompared(after),
    findings: findings.toSorted(byWeight),
    required,
    claims,
    faults,
    isUnderClaimed: claims.some(({ isKept }) => !isKept),
  });
}

function toToolClaims(before: Version, after: Version, findings: readonly Finding[]): readonly Claim[] {
  const byTool = Map.groupBy(
    findings.filter(({ rule }) => rule !== "tool-version-changed"),
    ({ tool }) => tool,
  );
  return [...after.tools.values()].flatMap((tool) => {
    const own = byTool.get(tool.name);
    const old = before.tools.get(tool.name);
    if (own === undefined || old === undefined) return [];
    return [createClaim(old.version, tool.version, largest(own.map(demandOf)), tool.name)];
  });
}

function toCompared({ semver, commit, fingerprint }: Version): Compared {
  return Object.freeze({ version: semver, commit, fingerprint: fingerprint() });
}

function byWeight(a: Finding, b: Finding): number {
  const order = [
    LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level),
    compareTexts(a.server ?? "", b.server ?? ""),
    compareTexts(a.tool ?? "", b.tool ?? ""),
    compareTexts(a.rule, b.rule),
    compareTexts(a.message, b.message),
  ];
  return order.find((sign) => sign !== 0) ?? 0;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
