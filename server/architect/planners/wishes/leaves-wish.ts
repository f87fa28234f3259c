import { maskQuotations } from "../../message/find-quotations.ts";
import { type Clause, readClause } from "./clause.ts";
import type { Heard } from "./heard.ts";
import { hasNamesake, isKeyByName } from "./namesakes.ts";
import type { Places } from "./places/places.ts";
import type { Ranked } from "./rank.ts";

/** Tells whether a sentence of a message clearly wants something that is not among the changes of these names: nothing is done by halves. */
export function leavesWish(heard: readonly Heard[], names: readonly string[]): boolean {
  const parts = partsOf(names);
  const done = new Set(parts.map(toDeed));
  const places = new Set(parts.map(toPlace));
  return heard.some(
    ({ resolved, standing }) =>
      resolved?.kind === "clear" &&
      resolved.drafts.some(
        // "It counts 4 units. Make it 3": what is no order may only say how it is.
        ({ name }) => !done.has(toDeed(name)) && !(standing !== "order" && places.has(toPlace(name))),
      ),
  );
}

const COUNTED =
  /\b(two|both|a couple of|three|four|several|a few|some|zwei|drei|mehrere|dos|tres|varias|deux|trois|plusieurs|2|3|4) (?:(?:small|little|quick|more|further|kleine|weitere|petites?|pequeñas?) )?(?:things?|wishes|changes|points|requests|edits|fixes|tweaks|items|ideas|wünsche|dinge|änderungen|punkte|cosas|cambios|deseos|choses|changements|souhaits)\b|[两三几](?:件事|个(?:改动|愿望|要求|地方))/iu;

/** What a message says is to come, and the names of changes by which that comes. */
const COMING: readonly (readonly [said: RegExp, made: RegExp])[] = [
  [
    /\b(?:another|new|further|additional|extra|one more|second|third) arm\b|\b(?:try|test|add|want|need) an arm\b/iu,
    /^arm /,
  ],
  [/\b(?:another|new|additional|extra|one more) label\b/iu, /^label (?!-)/],
  [/\b(?:another|new|further|additional|one more) example\b/iu, /^example /],
  [
    /\b(?:another|new|additional|extra|one more) (?:\p{L}+ )?(?:field|argument|input|parameter)\b(?! (?:should|must|is|has)\b)/iu,
    /^add /,
  ],
  [
    /\b(?:call|rename) the (?:role|label|arm|field|tool|parameter)\b/iu,
    /^(?:rename|exchange|label|arm|role) |(?:^| )(?:rename|title=)/,
  ],
];
/** A title or a description for "it", which may be a field or its tool. */
const OF_IT = /\b(?:title|call|name|describe|label|caption|rename) it\b/iu;
const TEXT_OF_FIELD = /#(?:input|output)\/.*\/(?:title|description)=/s;

/**
 * Tells whether a message announces more than changes of these names: more wishes than one of which only one was understood, something new where
 * nothing comes, or a title for what may be a field as well as its tool.
 */
export function announcesMore(text: string, names: readonly string[]): boolean {
  const parts = partsOf(names);
  const said = maskQuotations(text);
  return (
    (COUNTED.test(text) && parts.length < 2) ||
    COMING.some(([coming, made]) => coming.test(said) && !parts.some((name) => made.test(name))) ||
    (OF_IT.test(said) && parts.length > 1 && parts.some((name) => TEXT_OF_FIELD.test(name)))
  );
}

/** The names of changes, of which some are made together. */
export function partsOf(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => name.split(" & "));
}

/** The name of a change without its particulars, which another sentence may add to: the reason of a retirement. */
function toDeed(name: string): string {
  return name.startsWith("retire ") ? name.replace(/ \{.*$/s, "") : name;
}

/** The name of a change of a value without the value. */
function toPlace(name: string): string {
  return name.replace(/=.*$/s, "");
}

/** Tells whether neither the sentence of a draft nor the whole message says which of several things of one name is meant. */
export function isOneOfSeveral(draft: Ranked, heard: readonly Heard[], clause: Clause, places: Places): boolean {
  const { thing, name } = draft;
  if (isKeyByName(clause, name, places)) return true;
  if (thing === undefined || !hasNamesake(clause, thing, places)) return false;
  const own = heard.find(({ resolved }) => resolved?.drafts.includes(draft) === true);
  return own === undefined || hasNamesake(readClause(own.sentence.text, places), thing, places);
}
