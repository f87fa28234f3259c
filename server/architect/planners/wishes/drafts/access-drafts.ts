import { requireRole, revokeFrom, toGrant } from "../../directives/phrases/change-capabilities.ts";
import type { Deed } from "../../directives/phrase.ts";
import { type Clause, plainNegators } from "../clause.ts";
import { type Draft, explainActions, explainNouns, has } from "./draft.ts";
import { draftCommandHosts, draftCommands } from "./command-drafts.ts";
import { findCapabilities } from "./find-capability.ts";
import { draftHostBlock, draftHostSwap } from "./host-swap-drafts.ts";
import { draftNewRole } from "./new-role.ts";
import type { Places } from "../places/places.ts";
import { draftRoles } from "./role-drafts.ts";
import { draftShift } from "./shift-drafts.ts";
import { draftRequirements } from "./requirement-drafts.ts";
import { readParts } from "../guess/access/rights-parts.ts";

/** Words that speak of others besides the role that is named. */
const OTHERS =
  /\b(?:only|but|except|all|every|everyone|everybody|anyone|anybody|nobody|both|each|instead|other)\b|\b(?:nur|alle[nr]?|niemand|solo|todos|nadie|seul\w*|tous|personne)\b|只|所有/i;
/** "Callers need the capability x, and managers should be granted it": two wishes, of which the first is about a tool. */
const DEMANDS =
  /\b(?:callers?|clients?|tools?|users?)\b[^.]*?\b(?:needs?|require[sd]?|requires)\b[^.]*?\b(?:capability|permission)\b/i;
/** Sayings that somebody is not to do something; who cannot may only complain. */
const MUST_NOT = /\b(?:must|may|should|ought|shall)(?:n['’]t| not| no longer| never)\b/iu;

/** Drafts about who may do what: grants of roles, new roles, and commands of workspaces. */
export function draftAccess(clause: Clause, places: Places): readonly Draft[] {
  return [
    ...draftGrants(clause, places),
    ...draftShift(clause, places),
    ...draftRoles(clause, places),
    ...draftRequirements(clause, places),
    ...draftNewRole(clause, places),
    ...draftCommands(clause, places),
    ...draftCommandHosts(clause, places),
    ...draftHostSwap(clause, places),
    ...draftHostBlock(clause, places),
  ];
}

function draftGrants(clause: Clause, places: Places): readonly Draft[] {
  const named = findCapabilities(clause, places);
  if (named.length === 0) return [];
  const { version } = places;
  const isNegated = clause.negators.length > 0;
  const parts = readParts(clause, places);
  // "Interns must not translate replies any more" has no other verb.
  const isTaken = parts.some(
    ({ isGiven, roles, text }) => isGiven === false && roles.length > 0 && MUST_NOT.test(text) && !OTHERS.test(text),
  );
  const revoke = explainActions(clause, ["revoke", "remove", "disable"]) ?? (isTaken ? clause.negators : undefined);
  const grant = revoke === undefined ? explainActions(clause, ["grant", "add", "enable", "set"]) : undefined;
  const verbs = revoke ?? grant;
  const taken = new Set(named.flatMap(({ words }) => words));
  const isExact = named.every(({ words: [at = 0] }) => /[_.:]/.test(clause.tokens[at]?.text ?? ""));
  // "Should get" may go on with "and lose": only a verb of granting is clear.
  const isClear =
    (isTaken || has(clause, "grant", "add", "enable", "revoke", "remove", "disable")) &&
    (isExact || isTaken || verbs?.some((at) => (clause.weights[at] ?? 0) > 0) === true);
  const roles = places.things.filter(
    (thing) =>
      thing.kind === "role" &&
      thing.names.some((name) =>
        name.every((stem) => clause.tokens.some(({ stems }, at) => !taken.has(at) && stems.includes(stem))),
      ),
  );
  if (verbs === undefined || roles.length === 0 || named.length === 0) return [];
  // Two roles may be named alike: each is a reading.
  return roles.map((thing): Draft => {
    const own = clause.tokens.flatMap(({ stems }, at) =>
      !taken.has(at) && stems.length > 0 && stems.every((stem) => thing.names.flat().includes(stem)) ? [at] : [],
    );
    const nouns = explainNouns(clause, "role", "permission", "tool");
    const capabilities = named.map(({ capability }) => capability);
    const deed: Deed = (bench) => {
      return revoke === undefined
        ? toGrant(version, thing.role ?? "", capabilities)(bench)
        : revokeFrom(requireRole(version, thing.role ?? ""), capabilities)(bench);
    };
    const talk = clause.tokens.flatMap(({ lower }, at) =>
      /^(?:able|see|read|look|use|used|call|calls|access|using|run|invoke|longer|any|more)$/.test(lower) ? [at] : [],
    );
    return {
      name: `${revoke === undefined ? "grant" : "revoke"} ${thing.id} ${capabilities.join()}`,
      label: thing.label,
      thing,
      explained: new Set([
        ...verbs,
        ...own,
        ...nouns,
        ...taken,
        ...talk,
        ...(revoke === undefined ? [] : plainNegators(clause)),
      ]),
      soft: new Set(),
      doubt:
        (isClear ? 0 : 1) +
        (isNegated && revoke === undefined ? 1 : 0) +
        (OTHERS.test(clause.text) || DEMANDS.test(clause.text) ? 1 : 0),
      deed,
    };
  });
}
