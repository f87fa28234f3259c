import { requireRole, revokeFrom, toGrant } from "../../../directives/phrases/change-capabilities.ts";
import { findCapability } from "../../drafts/find-capability.ts";
import type { Guess } from "../guess-value.ts";
import type { Aim } from "./near-tools.ts";
import { readRights, type Shift } from "./read-rights.ts";

/** Rights that are given and others that are taken away, of one role or of several: "Interns should get kb:translate and lose ticket:read". */
export function guessExchange({ clause, places }: Pick<Aim, "clause" | "places">): readonly Guess[] {
  const { version } = places;
  const { shifts, bars, barring } = readRights(clause, places);
  const groups = [...Map.groupBy(shifts, ({ role, isGiven }) => `${role.id} ${isGiven ? "+" : "-"}`)];
  // A right beside those that are given or taken stays as it is: "keeps build:start, and loses build:read".
  const named = new Set(shifts.flatMap(({ core }) => core));
  const isAllGiven = clause.tokens.every((token, at) => named.has(at) || findCapability(token, places) === undefined);
  if (groups.length === 0 || (groups.length < 2 && isAllGiven && bars.length === 0)) return [];
  const changes = groups.flatMap(([name, [first, ...others]]) =>
    first === undefined
      ? []
      : [{ name, role: first.role.role ?? "", isGiven: first.isGiven, rights: rightsOf([first, ...others]) }],
  );
  // What a role is to have and to lose is not understood.
  const isContradiction = changes.some(({ role, isGiven, rights }) =>
    changes.some(
      (other) => other.role === role && other.isGiven !== isGiven && other.rights.some((one) => rights.includes(one)),
    ),
  );
  if (isContradiction) return [];
  const core = [...named];
  return [
    {
      name: `exchange ${changes.map(({ name, rights }) => name + rights.join()).join(" ")}`,
      signs: { right: 1, elsewhere: 1, close: 1.5, verb: 1, name: 1, exact: 1, marked: 1, siblings: 1 },
      words: [...core, ...barring, ...shifts.flatMap(({ words }) => words)],
      core,
      deed: async (bench) => {
        for (const { role, isGiven, rights } of changes)
          await (isGiven ? toGrant(version, role, rights) : revokeFrom(requireRole(version, role), rights))(bench);
      },
    },
  ];
}

function rightsOf(shifts: readonly Shift[]): readonly string[] {
  return [...new Set(shifts.flatMap(({ rights }) => rights))];
}
