import { covers } from "../../../../versions/covers.ts";
import type { Version } from "../../../../versions/version.ts";
import type { Deed } from "../../directives/phrase.ts";
import { grantTo, requireRole, revokeFrom } from "../../directives/phrases/change-capabilities.ts";
import { showValue } from "../../../show-value.ts";
import type { Clause } from "../clause.ts";
import type { Places, Thing } from "../places/places.ts";
import { placesAcross, toStems } from "../words/words.ts";
import { findCapability } from "./find-capability.ts";
import { type Draft, explainActions, explainNouns } from "./draft.ts";

/** Words that say that a role has what is named and nothing else, before it or behind it. */
const ONLY_BEFORE =
  /\b(?:only|just|solely|exclusively|nothing (?:but|except|besides|other than|more than)|no more than)$/iu;
const ONLY_BEHIND =
  /^(?:(?:only|alone|exclusively)\b(?! (?:for|when|if|in|on|during|until|till|with|as|by|to|after|before|while|where|from|at)\b)|(?:and|but) (?:nothing (?:else|more)|no more|that['’]?s (?:it|all)))\b/iu;
/** Words beside those. */
const HAVING =
  /^(?:leave|left|keep|keeps|have|has|hold|holds|grants?|with|nothing|but|except|besides|else|more|other|than|just|solely|alone|exclusively|only|business|rights?|no|that|role)$/;
/** A family of capabilities in words: "the repository tools", "all of the foyer rights". */
const FAMILY =
  /(?<![\w-])(?<family>[a-z][a-z0-9]{1,40})(?:[_.:/]\*)? (?:tools|rights|permissions|capabilities|things)(?![\w-])/giu;
const WHOLE = /^(?:all|every|whole|of|any|family)$/;
/** What stands between the words of a family and the member of it: `tool:git_diff`, `foyer/see`. */
const STEMS: readonly (readonly [before: string, behind: string])[] = [
  ["tool:", "_"],
  ["tool:", "."],
  ["", ":"],
  ["", "/"],
];

/** Drafts about all that a role may do: nothing but some rights, or a family of them by the word that they begin with. */
export function draftRoles(clause: Clause, places: Places): readonly Draft[] {
  const [role, ...others] = rolesOf(clause, places);
  if (role === undefined || others.length > 0) return [];
  return [...draftOnly(clause, role, places), ...draftFamily(clause, role, places)];
}

/** A role that a clause names, with the words that do. */
interface Named {
  readonly thing: Thing;
  readonly role: string;
  readonly words: readonly number[];
}

function rolesOf(clause: Clause, places: Places): readonly Named[] {
  const isRight = (at: number) => {
    const token = clause.tokens[at];
    return token !== undefined && /[:/_.*]/.test(token.text) && findCapability(token, places) !== undefined;
  };
  return places.things.flatMap((thing): readonly Named[] => {
    const { kind, role, names } = thing;
    if (kind !== "role" || role === undefined) return [];
    const words = names.flatMap((name) => {
      const found = name.map((stem) =>
        clause.tokens.findIndex(({ stems }, at) => stems.includes(stem) && !isRight(at)),
      );
      return found.every((at) => at >= 0) ? found : [];
    });
    return words.length > 0 ? [{ thing, role, words }] : [];
  });
}

/** "The judge role should have tuner.propose only", "trainee should have nothing but foyer/see" */
function draftOnly(clause: Clause, { thing, role, words }: Named, places: Places): readonly Draft[] {
  const rights = clause.tokens.flatMap((token, at) => {
    const right = words.includes(at) ? undefined : findCapability(token, places);
    return right === undefined ? [] : [{ right, at }];
  });
  const [first, last] = [clause.tokens[rights[0]?.at ?? -1], clause.tokens[rights.at(-1)?.at ?? -1]];
  if (first === undefined || last === undefined) return [];
  const isOnly =
    ONLY_BEFORE.test(
      clause.text
        .slice(0, first.start)
        .trimEnd()
        .replace(/["'\x60]$/u, "")
        .trimEnd(),
    ) || ONLY_BEHIND.test(clause.text.slice(last.end).replace(/^["'\x60]?,?\s*/u, ""));
  const held = places.version.policies.flatMap(({ roles }) => roles.get(role) ?? []);
  const kept = [...new Set(rights.map(({ right }) => right))];
  const lost = held.filter((one) => !kept.includes(one));
  // "Should not have only that" says the contrary.
  const isDenied = clause.negators.some(
    (at) =>
      !/^(?:only|nothing|no)$/.test(clause.tokens[at]?.lower ?? "") && clause.tokens[at + 1]?.lower !== "business",
  );
  if (!isOnly || isDenied || lost.length === 0 || !kept.every((right) => held.some((own) => covers(own, right))))
    return [];
  const gone = new Set(lost.flatMap(toStems));
  return [
    {
      name: `revoke ${thing.id} ${lost.join()}`,
      label: thing.label,
      thing,
      explained: new Set([
        ...words,
        ...rights.map(({ at }) => at),
        ...explainNouns(clause, "role", "permission", "tool"),
        ...clause.tokens.flatMap(({ lower, stems, kind }, at) =>
          HAVING.test(lower) || (kind === "word" && stems.length > 0 && stems.every((stem) => gone.has(stem)))
            ? [at]
            : [],
        ),
        ...(["set", "restrict", "grant", "revoke", "remove"] as const).flatMap(
          (verb) => clause.actions.get(verb) ?? [],
        ),
        ...clause.negators,
      ]),
      soft: new Set(),
      doubt: 0,
      settles: true,
      deed: keepOnly(places.version, role, kept, lost),
    },
  ];
}

/** Has a role grant some rights and no others. */
function keepOnly(version: Version, role: string, kept: readonly string[], lost: readonly string[]): Deed {
  const { policy } = requireRole(version, role);
  return async (bench) => {
    for (const right of kept) await bench.addItem(policy.file, ["roles", role], right);
    for (const right of lost) await bench.removeItem(policy.file, ["roles", role], right);
    bench.say(
      `The role \`${role}\` grants only ${kept.map(showValue).join(", ")}, and no longer ${lost.map(showValue).join(", ")}.`,
    );
    bench.need("major");
  };
}

/** "Take the repository tools away from the worker role" */
function draftFamily(clause: Clause, { thing, role, words }: Named, places: Places): readonly Draft[] {
  const [found, ...others] = [...clause.text.matchAll(FAMILY)].flatMap((match) => {
    const prefix = toPrefix(match.groups?.["family"]?.toLowerCase() ?? "", places.version);
    return prefix === undefined ? [] : [{ prefix, start: match.index, end: match.index + match[0].length }];
  });
  const revoke = explainActions(clause, ["revoke", "remove", "disable"]);
  const grant = revoke === undefined ? explainActions(clause, ["grant", "add", "enable"]) : undefined;
  const verbs = revoke ?? grant;
  if (found === undefined || others.length > 0 || verbs === undefined) return [];
  if (clause.negators.length > 0 && revoke === undefined) return [];
  const { prefix } = found;
  const holder = requireRole(places.version, role);
  const held = (holder.policy.roles.get(role) ?? []).filter((one) => one.startsWith(prefix));
  const own = placesAcross(clause.tokens, found);
  if (words.every((at) => own.includes(at)) || (revoke !== undefined && held.length === 0)) return [];
  const capabilities = revoke === undefined ? [`${prefix}*`] : held;
  return [
    {
      name: `${revoke === undefined ? "grant" : "revoke"} ${thing.id} ${capabilities.join()}`,
      label: thing.label,
      thing,
      explained: new Set([
        ...words,
        ...own,
        ...verbs,
        ...explainNouns(clause, "role"),
        ...clause.tokens.flatMap(({ lower }, at) => (WHOLE.test(lower) ? [at] : [])),
        ...(revoke === undefined ? [] : clause.negators),
      ]),
      soft: new Set(),
      doubt: 0,
      settles: true,
      deed: revoke === undefined ? grantTo(holder, capabilities) : revokeFrom(holder, capabilities),
    },
  ];
}

/** What the capabilities of a family begin with; undefined where there are not several of them. */
function toPrefix(family: string, { tools, policies }: Version): string | undefined {
  const required = [...tools.values()].flatMap((tool) => tool.requiredCapabilities);
  const granted = new Set(policies.flatMap(({ roles }) => [...roles.values()].flat()));
  const prefixes = STEMS.map(([before, behind]) => before + family + behind);
  return prefixes.find(
    (prefix) =>
      granted.has(`${prefix}*`) || new Set(required.filter((capability) => capability.startsWith(prefix))).size > 1,
  );
}
