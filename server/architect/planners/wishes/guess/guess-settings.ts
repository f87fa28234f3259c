import type { ParameterSet } from "../../../../versions/version.ts";
import { toPromotion } from "../../directives/phrases/tune.ts";
import type { Clause } from "../clause.ts";
import { has } from "../drafts/draft.ts";
import { ARM, isAlike, isGiving, speaksOfAll, wordsOfGiving, wordsOfTrial } from "../drafts/gives-to-all.ts";
import type { Places, Thing } from "../places/places.ts";
import { isSame } from "../words/values.ts";
import { placesOfMatch } from "../words/words.ts";
import type { Relevance } from "./relevance.ts";
import { guessArm } from "./guess-arm.ts";
import { guessArmName } from "./guess-arm-name.ts";
import { guessDefaults, isOfDefaults } from "./arms/guess-defaults.ts";
import { guessRights } from "./access/guess-rights.ts";
import type { Guess } from "./guess-value.ts";
import type { Signs } from "./signs.ts";
import { guessCommands } from "./access/guess-commands.ts";
import { guessDemands } from "./access/guess-demands.ts";
import { guessExchange } from "./access/guess-exchange.ts";
import { guessHosts } from "./access/guess-hosts.ts";
import { guessPromises } from "./guess-promises.ts";
import { guessRetirement } from "../retirement/guess-retirement.ts";
import { guessRole } from "./access/guess-role.ts";
import { guessRoleName } from "./access/guess-role-name.ts";
import { partOfExperiment } from "../places/experiment-settings.ts";
import type { Aim } from "./access/near-tools.ts";

/** How likely an intent has to be for guesses of its kind without a word for it. */
const LIKELY = 0.1;

/** Arms that are to be used for everybody, new arms, and who may do what, what tools promise and how long they will be. */
export function guessSettings(aim: Aim): readonly Guess[] {
  const { clause, places, near, likelihoods } = aim;
  const sets = [...places.version.parameters.values()].filter(({ experiment }) => experiment !== undefined);
  const isTried = (likelihoods.get("arm-add") ?? 0) > LIKELY;
  const isEnded = has(clause, "stop") || GONE.test(clause.text) || (likelihoods.get("experiment-stop") ?? 0) > LIKELY;
  const promotions = new Map(sets.map((set) => [set, guessPromotion(clause, set, places, near)]));
  // A test whose winner everybody gets ends by that.
  const isDecided = (set: ParameterSet) => promotions.get(set)?.some(({ signs }) => isPlain(signs)) === true;
  return [
    ...sets.flatMap((set) => [
      ...(promotions.get(set) ?? []),
      ...guessArmName(clause, set),
      ...guessDefaults(clause, set, places, near),
      ...(isTried || ARM.test(clause.text) ? guessArm(clause, set, near) : []),
    ]),
    ...(isEnded ? sets.filter((set) => !isDecided(set)).flatMap((set) => guessStop(clause, set, places, near)) : []),
    ...guessRights(aim),
    ...guessExchange(aim),
    ...guessRole(aim),
    ...guessRoleName(aim),
    ...guessDemands(aim),
    ...guessHosts(aim),
    ...guessCommands(aim),
    ...guessPromises(aim),
    ...guessRetirement(aim),
  ];
}

/** Sayings that an experiment goes, and what it tried stays. */
const GONE =
  /\b(?:drop|remove|delete|scrap|kill|cancel|call off|get rid of|take out|abandon)\b (?:the |that |this |our )?(?:[\w-]+ ){0,2}?(?:experiment|test|trial|comparison)\b/iu;
const KEPT =
  /\b(?:but |and |while )?(?:keep|keeping|leave|leaving) (?:the |its |all )?(?:parameters?|values?|defaults?)\b/iu;

/** Tells whether a promotion names its experiment and its arm, and says that everybody is to have it. */
function isPlain({ rough, tool, exact }: Signs): boolean {
  return rough === undefined && tool === 1 && exact === 1;
}

