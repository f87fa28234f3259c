import { setImmediate } from "node:timers/promises";
import { type Claim, createClaim } from "./claim.ts";
import type { Version } from "../versions/version.ts";
import { type AcceptFault, acceptBreaks } from "./accept-breaks.ts";
import { createFinding, demandOf, type Finding, placeIn } from "./finding.ts";
import { findParameterChanges } from "./find-parameter-changes.ts";
import { type Reading, toReading } from "./reading.ts";
import { findPolicyChanges } from "./find-policy-changes.ts";
import { findAgentChanges, findServerChanges } from "./find-server-changes.ts";
import { findHandlerChanges, findToolChanges } from "./find-tool-changes.ts";
import { findUpstreamChanges } from "./find-upstream-changes.ts";
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

/** Milliseconds after which other work gets its turn, once the tool that is being compared is done. */
const TURN_MS = 5;

/** As `compareVersions`, for a process that answers others meanwhile. */
export async function compareInTurns(before: Version, after: Version, reading?: Reading): Promise<Difference> {
  const steps = compareStepwise(before, after, reading);
  let began = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - began < TURN_MS) continue;
    await setImmediate();
    began = performance.now();
  }
}

/** Compares two versions in steps of one tool each, for callers with other work in between. */
function* compareStepwise(
  before: Version,
  after: Version,
  reading: Reading = toReading(before, after),
): Generator<void, Difference> {
  const found = [
    ...findAgentChanges(before, after),
    ...findServerChanges(before, after, reading),
    ...findParameterChanges(before.parameters, after.parameters, reading),
    ...findWorkflowChanges(before.workflows, after.workflows, reading),
    ...findUpstreamChanges(before, after),
    ...findPolicyChanges(before, after, reading),
    ...findHandlerChanges(before, after),
  ];
  for (const name of new Set([...before.tools.keys(), ...after.tools.keys()])) {
    found.push(...findToolChanges(before.tools.get(name), after.tools.get(name), reading));
    yield;
  }
  if (reading !== "plain" && found.length === 0) found.push(...findRewritten(before, after));
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

/**
 * Finds manifests that say something else, or in another order, where nothing that anyone can feel differs: a default is written
 * out, or another policy keeps a limit lower. Comments and layout are nobody's concern.
 */
function findRewritten({ manifests: old }: Version, { manifests: young }: Version): readonly Finding[] {
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((file) => {
    if (old.get(file) === young.get(file)) return [];
    const how = !old.has(file) ? "is new" : young.has(file) ? "is written in another way" : "is not there any more";
    const place = placeIn(young.has(file) ? "after" : "before", file);
    return [createFinding("manifest-rewritten", `\`${file}\` ${how}, and nobody can tell the difference.`, place)];
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
