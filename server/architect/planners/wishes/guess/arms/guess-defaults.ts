import type { Arm } from "../../../../../versions/experiment.ts";
import type { ParameterSet } from "../../../../../versions/version.ts";
import { commitValues } from "../../../../commit-values.ts";
import type { Clause } from "../../clause.ts";
import type { Places, Thing } from "../../places/places.ts";
import { placesOfMatch, toStems } from "../../words/words.ts";
import type { Guess } from "../guess-value.ts";
import type { Relevance } from "../relevance.ts";

/** Words for what calls run with that are assigned no arm. */
const DEFAULTS = /\b(?:the|our|its|their|new|as|into|to) (?:new )?defaults?\b(?! arm\b)/iu;
/** Words that say of an arm that everybody is to have it, whatever the defaults are. */
const PROMOTED = /\b(?:promot\w*|roll(?:s|ed|ing)? \w*\s?out)\b/iu;

/** Tells whether a message speaks of defaults, and of no promotion: what an arm has may become them, or they may become what an arm has. */
export function isOfDefaults({ text }: Pick<Clause, "text">): boolean {
  return DEFAULTS.test(text) && !PROMOTED.test(text);
}

/** What an arm has becomes the defaults of its parameters: "make what the arm stern uses the defaults of notices". */
export function guessDefaults(
  clause: Clause,
  set: ParameterSet,
  { things, version }: Places,
  near: ReadonlyMap<Thing, Relevance>,
): readonly Guess[] {
  const { tokens, text } = clause;
  // "What stern uses in tone" is not all that it has.
  const stems = new Set(tokens.flatMap((token) => token.stems));
  const isOfOne = [...set.parameters.keys()].some((name) => toStems(name).every((stem) => stems.has(stem)));
  if (!isOfDefaults(clause) || isOfOne) return [];
  const own = tokens.flatMap(({ lower }, at) => (lower === set.name.toLowerCase() ? [at] : []));
  const about = [...near].find(([{ kind, set: other }]) => kind === "experiment" && other === set)?.[1];
  const isAbout = own.length > 0 || (about?.name ?? 0) >= 0.5;
  return (set.experiment?.arms ?? []).flatMap((arm): readonly Guess[] => {
    const said = placesOfMatch(tokens, text, toSaying(arm));
    const isOwn = isAbout || isOnlyOne(arm, [...version.parameters.values()]);
    // A value of that name is a default by itself.
    const isValue = things.some(({ kind, values }) => kind === "parameter" && values.includes(arm.name));
    if (said.length === 0 || !isOwn || isValue || Object.keys(arm.values).length === 0) return [];
    return [
      {
        name: `defaults ${set.name} ${arm.name}`,
        signs: { promote: 1, exact: 1, name: 1, verb: 1, ...(isAbout ? { tool: 1 } : {}) },
        words: [
          ...own,
          ...(about?.words ?? []),
          ...said,
          ...placesOfMatch(tokens, text, DEFAULTS),
          ...clause.nouns.keys(),
          ...(["set", "replace"] as const).flatMap((action) => clause.actions.get(action) ?? []),
        ],
        deed: (bench) => commitValues(bench, set, arm.values),
      },
    ];
  });
}

/** Tells whether no other experiment has an arm of that name. */
function isOnlyOne({ name }: Arm, sets: readonly ParameterSet[]): boolean {
  return sets.filter(({ experiment }) => experiment?.arms.some((one) => one.name === name) === true).length === 1;
}

/** Sayings of all that an arm has, or of an arm that is to be the default; "make stern use the defaults" is about the arm. */
function toSaying({ name }: Arm): RegExp {
  const arm = String.raw`(?:the )?(?:(?:arm|variant) )?["'\x60]?${RegExp.escape(name)}["'\x60]?(?: arm| variant)?`;
  return new RegExp(
    [
      String.raw`\bwhat(?:ever)? ${arm} (?:uses|has|does|says|gives|sets|runs with|stands for)\b`,
      String.raw`\b(?:values?|settings?|numbers?|parameters?) (?:of|in|from) ${arm}`,
      String.raw`${arm}['’]s? (?:own )?(?:values?|settings?|numbers?|parameters?)\b`,
      String.raw`\b(?:make|turn|use|have|set) ${arm} (?:in)?(?:to |as |be )?(?:be )?(?:the|our|its|their) (?:new )?defaults?\b`,
      String.raw`\bdefaults? (?:[\p{L}_-]+ ){0,4}?(?:should|must|to) be (?:those|the ones|what) (?:of |in )?${arm}`,
    ].join("|"),
    "iu",
  );
}
