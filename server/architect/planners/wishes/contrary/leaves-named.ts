import type { Clause } from "../clause.ts";
import { isNameOf } from "../drafts/draft.ts";
import { exactName } from "../guess/relevance.ts";
import { findPairs } from "../parts/fill-gaps.ts";
import { splitOutsideQuotes } from "../parts/split-at.ts";
import type { Places } from "../places/places.ts";
import { placesIn, toStems } from "../words/words.ts";
import { toLeavesBounds } from "./leaves-bounds.ts";
import { toLeavesJoined } from "./leaves-joined.ts";

const MARK = String.raw`["'\x60“”„«»‘’]?`;
const WORD = String.raw`[\p{L}\d][\p{L}\d_:.-]*[\p{L}\d]`;
/** A name at the beginning of a part of a sentence. */
const CONJUNCTION = "(?:and|but|so|then|while|whereas|und|aber|y|pero|et|mais)";
const START = String.raw`(?:^|[,;:.!(–—-]\s*|(?<!\p{L})(?=${CONJUNCTION} ))(?:${CONJUNCTION} )?(?:(?:also|then) )?(?:(?:the|our|its|that|this|der|die|das|den|el|la|los|las|le|les) |l['’])?(?:(?:label|value|option|field|parameter|tool|role|arm) )?(?!${CONJUNCTION} )`;
const NAME = String.raw`${MARK}(?<name>${WORD}(?: (?!(?:can|may|should|must|will|shall|has|is|are|he|she|they|we|kann|darf|soll|ist|se)(?!\p{L}))${WORD})?)${MARK}(?: (?:label|value|option|field|parameter|tool|role|arm))?`;
/** Ends a part of a sentence. */
const END = String.raw`(?=\s*(?:[,.;:!?)–—-]|$|(?:and|but|und|aber|y|pero|et|mais|now|then|again|please|instead|for good|altogether|entirely)(?!\p{L})))`;

