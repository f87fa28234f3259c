import type { Json } from "../../../../store/store.ts";
import type { Parameter } from "../../../../versions/version.ts";
import { addFieldValues, removeFieldValues } from "../../directives/phrases/change-values.ts";
import type { Deed } from "../../directives/phrase.ts";
import { addChoices, removeChoices } from "../../directives/phrases/set-parameters.ts";
import type { Clause } from "../clause.ts";
import { type Draft, explainActions, explainKey, has, hasNoun, isNameOf, type Match, nameDoubt } from "./draft.ts";
import { findLeaving, isOnlyLeft } from "../contrary/find-leaving.ts";
import { findFresh, findItems, type Item } from "./find-fresh.ts";
import { draftHosts } from "./host-drafts.ts";
import type { Place, Places } from "../places/places.ts";
import { areCodes } from "../../directives/codes.ts";
import { isCodeSaid, NEEDLESS } from "../words/is-value-word.ts";
import { roleOf } from "../words/role-of.ts";
import { isSame } from "../words/values.ts";
import { STOP } from "../words/word-lists.ts";
import { distance } from "../words/words.ts";

/** Drafts that add values to lists of a thing, or take some out: what a field can be, which hosts may be reached. */
export function draftLists(clause: Clause, match: Match, all: readonly Place[], places: Places): readonly Draft[] {
  return all.flatMap((place) => {
    if (place.accepts.kind !== "list") return [];
    return place.accepts.of === "host"
      ? draftHosts(clause, match, place, places)
      : place.accepts.of === "value"
        ? draftValues(clause, match, place, places)
        : [];
  });
}

/** A list of values with what a clause says of it. */
interface Listing {
  readonly place: Place;
  readonly places: Places;
  readonly clause: Clause;
  readonly match: Match;
  /** Words for values of any list. */
  readonly said: readonly number[];
  /** Values that it has already, and others. */
  readonly present: readonly Item[];
  readonly fresh: readonly Item[];
  readonly doubt: number;
  /** True: the new ones can be for nothing else that the named tool has. */
  readonly isCoded: boolean;
}

function draftValues(clause: Clause, match: Match, place: Place, places: Places): readonly Draft[] {
  const { thing } = place;
  const present = findItems(clause, thing.values);
  const fresh = findFresh(clause, match, place, places);
  if (match.own === 0 && present.length === 0 && !match.explained.size) return [];
  // Values that are there name the field as well as its name does.
  const said = explainKey(clause, "values") ?? [];
  const isCoded = isOfCodes({ clause, place, places }, fresh);
  const named =
    match.own > 0 ? nameDoubt(match) : isCoded ? 0 : present.length > 0 && !has(clause, "remove") ? 0.2 : 0.3;
  const doubt = named + (thing.field?.side === "output" && !hasNoun(clause, "output") ? 0.6 : 0);
  const listing = { place, places, clause, match, said, present, fresh, doubt, isCoded };
  return [...draftMore(listing), ...draftFewer(listing), ...draftAbsent(listing), ...draftOnly(listing)];
}

/** "Accept kelvin as units" */
function draftMore(listing: Listing): readonly Draft[] {
  const { clause, fresh, present, said, isCoded } = listing;
  const wanted = fresh.filter(({ at }) => roleOf(clause.tokens, at) !== "from");
  const [first] = wanted;
  if (first === undefined || has(clause, "remove", "stop") || present.some(({ at }) => isReplaced(clause, at)))
    return [];
  const add = explainActions(clause, ["add"]);
  const set = explainActions(clause, ["set", "restrict"]);
  const isMeant = present.length > 0 || said.length > 0 || clause.tokens[first.at + 1]?.lower === "as" || isCoded;
  const meant =
    isMeant && set !== undefined ? [...set, ...(isCoded ? findLead(clause, listing, first.at) : [])] : undefined;
  const words = add ?? meant;
  return words === undefined
    ? []
    : [toDraft(listing, "add", words, [...wanted, ...present], wanted, adding(listing, wanted))];
}

