import { type Deprecation, toNoticeDays } from "../retirement/deprecation.ts";
import type { Problem } from "../problem.ts";
import { suggest } from "../../text/suggest.ts";
import type { Manifest } from "./manifest.ts";
import type { Parts } from "./parts.ts";
import type { Path } from "./yaml/locate.ts";
import { DAY_MS } from "../../text/duration.ts";

/** Checks that callers of what ends have the notice that policies ask for, and that successors of tools are tools. */
export function checkDeprecations(
  { history, tools, policies }: Pick<Parts, "history" | "tools" | "policies">,
  names: readonly string[],
): readonly Problem[] {
  const days = toNoticeDays(policies.map(({ policy }) => policy));
  const versions = [...(history?.history.versions ?? [])].flatMap(([version, { deprecated }]) =>
    history === undefined ? [] : checkNotice(deprecated, days, ["versions", version, "deprecated"], history.problem),
  );
  const ofTools = [...tools.values()].flatMap(({ tool: { name, deprecated }, problem }) => [
    ...checkNotice(deprecated, days, ["deprecated"], problem),
    ...checkSuccessor(name, deprecated?.successor, names, problem),
  ]);
  return [...versions, ...ofTools];
}

function checkNotice(
  deprecated: Deprecation | undefined,
  days: number,
  path: Path,
  problem: Manifest<unknown>["problem"],
): readonly Problem[] {
  if (deprecated?.sunset === undefined || deprecated.yanked === true) return [];
  const given = (deprecated.sunset - deprecated.since) / DAY_MS;
  if (given < 0 || given >= days) return [];
  const message = `Callers have a notice of ${given} days, and policies ask for ${days}.`;
  const first = new Date(deprecated.since + days * DAY_MS).toISOString().slice(0, 10);
  const fix = `Write ${first} under \`sunset\`, or a later day.`;
  return [problem("deprecation-invalid", [...path, "sunset"], message, fix)];
}

function checkSuccessor(
  name: string,
  successor: string | undefined,
  names: readonly string[],
  problem: Manifest<unknown>["problem"],
): readonly Problem[] {
  if (successor === undefined || (successor !== name && names.includes(successor))) return [];
  const meant = suggest(
    successor,
    names.filter((other) => other !== name),
  );
  const message =
    successor === name ? `The successor of \`${name}\` is itself.` : `There is no tool \`${successor}\` to follow.`;
  const fix = `${meant ? `Did you mean \`${meant}\`? ` : ""}Name a tool of this tree by its full name.`;
  return [problem("deprecation-invalid", ["deprecated", "successor"], message, fix)];
}
