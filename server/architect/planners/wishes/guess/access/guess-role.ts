import { likelihoodOf } from "../../intent/read-intent.ts";
import { findCapability } from "../../drafts/find-capability.ts";
import { placesForName, roleBehindColon, toNewRole } from "../../drafts/new-role.ts";
import { hasNoun, isIdentifierOf } from "../../drafts/draft.ts";
import { type Clause, readClause } from "../../clause.ts";
import { CAPABILITY } from "../../drafts/requirement-drafts.ts";
import type { Places } from "../../places/places.ts";
import { PLAIN } from "../../words/phrase-index.ts";
import { wholeName } from "../../words/whole-name.ts";
import { STOP } from "../../words/word-lists.ts";
import type { Guess } from "../guess-value.ts";
import { type Aim, type NearTool, toolsNear } from "./near-tools.ts";
import { findRelevant } from "../relevance.ts";

/** Likelihood of a new role from which on one is guessed without a word for roles. */
const LIKELY = 0.12;
/** Weight of a tool that a part of a message describes, at least. */
const DESCRIBED = 0.4;
const NAME = /^[a-z][\w-]{1,63}$/i;
/** Words between which the rights of a role stand. */
const BETWEEN =
  /[,;:()，、；：（）]|\s(?:and|or|plus|that|which|who|und|oder|y|e|o|et|ou|sowie|avec|mit|con)\s|和|以及|还有/iu;
