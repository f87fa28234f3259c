import { covers } from "../../../../versions/covers.ts";
import type { Policy } from "../../../../versions/policy.ts";
import type { Tool, Version } from "../../../../versions/version.ts";
import { grantTo, requireRole, revokeFrom } from "../../directives/phrases/change-capabilities.ts";
import type { Deed } from "../../directives/phrase.ts";
import { refuse, toList } from "../../../guard/refuse.ts";
import type { Clause } from "../clause.ts";
import { type Draft, explainActions, explainNouns, has, isNameOf, matchThing } from "./draft.ts";
import { draftCommandHosts, draftCommands } from "./command-drafts.ts";
import type { Places, Thing } from "../places/places.ts";
import type { Token } from "../words/words.ts";
import { CAPABILITY, draftRequirements } from "./requirement-drafts.ts";

interface Named {
  readonly capability: string;
  readonly words: readonly number[];
}

/** Words that speak of others besides the role that is named. */
const OTHERS =
  /\b(?:only|but|except|all|every|everyone|everybody|anyone|anybody|nobody|both|each|instead|other)\b|\b(?:nur|alle[nr]?|niemand|solo|todos|nadie|seul\w*|tous|personne)\b|只|所有/i;
/** "Callers need the capability x, and managers should be granted it": two wishes, of which the first is about a tool. */
const DEMANDS =
  /\b(?:callers?|clients?|tools?|users?)\b[^.]*?\b(?:needs?|require[sd]?|requires)\b[^.]*?\b(?:capability|permission)\b/i;
/** Words beside the one for roles that are no names. */
const NEW =
  /^(?:neue[rsmn]?|nuev[oa]|nouveau|nouvelle|novel|fresh|separate|propi[oa]|eigene[rn]?|propre|which|that|named|called|able|use|using|call|access|run|create|grants?)$/;
const FAMILY = /^[\w.]+[._]\*$/;

/** Drafts about who may do what: grants of roles, new roles, and commands of workspaces. */
export function draftAccess(clause: Clause, places: Places): readonly Draft[] {
  return [
    ...draftGrants(clause, places),
    ...draftRequirements(clause, places),
    ...draftNewRole(clause, places),
    ...draftCommands(clause, places),
    ...draftCommandHosts(clause, places),
  ];
}