const MODAL = String.raw`(?:can|may|should|must|shall|could|will|has to|have to|needs to|is to|is going to|is about to|is free to)(?: also| just| now)?`;
const GOING = [
  String.raw`${MODAL} (?:go|leave|disappear|vanish|retire|be (?:removed|dropped|deleted|retired|cut|scrapped|taken (?:out|off|away)))(?: away| out| too| as well| us)?${END}`,
  String.raw`(?:goes|leaves|disappears|vanishes|retires|drops out|falls away)(?: away| out| too| as well| us)?${END}`,
  String.raw`(?:out|gone|away)${END}`,
  String.raw`(?:is|are|was)(?: now| all)? (?:going|leaving|gone|out|obsolete|history|unused|superfluous|redundant|over|finished|done with|no longer (?:needed|wanted|used|offered|accepted|in use|available)|not (?:needed|wanted|used|offered|accepted|in use|available)(?: any ?more| any longer| now)?)(?: us| away)?${END}`,
  String.raw`(?:(?:kann|darf|soll|muss|könnte) (?:auch )?(?:weg|raus|gehen|entfallen|verschwinden)|fällt (?:weg|raus)|fliegt raus|entfällt|verschwindet|verlässt uns|ist (?:überflüssig|weg)|brauchen wir nicht mehr)(?!\p{L})`,
  String.raw`(?:se va|desaparece|sobra|puede (?:irse|desaparecer)|ya no (?:se necesita|hace falta|sirve))(?!\p{L})`,
  String.raw`(?:s['’]en va|disparaît|peut (?:partir|disparaître)|n['’]est plus (?:nécessaire|utile|utilisée?))(?!\p{L})`,
].join("|");
/** Parts of a sentence that say of something that it is to go: "the tractor goes", "forget about the tractor". */
const LEAVING: readonly RegExp[] = [
  new RegExp(String.raw`${START}${NAME} (?:${GOING})`, "giu"),
  new RegExp(
    String.raw`(?<!\p{L})(?:forget(?: about)?|forgo|lose|ditch|scrap|say goodbye to|goodbye to|do without|get rid of|vergiss|olvida|oublie) (?:(?:the|our) )?${NAME}${END}`,
    "giu",
  ),
];
/** Parts that say of something that the same is to become of it: "margin as well". */
const LIKEWISE: readonly RegExp[] = [
  new RegExp(
    String.raw`(?!^)${START}${NAME} (?:as well|too|likewise|ditto|also|auch|ebenso|ebenfalls|también|aussi|également)${END}`,
    "giu",
  ),
  new RegExp(String.raw`${START}${NAME} among (?:them|those|these)(?!\p{L})`, "giu"),
  new RegExp(String.raw`(?<!\p{L})so (?:is|are|does|do|should|must|can|may) (?:(?:the|our) )?${NAME}${END}`, "giu"),
  new RegExp(
    String.raw`(?<!\p{L})(?:ditto|likewise|same|the same)(?: goes)? (?:for|with) (?:(?:the|our) )?${NAME}${END}`,
    "giu",
  ),
];
/** What says of a new value what it is for: "highway as kind". */
const FOR = new RegExp(
  String.raw`${MARK}(?<value>${WORD})${MARK} (?:as|als|como|comme) (?:(?:the|an?|another|new|possible|kind of|type of|ein|eine|un|una|une) )*${MARK}(?<name>${WORD})`,
  "giu",
);
/** Parts that say of something that it stays, or is not meant. */
const STAYING: readonly RegExp[] = [
  new RegExp(
    String.raw`${START}${NAME} (?:(?:stays?|remains?|(?:is|are) (?:kept|staying|to (?:stay|remain))|(?:(?:can|may|should|must|will|shall|has to|is allowed to) (?:stay|remain|be kept|live on))|(?:she|he|they|we|it) (?:may |can |should |must )?keeps?|bleibt|bleiben|(?:kann|soll|darf) bleiben|se queda|reste)(?!\p{L}))`,
    "giu",
  ),
  new RegExp(
    String.raw`(?:[,;(–—-] ?|(?<!\p{L})(?:and|but|und|aber|y|pero|et|mais) )(?:(?:but|and|please) )?(?:not|never|nicht|no|pas|non|keep|leave|behalte?|lass|deja|garde[rz]?) (?:(?:the|our|die|den|das|el|la|le) )?(?:label |value )?${NAME}${END}`,
    "giu",
  ),
];
/** What is found wrong, or asked for instead, and so is not what something is to be: "gilded is too expensive, take raw", "unless somebody asks for raw". */
const WRONG: readonly RegExp[] = [
  new RegExp(
    String.raw`${START}${NAME} (?:is|are|was|were|ist|war|es|est) (?:far |much |way |just |a bit |simply )?(?:too|not|no longer|never|zu|demasiado|trop)(?!\p{L})`,
    "giu",
  ),
  new RegExp(
    String.raw`(?<!\p{L})(?:unless|except (?:when|where|if)) (?:\p{L}+ ){1,3}?(?:asks?|wants?|says?|picks?|chooses?|sends?|gives?|requests?|needs?)(?: for)? (?:(?:the|an?) )?${MARK}(?<name>${WORD})`,
    "giu",
  ),
];
/** "Take it off check_permit", of what the part before was about. */
const TAKEN_OFF = new RegExp(
  String.raw`(?<!\p{L})(?:take|remove|drop|strike|withdraw) (?:it|that|them|those) (?:off|from|out of|away from) (?:(?:the|our) )?${NAME}`,
  "giu",
);
const OUGHT = String.raw`(?<!\p{L})(?:should|must|needs? to|has to|have to|ought to|soll|sollen|sollte|muss|müssen|debe|deben|debería|doit|doivent|devrait)(?!\p{L})`;
/** Two wishes of one sentence, each with its verb: "notify should be off, also the reason should be mandatory". */
const ALSO = new RegExp(
  String.raw`${OUGHT}(?:(?![.!?]\s).)*[,;] ?(?:(?:and|but) )?(?:also|additionally|besides|furthermore|moreover|in addition|on top of that|außerdem|zudem|además|también|de plus|en outre),? (?:(?![.!?]\s).)*${OUGHT}`,
  "iu",
);
const PRONOUN =
  /^(?:.* )?(?:it|this|that|them|those|these|one|me|us|you|him|her|everybody|everyone|das|es|sie|eso|esto|lo|cela|ça|moi|mich|mir)$/iu;
/** Things that are named by none of their names. */
const OTHERS = /^(?:old one|other one|others|rest|former|previous one)$/iu;
/** Changes that take something away. */
const TAKING = /^(?:remove|revoke|retire|deprecate|drop) |(?: remove |^label - | - | > | be )/;

/**
 * Makes a check whether short parts of a clause want something of things that they name which the changes of some names leave aside:
 * "add crane, the tractor goes", "set travel_fee to 30, margin as well", "make survey_tree cost 2 units and estimate_job 3". What the
 * clause says is found once.
 */