/** "Nothing else" says what the role has not. */
const NONE =
  /\b(?:nothing|else|not|n['’]t|never|no|cannot|sonst|nichts|nicht|keine?|nada|ning\w+|rien|pas|aucun\w*)\b|不|别/iu;
const CALLED =
  /^(?:called|named|role|rolle|rol|rôle|profile?|perfil|namens|genannt|llamad[oa]|nommée?|introduce|叫)$/iu;
/** Words that stand beside those for roles, and are no names. */
const PLAINLY =
  /^(?:new|neue[rsn]?|nueva?|nuevo|nouveau|nouvelle|separate|own|another|except|but|besides|other|than|anlegen|crear|créer|set|should)$/iu;

/** New roles, with the rights that a message describes: "a role night_shift that may only look up stock and move pallets". */
export function guessRole(aim: Aim): readonly Guess[] {
  const { clause, places, likelihoods } = aim;
  const { version } = places;
  const likely = likelihoodOf(likelihoods, "role-new");
  const [policy, ...others] = version.policies.filter(({ roles }) => roles.size > 0);
  const isSaid = hasNoun(clause, "role");
  if (policy === undefined || others.length > 0 || !(isSaid || likely > LIKELY)) return [];
  return findNames(aim).flatMap((at): readonly Guess[] => {
    const whole = wholeName(clause.tokens, clause.text, at);
    const name = whole.name.toLowerCase();
    return listRights(aim, at).map(({ capabilities, words, signs }) => ({
      name: `role ${name} ${capabilities.join()}`,
      signs: { right: 1, verb: 1, ...(isSaid ? { marked: 1 } : {}), ...signs },
      words: [
        ...whole.words,
        ...words,
        ...clause.nouns.keys(),
        ...(clause.actions.get("add") ?? []),
        ...clause.negators,
      ],
      deed: toNewRole(policy, name, capabilities),
    }));
  });
}

/** The word before a bracket that says that it is a role. */
function bracketed(clause: Clause): number | undefined {
  const noun = clause.tokens.findIndex((_, at) => clause.nouns.get(at)?.has("role") === true);
  const [only, ...others] = noun < 0 ? [] : placesForName(clause, noun);
  return others.length === 0 ? only : undefined;
}

/** The words that may name a new role: written like an identifier, in quotes, or beside a word for roles. */
function findNames({ clause, places }: Aim): readonly number[] {
  const { tokens, nouns, weights } = clause;
  const told = roleBehindColon(clause) ?? bracketed(clause);
  const { identifiers, vocabulary, version } = places;
  const isRole = (at: number) => nouns.get(at)?.has("role") === true || CALLED.test(tokens[at]?.lower ?? "");
  const found = tokens.flatMap(({ kind, text, lower, stems }, at): readonly { at: number; rank: number }[] => {
    const isFree =
      NAME.test(text) && !identifiers.has(lower) && !version.policies.some(({ roles }) => roles.has(lower));
    if (!isFree || kind === "sign" || kind === "number" || nouns.has(at)) return [];
    if (at === told || kind === "quoted" || /^[a-z0-9]+(?:[_-][a-z0-9]+)+$/.test(text)) return [{ at, rank: 3 }];
    const isPlain =
      STOP.has(lower) || PLAINLY.test(lower) || stems.some((stem) => vocabulary.has(stem) || PLAIN.has(stem));
    if (isPlain && !isRole(at - 1)) return [];
    // "Groomer: a new role that ..."
    const isTitle = at === 0 && tokens[1]?.text === ":" && [2, 3, 4].some(isRole);
    const isBeside =
      isTitle || isRole(at - 1) || isRole(at + 1) || (isRole(at - 2) && /^[:=«"]$/.test(tokens[at - 1]?.text ?? ""));
    return isBeside && !STOP.has(lower) && !PLAINLY.test(lower) && (weights[at] ?? 0) > 0
      ? [{ at, rank: isRole(at - 1) ? 2 : 1 }]
      : [];
  });
  const best = Math.max(0, ...found.map(({ rank }) => rank));
  return found
    .filter(({ rank }) => rank === best)
    .slice(0, 2)
    .map(({ at }) => at);
}

interface Rights extends Pick<Guess, "signs" | "words"> {
  readonly capabilities: readonly string[];
}

/** The rights that a message may give to a role: those that it names, or those to the tools that its parts describe. */
function listRights({ clause, places, near }: Aim, name: number): readonly Rights[] {
  const exact = clause.tokens.flatMap((token, at) => {
    const { text, lower } = token;
    const held = findCapability(token, places);
    const right = CAPABILITY.test(text)
      ? [text]
      : held !== undefined && /[/:]/.test(text)
        ? [held]
        : rightsOf(places, lower);
    return at === name ? [] : right.map((capability) => ({ capability, at }));
  });
  if (exact.length > 0)
    return [
      {
        capabilities: [...new Set(exact.map(({ capability }) => capability))],
        words: exact.map(({ at }) => at),
        signs: { exact: 1 },
      },
    ];
  // What stands behind the name says what it may do.
  const parts = clause.text
    .slice(clause.tokens[name]?.end)
    .split(BETWEEN)
    .filter((part) => !NONE.test(part));
  const best = parts
    .map((part) => toolsNear(findRelevant(readClause(part, places), places), 2).filter(isDescribed))
    .filter(({ length }) => length > 0);
  const meant = best.flatMap(([first]) => first ?? []);
  const others = best.map((own, at) =>
    own[1] === undefined ? [] : meant.map((one, place) => (place === at ? (own[1] ?? one) : one)),
  );
  const whole = toolsNear(near, 1);
  const words = [...whole, ...toolsNear(near, 3)].flatMap((one) => [...one.words]);
  const found = [meant, ...others, whole].flatMap((tools): readonly Rights[] => {
    const capabilities = [...new Set(tools.flatMap(({ tool }) => tool.requiredCapabilities))];
    const mean = (key: "name" | "rare") =>
      tools.reduce((sum, { signs }) => sum + (signs[key] ?? 0), 0) / Math.max(1, tools.length);
    return capabilities.length === 0
      ? []
      : [{ capabilities, words, signs: { name: mean("name"), rare: mean("rare"), unsure: tools === meant ? 0.5 : 1 } }];
  });
  return found.filter(
    ({ capabilities }, at) => found.findIndex((one) => one.capabilities.join() === capabilities.join()) === at,
  );
}

function isDescribed({ weight }: NearTool): boolean {
  return weight > DESCRIBED;
}

function rightsOf({ version }: Places, lower: string): readonly string[] {
  const tool = [...version.tools.values()].find((one) => isIdentifierOf(one, lower));
  return tool?.requiredCapabilities ?? [];
}