/** Before a value in whose place another one comes: "accept phone rather than letter". */
const INSTEAD =
  /(?:rather than|instead of|in place of|in lieu of|statt|anstatt|anstelle von|(?:lugar|vez) de|lieu de|place de|代替)$/u;

function isReplaced({ tokens }: Clause, at: number): boolean {
  const before = tokens
    .slice(Math.max(0, at - 4), at)
    .filter(({ lower }) => !/^(?:the|an?|den|die|das|el|la|le)$/.test(lower));
  return INSTEAD.test(before.map(({ lower }) => lower).join(" "));
}

/** Tells whether all that a clause says of a tool besides are codes of its one field that has some: "let translate_reply go into es and nl". */
function isOfCodes(
  { clause, place, places }: Pick<Listing, "clause" | "place" | "places">,
  wanted: readonly Item[],
): boolean {
  const { thing } = place;
  if (wanted.length === 0) return false;
  const fields = places.things.filter(
    ({ tool, field, values }) => tool === thing.tool && field?.side === "input" && areCodes(values),
  );
  const isNamed = clause.tokens.some(({ lower }) => thing.tool !== undefined && isNameOf(thing.tool, lower));
  return (
    isNamed &&
    fields.length === 1 &&
    fields[0] === thing &&
    wanted.every(({ at }) => isCodeSaid(clause, at, thing.values))
  );
}

/** The verb between a tool and what it is to give: "translate_reply go into es". */
function findLead({ tokens }: Clause, { place }: Listing, at: number): readonly number[] {
  const { tool } = place.thing;
  const name = tokens.findLastIndex(({ lower }, before) => before < at && tool !== undefined && isNameOf(tool, lower));
  return name >= 0 && at - name <= LEAD ? tokens.flatMap((_, word) => (word > name && word < at ? [word] : [])) : [];
}

/** Words between a tool and the first code, at most: "go into". */
const LEAD = 3;

/** "Stop accepting imperial" */
function draftFewer(listing: Listing): readonly Draft[] {
  const { clause, present, fresh } = listing;
  const remove = explainActions(clause, ["remove", "stop"]);
  if (remove === undefined || has(clause, "add") || present.length === 0 || fresh.length > 0) return [];
  const words = [...remove, ...clause.negators, ...spellings(listing)];
  return [toDraft(listing, "remove", words, present, present, removing(listing, present))];
}

/** "Remove lake from water_source", which cannot be that: its deed says so, and takes nothing away. */
function draftAbsent(listing: Listing): readonly Draft[] {
  const { clause, match, present, places } = listing;
  const { thing } = listing.place;
  const leaving = present.length > 0 || match.own < 1 || thing.values.length === 0 ? undefined : findLeaving(clause);
  if (leaving === undefined || !isOnlyLeft(clause, thing)) return [];
  const items = leaving.gone.map((at): Item => ({ at, value: clause.tokens[at]?.text ?? "" }));
  // What has another name than values of it, or nearly one of theirs, is something else.
  const isOther = items.some(
    ({ value, at }) =>
      places.identifiers.has(String(value).toLowerCase()) ||
      STOP.has(clause.tokens[at]?.lower ?? "") ||
      [...clause.keys.values()].flat(2).includes(at) ||
      thing.values.some((own) => distance(String(own), String(value), 1) <= 1),
  );
  if (isOther) return [];
  const verbs = explainActions(clause, ["remove", "stop"]) ?? [];
  const draft = toDraft(listing, "remove", [...verbs, ...leaving.from], items, items, removing(listing, items));
  return [{ ...draft, doubt: 0 }];
}

/** Words that say how values are written of which others differ by capitals alone: "the upper-case spellings". */
function spellings({ clause, place, present }: Listing): readonly number[] {
  const isDouble = ({ value }: Item) =>
    place.thing.values.some((other) => other !== value && String(other).toLowerCase() === String(value).toLowerCase());
  if (!present.every(isDouble)) return [];
  return clause.tokens.flatMap(({ lower }, at) => (SPELLING.test(lower) ? [at] : []));
}

