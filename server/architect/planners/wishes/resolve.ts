import { type Clause, readClause } from "./clause.ts";
import { changesGone, contradict } from "./contrary/contradict.ts";
import { toMistaken } from "./contrary/is-contrary.ts";
import type { Places, Thing } from "./places/places.ts";
import { has, isNameOf } from "./drafts/draft.ts";
import { fillGaps } from "./parts/fill-gaps.ts";
import { splitOutsideQuotes } from "./parts/split-at.ts";
import { type Ranked, rankDrafts } from "./rank.ts";

/** The wishes of a piece of text: one draft for each where it is clear, or all that it may mean. */
export type Resolved =
  | { readonly kind: "clear"; readonly drafts: readonly Ranked[] }
  | { readonly kind: "open"; readonly clause: Clause; readonly drafts: readonly Ranked[] };

/** A draft that costs less is done where no other is near. */
const CLEAR = 0.4;
/** By how much the next draft has to be worse. */
const MARGIN = 0.3;
/** A draft that costs less leaves nothing that could be a wish of its own. */
const NEARLY_ALL = 0.25;
const REASON =
  /^(?:we|it|they|he|this|that|which|because|since|as|so|otherwise|i|people|users|customers|for|our|weil|da|porque|car|parce)\b/i;
/** Words with which a part of a sentence may change what the rest says. */
const BINDING =
  /\b(?:if|unless|until|till|before|after|when|while|should|must|only|except|instead|but|however|not|don'?t|wenn|falls|bis|erst|si|cuando|quand)\b/i;
/** What somebody finds, before what is wanted: "We are too generous with holds: make ...". */
const FOUND = /^(?:we|they|people|customers|users|callers|members|visitors)\s[^:.;!?]{3,80}:\s+(?=\p{Ll})/iu;
const PIECES = 8;

/** Reads a sentence as one wish, or as several joined by "and" and the like, or as one with a reason behind it. */
export function resolve(text: string, places: Places): Resolved {
  const whole = resolveWhole(text, places);
  if (whole.kind === "clear" && costOf(whole) < NEARLY_ALL) return whole;
  const parts = resolveWithoutReason(text, places) ?? resolveParts(text, places);
  return parts === undefined || (whole.kind === "clear" && costOf(whole) <= costOf(parts)) ? whole : parts;
}

/** Reads a text as one wish. */
export function resolveWhole(text: string, places: Places): Resolved {
  const clause = readClause(text, places);
  const drafts = rankDrafts(clause, places);
  const [best] = drafts;
  return best !== undefined && isClear(drafts) ? { kind: "clear", drafts: [best] } : { kind: "open", clause, drafts };
}

function costOf({ drafts }: Resolved): number {
  return drafts.reduce((sum, { cost }) => sum + cost, 0);
}

function isClear([best, ...others]: readonly Ranked[]): boolean {
  if (best?.deed === undefined || best.cost >= CLEAR || best.isContrary) return false;
  return !others.some((other) => {
    // A field of another tool with this name is as near, whichever direction its value would go.
    const against = isNamesake(best, other) ? (other.against ?? 0) : 0;
    return other.cost - against - best.cost < MARGIN && other.name !== best.name;
  });
}

function isNamesake({ thing: one }: Ranked, { thing: other }: Ranked): boolean {
  return one?.field !== undefined && one.field.name === other?.field?.name && one.tool !== other.tool;
}

/** Without pieces that only say why. */
function resolveWithoutReason(text: string, places: Places): Resolved | undefined {
  // Why something is deprecated is a part of it.
  if (has(readClause(text, places), "deprecate")) return undefined;
  const bare = text
    .replace(FOUND, (found) => (BINDING.test(found) || /\d/.test(found) ? found : ""))
    .replace(/\s*\([^()]*\)/g, (aside) => (BINDING.test(aside) || /\d/.test(aside) ? aside : ""))
    .replace(
      /[ ,-]+(?:because|since|so that|in order to|as (?:we|it|they|people|users)|weil|porque|parce que|car)\b[^.]*$/i,
      (reason) => (BINDING.test(reason) || /\d/.test(reason) ? reason : ""),
    );
  const pieces = bare.split(/, | - | – | — |: (?=\p{Lu})/u);
  const kept = pieces.filter((piece, index) =>
    index === 0 ? true : !(REASON.test(piece) && !BINDING.test(piece) && !/\d/.test(piece)),
  );
  const shorter = kept.join(", ");
  if (shorter === text) return undefined;
  const found = resolveWhole(shorter, places);
  return found.kind === "clear" ? found : resolveParts(shorter, places);
}

/** Every piece by itself; one that names no thing, or has no verb, is read with the words of its neighbour. */
function resolveParts(text: string, places: Places): Resolved | undefined {
  const pieces = fillGaps(splitOutsideQuotes(text), places);
  if (pieces.length < 2 || pieces.length > PIECES) return undefined;
  const drafts: Ranked[] = [];
  for (let at = 0; at < pieces.length;) {
    const found = longest(pieces, at, places);
    if (found === undefined) return undefined;
    drafts.push(...found.drafts);
    at = found.end;
  }
  // What goes is not changed besides.
  const names = drafts.map(({ name }) => name);
  const [first] = drafts;
  const isGone = first !== undefined && drafts.length > 1 && changesGone(pieces.slice(1).join(" "), first);
  const isMistaken = toMistaken(readClause(text, places), places);
  return isGone || contradict(names, places) || names.some(isMistaken) ? undefined : { kind: "clear", drafts };
}

function longest(
  pieces: readonly string[],
  at: number,
  places: Places,
): { readonly drafts: readonly Ranked[]; readonly end: number } | undefined {
  // "It should accept sms" is about what was named before.
  const isOfOther = at > 0 && /^\W*(?:it|they)\b/iu.test(pieces[at] ?? "");
  for (let end = isOfOther ? at : pieces.length; end > at; end -= 1) {
    if (at === 0 && end === pieces.length) continue;
    const piece = pieces.slice(at, end).join(" and ");
    const verb = /^\s*(?:please\s+)?(\p{L}+)\s/u.exec(pieces[0] ?? "")?.[1];
    const found = [
      resolveWhole(piece, places),
      ...(verb !== undefined && at > 0 ? [resolveWhole(`${verb} ${piece}`, places)] : []),
    ].find(({ kind }) => kind === "clear");
    // A part that is not understood nearly whole may say something else.
    if (found?.kind === "clear" && costOf(found) < NEARLY_ALL + 0.1) return { drafts: found.drafts, end };
  }
  for (const neighbour of [pieces[at + 1], pieces[at - 1], pieces[0], pieces.at(-1)]) {
    const piece = pieces[at];
    const found =
      neighbour === undefined || piece === undefined || neighbour === piece
        ? undefined
        : resolveBeside(piece, neighbour, places);
    if (found !== undefined) return { drafts: found, end: at + 1 };
  }
  return undefined;
}

/** A piece about the thing that its neighbour is about: "add kelvin" beside "remove imperial from the units". */
function resolveBeside(piece: string, neighbour: string, places: Places): readonly Ranked[] | undefined {
  const other = resolveWhole(neighbour, places);
  const [thing] = other.kind === "clear" ? other.drafts : [];
  if (thing?.thing === undefined) return undefined;
  const owner = ownerOf(
    thing.thing,
    { piece: readClause(piece, places), neighbour: readClause(neighbour, places) },
    places,
  );
  const found = owner === undefined ? undefined : resolveWhole(`${piece} ${toPhrase(owner)}`, places);
  return found?.kind === "clear" && found.drafts[0]?.thing === owner ? found.drafts : undefined;
}

/**
 * Finds what a piece is about beside one about a thing: that thing, but for a title beside a field, which is mostly that of the tool. A
 * description beside a field may be of either, and "its title" is that of what the neighbour begins with.
 */
function ownerOf(
  thing: Thing,
  { piece: { text, keys }, neighbour }: { readonly piece: Clause; readonly neighbour: Clause },
  { things }: Places,
): Thing | undefined {
  const isText = keys.has("title") || keys.has("description");
  const isOfIt = isText && /\b(?:its|sein\w*|ihr\w*|sus?|son|sa)\b/iu.test(text);
  // "... at most 20, and titled `Guests`" goes on with the field, "the title ..." does not.
  if (thing.field === undefined || !(isOfIt || /\b(?:the|der|die|el|la|le)\b/iu.test(text))) return thing;
  const tool = things.find((one) => one.kind === "tool" && one.tool === thing.tool);
  const subject = neighbour.tokens.find(({ kind, lower }) => kind !== "sign" && lower !== "the")?.lower ?? "";
  if (isOfIt && subject === thing.field.name.toLowerCase()) return thing;
  if (isOfIt) return thing.tool !== undefined && isNameOf(thing.tool, subject) ? tool : undefined;
  if (keys.has("description")) return undefined;
  return keys.has("title") ? tool : thing;
}

function toPhrase({ tool, field, set, parameter, label }: Thing): string {
  if (field !== undefined) return `for the ${field.side} ${field.name} of ${tool?.name ?? ""}`;
  if (parameter !== undefined) return `of ${set?.name ?? ""}.${parameter}`;
  return `of ${tool?.name ?? set?.name ?? label}`;
}