/** Ends an experiment: "we got what we wanted out of the comparison of the articles". */
function guessStop(
  clause: Clause,
  set: ParameterSet,
  { things }: Places,
  near: ReadonlyMap<Thing, Relevance>,
): readonly Guess[] {
  const own = things.filter((thing) => thing.set === set && near.has(thing));
  const trial = wordsOfTrial(clause);
  const best = own
    .flatMap((thing) => near.get(thing) ?? [])
    .sort((one, other) => other.name + other.owner - (one.name + one.owner))[0];
  if (best === undefined || (trial.length === 0 && !has(clause, "stop"))) return [];
  const part = partOfExperiment(clause.text);
  if (part !== undefined && (!has(clause, "remove") || set.experiment?.[part.key] === undefined)) return [];
  const verbs = [...(clause.actions.get("stop") ?? []), ...(clause.actions.get("remove") ?? [])];
  return [
    {
      name: `remove experiment ${set.name}${part === undefined ? "" : `/${part.key}`}`,
      signs: {
        stop: 1,
        name: best.name,
        rare: Math.min(2, best.rare),
        owner: Math.min(3, best.owner),
        soft: Math.min(3, best.soft),
        tool: best.tool,
        rival: best.rival,
        ...(verbs.length > 0 ? { verb: 1 } : { noVerb: 1 }),
        ...(trial.length > 0 ? { marked: 1 } : {}),
      },
      words: [
        ...best.words,
        ...trial,
        ...verbs,
        ...clause.nouns.keys(),
        ...placesOfMatch(clause.tokens, clause.text, KEPT),
        ...(part === undefined ? [] : placesOfMatch(clause.tokens, clause.text, part.said)),
      ],
      core: verbs,
      deed: async (bench) => {
        await bench.remove(set.file, part === undefined ? ["experiment"] : ["experiment", part.key]);
        bench.say(
          part === undefined
            ? `The parameters \`${set.name}\` are no longer tuned.`
            : `The experiment \`${set.name}\` has no ${part.label} any more.`,
        );
        bench.need("patch");
      },
    },
  ];
}

/** Share of an arm's name by which it is named in other words, or in another language. */
const NAMED = 0.5;

/** "Everybody gets the brief arm from now on" */
function guessPromotion(
  clause: Clause,
  set: ParameterSet,
  { things }: Places,
  near: ReadonlyMap<Thing, Relevance>,
): readonly Guess[] {
  if ((!speaksOfAll(clause) && !has(clause, "promote")) || isOfDefaults(clause)) return [];
  const placesOf = (text: string) => clause.tokens.flatMap(({ lower }, at) => (isSame(lower, text) ? [at] : []));
  const own = placesOf(set.name);
  const experiment = things.find((thing) => thing.kind === "experiment" && thing.set === set);
  const about = experiment === undefined ? undefined : near.get(experiment);
  const isAbout = own.length > 0 || (about?.name ?? 0) >= NAMED;
  // "Every notice should be written that way" says of what.
  const isGiven = has(clause, "promote") || (isGiving(clause) && (isAbout || !isAlike(clause)));
  return (set.experiment?.arms ?? []).flatMap(({ name }): readonly Guess[] => {
    const written = placesOf(name);
    const arm = things.find(({ id }) => id === `arm ${set.name}/${name}`);
    const meant = arm === undefined ? undefined : near.get(arm);
    const isMeant = isAbout && ARM.test(clause.text) && (meant?.name ?? 0) >= NAMED;
    const words = written.length > 0 || !isMeant ? written : [...(meant?.words ?? [])];
    return words.length === 0
      ? []
      : [
          {
            name: `promote ${set.name} ${name}`,
            signs: {
              promote: 1,
              ...(isAbout ? { tool: 1 } : {}),
              ...(isGiven
                ? { ...(isAbout ? { name: 1 } : {}), ...(written.length > 0 ? { exact: 1 } : {}) }
                : { rough: 1 }),
              ...(has(clause, "promote") ? { verb: 1 } : {}),
              ...(ARM.test(clause.text) ? { marked: 1 } : {}),
            },
            words: [
              ...words,
              ...own,
              ...(isAbout ? (about?.words ?? []) : []),
              ...wordsOfGiving(clause),
              ...clause.nouns.keys(),
            ],
            deed: (bench) => bench.adjust(toPromotion(set, name)),
          },
        ];
  });
}