const SPELLING = /^(?:upper-?case|lower-?case|upper|lower|case|capitals?|spellings?|variants?|versions?|forms?)$/;

/** "Units should be one of metric, imperial and kelvin", "only metric" */
function draftOnly(listing: Listing): readonly Draft[] {
  const { clause, match, present, fresh, place } = listing;
  const add = explainActions(clause, ["add"]);
  const set = explainActions(clause, ["set", "restrict"]);
  const only = clause.negators.filter((at) =>
    /^(?:only|nur|solo|sólo|seulement)$/.test(clause.tokens[at]?.lower ?? ""),
  );
  const gone = place.thing.values.filter((value) => !present.some((item) => isSame(item.value, value)));
  const listed = [...present, ...fresh];
  const isMeant = set !== undefined || only.length > 0 || add === undefined;
  const isOther = gone.length > 0 || fresh.length > 0;
  if (
    has(clause, "remove", "stop") ||
    NEEDLESS.test(clause.text) ||
    !isMeant ||
    listed.length <= (only.length > 0 ? 0 : 1)
  )
    return [];
  if (match.own === 0 || !isOther) return [];
  const doubt = gone.length > 0 && only.length === 0 && !isListed(clause) ? 1 : 0;
  const words = [...(set ?? []), ...(add ?? []), ...only];
  const draft = toDraft(listing, "be", words, listed, listed, restricting(listing, gone));
  return [{ ...draft, doubt: draft.doubt + doubt }];
}

function toDraft(
  { place, match, said, doubt }: Listing,
  kind: string,
  words: readonly number[],
  named: readonly Item[],
  items: readonly Item[],
  deed: Deed,
): Draft {
  return {
    name: `${place.file}#${place.at.join("/")} ${kind} ${JSON.stringify([...new Set(items.map(({ value }) => value))].sort())}`,
    label: `the values of ${place.thing.label}`,
    thing: place.thing,
    explained: new Set([...match.explained, ...said, ...words, ...named.map(({ at }) => at)]),
    soft: match.soft,
    doubt,
    deed,
  };
}

function isListed({ text }: Clause): boolean {
  return /\b(?:one of|either|any of|should be|must be|allowed|values?|enum|options|choices)\b/i.test(text);
}

function adding({ places, place }: Listing, items: readonly Item[]): Deed {
  const values = items.map(({ value }) => value);
  return (bench) => toAdding(places, place.thing, values)(bench);
}

/** Lets a field or a parameter have more values; also, `isOffered`, those that the code does not know, which it says. */
export function toAdding(
  { version }: Places,
  { field, set, parameter }: Place["thing"],
  values: readonly Json[],
  isOffered = false,
): Deed {
  if (field !== undefined) return addFieldValues(version, field, values, { isOffered });
  return addChoices(version, toFound(set, parameter), values, isOffered);
}

function removing({ place }: Listing, items: readonly Item[]): Deed {
  const values = items.map(({ value }) => value);
  return (bench) => toRemoving(place.thing, values)(bench);
}

/** Takes values from those that a field or a parameter can have. */
export function toRemoving({ field, set, parameter }: Place["thing"], values: readonly Json[]): Deed {
  return field !== undefined ? removeFieldValues(field, values) : removeChoices(toFound(set, parameter), values);
}

function restricting(listing: Listing, gone: readonly Json[]): Deed {
  const { fresh, place } = listing;
  return async (bench) => {
    if (fresh.length > 0) await adding(listing, fresh)(bench);
    if (gone.length > 0) await toRemoving(place.thing, gone)(bench);
  };
}

function toFound(set: Place["thing"]["set"], name = "") {
  const parameter: Parameter | undefined = set?.parameters.get(name);
  if (set === undefined || parameter === undefined) throw new TypeError(`There is no parameter ${name}.`);
  return { set, name, parameter };
}
