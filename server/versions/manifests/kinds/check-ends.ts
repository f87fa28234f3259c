import type { DeprecationContent } from "../../retirement/deprecation.ts";
import type { Problem } from "../../problem.ts";
import type { History } from "../../loaded-history.ts";
import type { Manifest } from "../manifest.ts";
import type { Path } from "../yaml/locate.ts";

type CreateProblem = Manifest<unknown>["problem"];

/** Checks that the service of something deprecated does not end before it is deprecated. */
export function checkDays(
  deprecated: DeprecationContent | undefined,
  path: Path,
  problem: CreateProblem,
): readonly Problem[] {
  const { since, sunset } = deprecated ?? {};
  // Days in this form are in the order of their texts.
  if (since === undefined || sunset === undefined || sunset >= since) return [];
  const message = `The service ends on ${sunset}, before ${since}, when it is deprecated.`;
  return [problem("deprecation-invalid", [...path, "sunset"], message, "Write a later day under `sunset`.")];
}

/** Checks that no label stands for a version that ends, and that successors go on for longer than what they follow. */
export function checkEnds({ labels, versions }: History, problem: CreateProblem): readonly Problem[] {
  return [
    ...[...labels].flatMap(([label, version]) => checkLabel(label, version, versions, problem)),
    ...[...versions.keys()].flatMap((version) => checkSuccessor(version, versions, problem)),
  ];
}

/** A label that stands for a version with an end would end with it. */
function checkLabel(
  label: string,
  version: string,
  versions: History["versions"],
  problem: CreateProblem,
): readonly Problem[] {
  const { sunset, successor = "another version" } = versions.get(version)?.deprecated ?? {};
  if (sunset === undefined) return [];
  const message = `The label \`${label}\` stands for ${version}, whose service has an end.`;
  return [problem("label-retired", ["labels", label], message, `Move it to \`${successor}\`, or remove it.`)];
}

function checkSuccessor(version: string, versions: History["versions"], problem: CreateProblem): readonly Problem[] {
  const { successor, sunset } = versions.get(version)?.deprecated ?? {};
  if (successor === undefined) return [];
  const end = versions.get(successor)?.deprecated?.sunset;
  if (successor !== version && (end === undefined || (sunset !== undefined && end > sunset))) return [];
  const which = successor === version ? "itself" : `${successor}, which ends no later`;
  const path = ["versions", version, "deprecated", "successor"];
  const fix = "Name a version that goes on for longer.";
  return [problem("deprecation-invalid", path, `The successor of ${version} is ${which}.`, fix)];
}