export function toLeavesNamed(clause: Clause, places: Places): (names: readonly string[]) => boolean {
  const isNamed = (name: string) => OTHERS.test(name) || isKnown(name, places);
  const leaving = find(clause, LEAVING).filter(isNamed);
  const left = find(clause, [TAKEN_OFF]).filter(isNamed);
  const likewise = find(clause, LIKEWISE).filter((name) => !PRONOUN.test(name));
  const least = ALSO.test(clause.text) ? 2 : 1;
  const pairs = findPairs(splitOutsideQuotes(clause.text), places);
  const valued = findValued(clause, places);
  const leavesBounds = toLeavesBounds(clause, places);
  const leavesJoined = toLeavesJoined(clause, places);
  return (names) => {
    const parts = names.flatMap((name) => name.split(" & "));
    return (
      parts.length < least ||
      leaving.some((name) => !parts.some((part) => TAKING.test(part) && mentions(toResult(part), name))) ||
      left.some((name) => !parts.some((part) => TAKING.test(part) && mentions(part, name))) ||
      likewise.some((name) => !parts.some((part) => name.split(" ").some((word) => mentions(part, word)))) ||
      [...pairs, ...valued].some(([name, value]) => !parts.some((part) => mentions(part, name) && has(part, value))) ||
      leavesBounds(parts) ||
      leavesJoined(parts)
    );
  };
}

/** Makes a check whether a change does what a clause says not to do: it takes away what is to stay, or sets what is not meant. */
export function toDenied(clause: Clause): (name: string) => boolean {
  const [staying, wrong] = [find(clause, STAYING), find(clause, WRONG)];
  return (name) =>
    name
      .split(" & ")
      .some((part) => staying.some((kept) => isAgainst(part, kept)) || wrong.some((value) => isSetTo(part, value)));
}

function isAgainst(part: string, kept: string): boolean {
  if (TAKING.test(part) && !/ (?:be|>) /.test(part)) return mentions(toResult(part), kept);
  return isSetTo(part, kept);
}

function isSetTo(part: string, value: string): boolean {
  return /#\S+=/.test(part) && part.toLowerCase().endsWith(`="${value.toLowerCase()}"`);
}

/** The names that a clause says to stay, in lower case, and the words that say so. */
export function findStaying({ text, tokens }: Clause): {
  readonly names: ReadonlySet<string>;
  readonly words: readonly number[];
} {
  const found = STAYING.flatMap((pattern) => [...text.matchAll(pattern)]);
  return {
    names: new Set(found.flatMap(({ groups }) => groups?.["name"]?.toLowerCase() ?? [])),
    words: found.flatMap(({ index, 0: whole }) => placesIn(tokens, { start: index, end: index + whole.length })),
  };
}

/** The new values that a clause has for two things or more, each with the name of its thing. */
function findValued({ text }: Clause, { things }: Places): readonly (readonly [name: string, value: string])[] {
  const all = [...text.matchAll(FOR)].flatMap(({ groups }): readonly (readonly [string, string])[] => {
    const [name = "", value = ""] = [groups?.["name"], groups?.["value"]];
    const isThing = things.some(
      (thing) => thing.values.length > 0 && toStems(exactName(thing)).join() === toStems(name).join(),
    );
    return isThing ? [[name, value]] : [];
  });
  return new Set(all.map(([name]) => name)).size > 1 ? all : [];
}

function has(part: string, value: string): boolean {
  return part.toLowerCase().includes(value.toLowerCase());
}

function find({ text }: Clause, patterns: readonly RegExp[]): readonly string[] {
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(({ groups }) => groups?.["name"] ?? []));
}

/** What a change of that name takes away, adds or sets, without where that is. */
function toResult(name: string): string {
  return /^\S+#\S+ (.*)$/s.exec(name)?.[1] ?? name;
}

function mentions(part: string, name: string): boolean {
  const all = new Set(toStems(part.replaceAll(/[^\p{L}\d_]+/gu, " ")));
  const stems = toStems(name);
  return stems.length > 0 && stems.every((stem) => all.has(stem));
}

/** Tells whether this version has something of that name: a value, a label, or a thing that has values. */
function isKnown(name: string, { things, version }: Places): boolean {
  const key = toStems(name).join(" ");
  const isOwn = (other: string) => toStems(other).join(" ") === key;
  return (
    [...version.history.labels.keys()].some(isOwn) ||
    things.some(
      (thing) => isOwn(exactName(thing)) || thing.values.some((value) => typeof value === "string" && isOwn(value)),
    ) ||
    [...version.tools.values()].some((tool) => isNameOf(tool, name.toLowerCase()))
  );
}
