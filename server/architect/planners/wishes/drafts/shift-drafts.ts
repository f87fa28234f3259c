import type { Clause } from "../clause.ts";
import { requireRole, revokeFrom, toGrant } from "../../directives/phrases/change-capabilities.ts";
import { readRights } from "../guess/access/read-rights.ts";
import type { Places } from "../places/places.ts";
import { stemSet } from "../places/places.ts";
import { toStems } from "../words/words.ts";
import { findCapability } from "./find-capability.ts";
import { type Draft, explainNouns } from "./draft.ts";

/** Sayings that may only tell what somebody lacks, or how he is to do it, or that he has nothing else. */
const COMPLAINED = /\b(?:can(?:not|['’]t| not| no longer)|could(?:n['’]t| not| no longer)|without|only|just|alone)\b/iu;

/** Drafts of the one thing that a clause says of who has which right, whatever its verb: "ci needs build:logs", "intern += kb:translate". */
export function draftShift(clause: Clause, places: Places): readonly Draft[] {
  const { shifts, bars, isOpen } = readRights(clause, places);
  const [first] = shifts;
  const named = new Set(shifts.flatMap(({ core }) => core));
  const isAll = clause.tokens.every((token, at) => named.has(at) || findCapability(token, places) === undefined);
  if (first === undefined || isOpen || bars.length > 0 || !isAll) return [];
  const { role: thing, isGiven } = first;
  const { version } = places;
  if (shifts.some((one) => one.role !== thing || one.isGiven !== isGiven)) return [];
  const rights = [...new Set(shifts.flatMap((one) => one.rights))];
  const own = named.union(new Set(shifts.flatMap(({ words }) => words)));
  const isNegated = isGiven && clause.negators.some((at) => own.has(at));
  if (isNegated || (!isGiven && COMPLAINED.test(clause.text))) return [];
  const stems = glossOf(rights, places);
  const gloss = clause.tokens.flatMap((token, at) =>
    token.kind === "word" && token.stems.length > 0 && token.stems.every((stem) => stems.has(stem)) ? [at] : [],
  );
  return [
    {
      name: `${isGiven ? "grant" : "revoke"} ${thing.id} ${rights.join()}`,
      label: thing.label,
      thing,
      explained: new Set([...own, ...gloss, ...explainNouns(clause, "role", "permission", "tool")]),
      soft: new Set(),
      doubt: 0,
      deed: (bench) =>
        isGiven
          ? toGrant(version, thing.role ?? "", rights)(bench)
          : revokeFrom(requireRole(version, thing.role ?? ""), rights)(bench),
    },
  ];
}

/** The words that say what rights are for: those of their names, and of the tools that ask for them. */
function glossOf(rights: readonly string[], { version }: Places): ReadonlySet<string> {
  const tools = [...version.tools.values()].filter(({ name, requiredCapabilities }) =>
    rights.some((right) => right === `tool:${name}` || requiredCapabilities.includes(right)),
  );
  return new Set([...rights.flatMap(toStems), ...stemSet(...tools.flatMap(({ name, title }) => [name, title]))]);
}