function draftGrants(clause: Clause, places: Places): readonly Draft[] {
  const named = findCapabilities(clause, places);
  if (named.length === 0) return [];
  const { version } = places;
  const isNegated = clause.negators.length > 0;
  const revoke = explainActions(clause, ["revoke", "remove", "disable"]);
  const grant = revoke === undefined ? explainActions(clause, ["grant", "add", "enable", "set"]) : undefined;
  const verbs = revoke ?? grant;
  const taken = new Set(named.flatMap(({ words }) => words));
  const isExact = named.every(({ words: [at = 0] }) => /[_.:]/.test(clause.tokens[at]?.text ?? ""));
  // "Should get" may go on with "and lose": only a verb of granting is clear.
  const isClear =
    has(clause, "grant", "add", "enable", "revoke", "remove", "disable") &&
    (isExact || verbs?.some((at) => (clause.weights[at] ?? 0) > 0) === true);
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
      /^(?:able|see|read|look|use|used|call|calls|access|using|run|invoke|longer)$/.test(lower) ? [at] : [],
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
        ...(revoke === undefined ? [] : clause.negators),
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

/** Has a role grant those of some capabilities that it does not cover yet, by families such as `build:*`. */
export function toGrant(version: Version, role: string, capabilities: readonly string[]): Deed {
  const found = requireRole(version, role);
  const held = found.policy.roles.get(role) ?? [];
  const fresh = capabilities.filter((capability) => !held.some((own) => covers(own, capability)));
  if (fresh.length > 0 && fresh.length < capabilities.length)
    throw refuse(`The role \`${role}\` grants some of this already.`, `It grants ${toList(held)}.`);
  return grantTo(found, fresh);
}

function isRoleWord({ names }: Thing, stems: readonly string[]): boolean {
  return names.some((name) => name.length === stems.length && name.every((stem, at) => stems[at] === stem));
}

/** Capabilities that a clause names, as such or by their tools. */
function findCapabilities(clause: Clause, places: Places): readonly Named[] {
  const tools = places.things.filter((thing) => thing.kind === "tool");
  const exact = clause.tokens.flatMap((token, at): readonly Named[] => {
    const capability = findCapability(token, places);
    return capability === undefined ? [] : [{ capability, words: [at] }];
  });
  if (exact.length > 0) return exact;
  // "the weather tool", by all words of its name or title
  const matches = tools.flatMap((thing) => {
    const match = matchThing(clause, thing, places);
    return match !== undefined && match.own >= 1 ? [{ thing, words: [...match.explained] }] : [];
  });
  const [only, ...others] = matches;
  return only === undefined || others.length > 0
    ? []
    : [{ capability: toCapability(only.thing.tool), words: only.words }];
}

/** The capability that a word names, as such, as a family of them, or by its tool. */
export function findCapability({ text, stems, kind, lower }: Token, { things }: Places): string | undefined {
  if (kind === "sign" || kind === "number") return undefined;
  if (CAPABILITY.test(text) && !/^https?:/.test(text)) return text;
  if (FAMILY.test(text)) return `tool:${text}`;
  const found = things.filter(
    (thing) => thing.kind === "tool" && stems.length > 1 && thing.tool !== undefined && isNameOf(thing.tool, lower),
  );
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? undefined : toCapability(only.tool);
}

function toCapability(tool: Tool | undefined): string {
  const [only, ...others] = tool?.requiredCapabilities ?? [];
  return only !== undefined && others.length === 0 ? only : `tool:${tool?.name ?? ""}`;
}

/** Has a policy define a role. */
export function toNewRole({ file }: Policy, name: string, capabilities: readonly string[]): Deed {
  return async (bench) => {
    const isChanged = await bench.set(file, ["roles", name], [...capabilities]);
    const granted = capabilities.map((one) => `\`${one}\``);
    if (isChanged) bench.say(`There is a role \`${name}\`, which grants ${granted.join(", ")}.`);
    bench.need("minor");
  };
}

/** Finds the name of a role behind what it is for: "new role for the docs bot: librarian". */
export function roleBehindColon({ text, tokens }: Clause): number | undefined {
  const found =
    /\b(?:role|rolle|rol|rôle)\b[^.:;!?\d]{0,40}:\s*["'\x60]?([a-z][\w-]{1,63})["'\x60]?(?=[.,;\s]|$)/iu.exec(text);
  const name = found?.[1];
  if (found === null || name === undefined) return undefined;
  const start = text.indexOf(name, found.index + found[0].lastIndexOf(name));
  const at = tokens.findIndex((token) => token.start <= start && token.end > start && token.text === name);
  return at < 0 ? undefined : at;
}

/** Places beside a word for roles that may name one, the likeliest first: "let apprentice (a new role) read". */
export function placesForName({ tokens }: Clause, noun: number): readonly number[] {
  const isClosed = tokens[noun + 1]?.text === ")";
  const open = isClosed ? tokens.findLastIndex(({ text }, at) => at < noun && text === "(") : -1;
  return open > 0 ? [open - 1] : [noun + 1, noun + 2, noun + 3, noun - 1];
}

function draftNewRole(clause: Clause, places: Places): readonly Draft[] {
  const [noun = -1] = explainNouns(clause, "role");
  const verbs = explainActions(clause, ["add"]);
  const isNamed = places.things.some(
    (thing) => thing.kind === "role" && clause.tokens.some(({ stems }) => stems.length > 0 && isRoleWord(thing, stems)),
  );
  const [policy, ...others] = places.version.policies.filter(({ roles }) => roles.size > 0);
  if (
    isNamed ||
    noun < 0 ||
    verbs === undefined ||
    policy === undefined ||
    others.length > 0 ||
    has(clause, "remove", "revoke")
  )
    return [];
  const named = findCapabilities(clause, places);
  const isFree = (at: number) => {
    const token = clause.tokens[at];
    return (
      token !== undefined &&
      token.kind !== "sign" &&
      token.kind !== "number" &&
      (clause.weights[at] ?? 0) > 0 &&
      /^[a-z][\w-]{1,63}$/i.test(token.text) &&
      !NEW.test(token.lower) &&
      !places.version.policies.some(({ roles }) => roles.has(token.text))
    );
  };
  const at = [roleBehindColon(clause) ?? -1, ...placesForName(clause, noun)].find(isFree);
  const name = clause.tokens[at ?? -1]?.text.toLowerCase();
  if (at === undefined || name === undefined || named.some(({ words }) => words.includes(at))) return [];
  const only = clause.negators.filter((place) => clause.tokens[place]?.lower === "only");
  const talk = clause.tokens.flatMap(({ lower }, place) =>
    /^(?:named|called|able|use|call|access|using|run|create|grants?|may|can)$/.test(lower) ? [place] : [],
  );
  const grants = clause.actions.get("grant") ?? [];
  const capabilities = named.map(({ capability }) => capability);
  const deed = toNewRole(policy, name, capabilities);
  const explained = new Set([noun, at, ...verbs, ...only, ...talk, ...grants, ...named.flatMap(({ words }) => words)]);
  const base = {
    name: `role ${name} ${capabilities.join()}`,
    label: `a role \`${name}\``,
    thing: undefined,
    explained,
    soft: new Set<number>(),
    doubt: 0,
  };
  return [
    capabilities.length === 0
      ? { ...base, doubt: 1, missing: `What may the role \`${name}\` use?` }
      : { ...base, deed },
  ];
}
