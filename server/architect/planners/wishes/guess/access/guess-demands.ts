import { likelihoodOf } from "../../intent/read-intent.ts";
import { dropFrom, requireOf, toGrant } from "../../../directives/phrases/change-capabilities.ts";
import { hasNoun } from "../../drafts/draft.ts";
import { CAPABILITY } from "../../drafts/requirement-drafts.ts";
import { readRights } from "./read-rights.ts";
import type { Guess } from "../guess-value.ts";
import { type Aim, type NearTool, toolsNear } from "./near-tools.ts";
import type { Signs } from "../signs.ts";

/** Tools that a description may mean. */
const DESCRIBED = 3;
/** Likelihood from which on a message may want it without a word for capabilities. */
const LIKELY = 0.12;
/** Share of the name of a role that is said at least. */
const NAMED = 0.7;
const FREE =
  /\b(?:any(?:body|one)|every(?:body|one)|open to|ungate\w*|unguard\w*|no (?:capabilit\w+|permission|rights?)|overkill|needn['’]t|(?:need|should|must|do|does)(?:n['’]t| not)|without|nobody|jeder\w*|alle|keine?n?|nicht|todos|ning\w+|sin|no|tous|aucune?|sans|plus)\b|不|所有人|取消/iu;
const LOCKED =
  /\b(?:requires?|demands?|needs?|must|only|behind|lock\w*|gate|hold\w*|without|verlang\w*|brauch\w*|nur|exi(?:g|j)\w*|solo|seuls?|sans|sin)\b|必须|需要|要求/iu;

/** Words before what something else takes the place of. */
const INSTEAD =
  /(?:instead of|in place of|rather than|replac(?:es|ing)|and (?:not|no longer)|, not|no longer|statt|anstelle von|anstatt|und nicht(?: mehr)?|en (?:vez|lugar) de|y no|au lieu de|à la place de|et non|而不是|代替)\s*(?:the |only |just |nur |de )?(?:capability |permission |right |recht |permiso |droit )?["'`«„]?$/iu;

/** Capabilities that callers of a tool are to hold, or need not hold any more. */
export function guessDemands(aim: Aim): readonly Guess[] {
  const { clause, likelihoods, near } = aim;
  const isSaid = hasNoun(clause, "permission");
  const named = clause.tokens.flatMap(({ text, kind }, at) =>
    kind !== "sign" && CAPABILITY.test(text) && !/^https?:/.test(text) ? [{ capability: text, at }] : [],
  );
  const needs = likelihoodOf(likelihoods, "need-capability");
  const frees = likelihoodOf(likelihoods, "free-capability");
  if (!isSaid && named.length === 0 && needs < LIKELY && frees < LIKELY) return [];
  return toolsNear(near, DESCRIBED).flatMap((one): readonly Guess[] => [
    ...guessNeeded({ aim, named, isLikely: LOCKED.test(clause.text) || needs > LIKELY }, one),
    ...guessFreed(
      { aim, named, isLikely: FREE.test(clause.text) && (isSaid || named.length > 0 || frees > LIKELY) },
      one,
    ),
  ]);
}

interface Demand {
  readonly aim: Aim;
  readonly named: readonly { readonly capability: string; readonly at: number }[];
  readonly isLikely: boolean;
}

/** "Lock it behind driver:write too, and give that to dispatcher and lead" */
function guessNeeded({ aim, named, isLikely }: Demand, { tool, signs, words }: NearTool): readonly Guess[] {
  const { clause, near, places } = aim;
  const old = replacedBy(aim, named, tool.requiredCapabilities);
  const fresh = named.filter(({ capability }) => !tool.requiredCapabilities.includes(capability));
  if (fresh.length === 0 || !isLikely) return [];
  const capabilities = [...new Set(fresh.map(({ capability }) => capability))];
  const given = readRights(clause, places).shifts.filter(
    ({ isGiven, rights }) => isGiven && rights.some((right) => capabilities.includes(right)),
  );
  const base: Signs = { ...signs, right: 1, known: 1 };
  const said = [...words, ...named.map(({ at }) => at), ...clause.nouns.keys(), ...verbsOf(aim)];
  const taken = new Set([...words, ...named.map(({ at }) => at)]);
  const shifted = [...new Set(given.map(({ role }) => role))].map((thing) => ({
    thing,
    own: given.flatMap(({ role, words: shown }) => (role === thing ? shown : [])),
  }));
  const beside = [...near].flatMap(([thing, { name }]) => {
    const stems = new Set(thing.names.flat());
    const own = clause.tokens.flatMap((token, at) =>
      !taken.has(at) && token.stems.length > 0 && token.stems.every((stem) => stems.has(stem)) ? [at] : [],
    );
    return thing.kind === "role" && name >= NAMED && own.length > 0 ? [{ thing, own }] : [];
  });
  const roles = shifted.length > 0 ? shifted : beside;
  // To grant what no tool requires is of no use by itself.
  const isNew = [...places.version.tools.values()].every(
    ({ requiredCapabilities }) => !capabilities.some((one) => requiredCapabilities.includes(one)),
  );
  const plain: Guess = {
    name: `require ${capabilities.join()} ${tool.name}${old.length > 0 ? ` for ${old.join()}` : ""}`,
    signs: base,
    words: said,
    deed: async (bench) => {
      await requireOf(tool, capabilities)(bench);
      if (old.length > 0) await dropFrom(tool, old)(bench);
    },
  };
  if (roles.length === 0) return [plain];
  return [
    {
      name: `${plain.name} of ${roles.map(({ thing }) => thing.id).join()}`,
      signs: { ...base, siblings: 1, verb: 1, ...(isNew ? { now: 1 } : {}) },
      words: [...said, ...roles.flatMap(({ own }) => own)],
      deed: async (bench) => {
        for (const { thing } of roles) await toGrant(places.version, thing.role ?? "", capabilities)(bench);
        await plain.deed(bench);
      },
    },
    plain,
  ];
}

/** The capabilities of a tool that others take the place of: "require a:close in place of a:write". */
function replacedBy(
  { clause: { text, tokens } }: Aim,
  named: Demand["named"],
  held: readonly string[],
): readonly string[] {
  return named.flatMap(({ capability, at }) =>
    held.includes(capability) && INSTEAD.test(text.slice(0, tokens[at]?.start)) ? [capability] : [],
  );
}

/** "Anybody who gets in should be able to ask for it, so let it demand no capability" */
function guessFreed({ aim, named, isLikely }: Demand, { tool, signs, words }: NearTool): readonly Guess[] {
  const { requiredCapabilities: held } = tool;
  const isSaid = hasNoun(aim.clause, "permission") || named.length > 0;
  const capabilities = named.length > 0 ? named.map(({ capability }) => capability) : held;
  if (!isLikely || held.length === 0 || !capabilities.every((one) => held.includes(one))) return [];
  return [
    {
      name: `drop ${capabilities.join()} ${tool.name}`,
      signs: { ...signs, right: 1, ...(isSaid ? { marked: 1 } : { unsure: 1 }) },
      words: [
        ...words,
        ...named.map(({ at }) => at),
        ...aim.clause.nouns.keys(),
        ...aim.clause.negators,
        ...verbsOf(aim),
      ],
      deed: (bench) => dropFrom(tool, capabilities)(bench),
    },
  ];
}

function verbsOf({ clause }: Aim): readonly number[] {
  return (["require", "restrict", "relax", "remove", "grant", "revoke", "set"] as const).flatMap(
    (action) => clause.actions.get(action) ?? [],
  );
}
