import type { Clause } from "../clause.ts";
import { isNameOf } from "../drafts/draft.ts";
import { exactName } from "../guess/relevance.ts";
import type { Places } from "../places/places.ts";
import type { KeyWord } from "../words/key-words.ts";
import { STOP } from "../words/word-lists.ts";
import { isRenamed, toOfOther } from "./is-of-other.ts";

/** Words and signs between names of which one thing is said: "wheelchair and gift_box", "in find_room and in find_material". */
const JOINT =
  /^(?:,|&|\/|and|or|plus|und|oder|y|o|e|et|ou|和|、|\d[\d.,]*|in|of|for|on|the|both|der|die|das|el|la|los|las|le|les|de)$/;
const JOINING = /^(?:,|&|\/|and|or|plus|und|oder|y|o|e|et|ou|和|、)$/;
/** Words between two names, at most: ", and in the". */
const FAR = 4;
/** Says that callers have to give something. */
const GIVEN =
  /(?<!\b(?:not|no longer|never|n['’]t) )(?:\b(?:must|has to|have to|needs? to|should)(?: always| also)* be (?:given|chosen|filled in|provided|sent|passed|supplied|specified|stated|picked)\b(?! (?:the|an?|to|by|access|\d))|\b(?:muss|müssen) (?:immer )?(?:angegeben|ausgefüllt) werden\b)/iu;
const REDACTED = /\b(?:redact\w*|(?:kept|keep|left|leave) out of (?:the |our |all )?logs)\b/iu;
const BOTH = /\b(?:both|beide[nrs]?|ambos|ambas|les deux|toutes les deux)\b/iu;
/** Days that are written in words: "1 March 2027", "March 1st, 2027". */
const DAY =
  /\b\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*,? \d{4}|\b(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\b(?:in|by|from|until|before|after) (?:(?:early|late|mid|the) )*(?:spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december)\b/iu;
/** The hosts that a policy allows, beside those of a tool. */
const LISTED =
  /\b(?:allowed|permitted) hosts\b|\b(?:off|from) (?:the|our) hosts\b|\b(?:allow|egress)[- ]?list\b|\bpolicy\b/iu;
const OF_HOST = /^\S+#egress [+-] /;
const OF_POLICY = /^manifests\/policies\/|^hosts |^block /;
/** "A host moved to another one", "moved from one host to another" */
const HOST = String.raw`(?:[a-z\d-]+\.)+[a-z]{2,}`;
const MOVED = new RegExp(
  String.raw`${HOST} (?:has |have |was |is )?(?:been )?(?:moved|changed|migrated|switched|renamed) to ${HOST}|\bfrom ${HOST} to ${HOST}|(?:has|have|is|are) (?:now )?(?:just |recently )?(?:moved|moving|migrated|relocated|gone over)\b.{0,80}\b${HOST}|\b${HOST} (?:from now on|instead)\b`,
  "iu",
);
/** Another name that something is to get besides: "rename guide to host and ...", "... and call it safe". */
const CALLED =
  /\brename \S+ to ["'\x60]?(?<name>[\p{L}\d_.-]*[\p{L}\d])(?=["'\x60]? (?:in \S+ )?and\b)|\band call it ["'\x60]?(?<name>[\p{L}\d_.-]*[\p{L}\d])/iu;
/** A further wish of what was named: "..., and it should accept sms". */
const FURTHER =
  /,? and (?:it|they) (?:should|must|may|can|has to|have to|needs? to)\b(?! (?:not|stay|remain|keep)\b)/iu;
/** Two values that come: "add klarna and apple_pay to the payment methods". */
const ADDED =
  /\b(?:add|allow|accept) ["'\x60]?(?<one>[\w-]+)["'\x60]?,? (?:and|und|y|et) ["'\x60]?(?<other>[\w-]+)["'\x60]? (?:to|as|in|for)\b/iu;
/** A number beside a word for the cost of a call: "may cost 3". */
const COST = /\bcosts? (?:only |about )?\d+(?![\d.]*\s*(?:€|euros?|dollars?|\$|%))/iu;

/** Small words that fields are called by, too. */
const PLACING = /^(?:under|after|before|over|below|above|until|since|within|between|per|around|near)$/;
/** What a clause says by the name of a thing, and where. */
interface Name {
  readonly kind: "tool" | "value" | "role";
  readonly text: string;
  readonly at: number;
}

/**
 * Makes a check whether the changes of some names leave out a part of what a clause says in one breath: one of two names that share what is
 * said of them, that something must be given, what is redacted, a day in words, one of two replacements, or the value that another is renamed from.
 */
export function toLeavesJoined(clause: Clause, places: Places): (parts: readonly string[]) => boolean {
  const { text, tokens } = clause;
  const names = findNames(clause, places);
  const pairs = (["tool", "value", "role"] as const).flatMap((kind) => findPairs(clause, names, kind));
  const values = new Map(
    places.things.map((thing) => [
      exactName(thing).split(".").at(-1) ?? "",
      new Set(thing.values.map((value) => String(value).toLowerCase())),
    ]),
  );
  const keyed = names.filter(
    ({ kind, at }) => kind === "value" && (isKeyed(clause, at, values) || isCounted(clause, at)),
  );
  const fresh = CALLED.exec(text)?.groups?.["name"];
  const children = findChildren(clause, places);
  const isOfOther = toOfOther(clause, places);
  const quoted = text.includes("{") ? [] : tokens.filter(({ kind }) => kind === "quoted");
  const says = (pattern: RegExp, part: RegExp, parts: readonly string[]) =>
    pattern.test(text) && !parts.some((one) => part.test(one));
  return (parts) =>
    pairs.some(([one, other]) => parts.some((part) => isOf(part, one)) !== parts.some((part) => isOf(part, other))) ||
    (!parts.some((part) => part.startsWith("arm ")) && keyed.some((name) => !parts.some((part) => isOf(part, name)))) ||
    (BOTH.test(text) && parts.length < 2) ||
    (quoted.length > 3 && parts.length < 2) ||
    says(GIVEN, /^(?:require|relax|example) /, parts) ||
    says(REDACTED, /^redact /, parts) ||
    (COST.test(text) && parts.some((part) => /#limits\//.test(part)) && !parts.some((part) => /#cost/.test(part))) ||
    parts.some((part) => leavesDay(text, part)) ||
    parts.some(isOfOther) ||
    (MOVED.test(text) &&
      parts.some((part) => /#egress \+/.test(part)) &&
      !parts.some((part) => /#egress -/.test(part))) ||
    children.some(
      ({ parent, child }) => parts.some((part) => isIn(part, parent)) && !parts.some((part) => isOf(part, child)),
    ) ||
    setsTwice(clause, parts) ||
    (FURTHER.test(text) && parts.length < 2) ||
    leavesAdded(text, parts) ||
    (fresh !== undefined && !parts.some((part) => isOf(part, { text: fresh }))) ||
    (LISTED.test(text) && parts.some((part) => OF_HOST.test(part)) && parts.every((part) => !OF_POLICY.test(part))) ||
    parts.some((part) => leavesNumber(clause, part)) ||
    parts.some((part) => isRenamed(part, clause, places));
}

/** A field within another one, which a clause names together with it: "the postcode of the contact". */
interface Child {
  readonly parent: string;
  readonly child: Pick<Name, "text">;
}

function findChildren({ text }: Clause, { things }: Places): readonly Child[] {
  const fields = new Set(things.flatMap(({ field }) => (field?.name.includes(".") === true ? [field.name] : [])));
  const joined = text.toLowerCase().replaceAll(" ", "_");
  return [...fields].flatMap((field): readonly Child[] => {
    const [child = "", parent = ""] = field.split(".").toReversed();
    if (![child, parent].every((name) => joined.includes(name.toLowerCase()))) return [];
    const [inner, outer] = [child, parent].map((name) => RegExp.escape(name).replaceAll("_", "[_ ]"));
    const isSaid = new RegExp(
      String.raw`(?<![\p{L}\d_])(?:${inner} (?:of|in|from) (?:the |a |an |its |each )?${outer}|${outer}(?:['’]s)? ${inner})(?![\p{L}\d_])`,
      "iu",
    ).test(text);
    return isSaid ? [{ parent, child: { text: child } }] : [];
  });
}

/** Tells whether a change of that name is of a field, or of something in it. */
function isIn(part: string, field: string): boolean {
  return part.includes(`properties/${field}/`);
}

/** Tells whether a change of an example has not all numbers that a further sentence says: "set seats to 6. The total is 45 then". */
function leavesNumber({ amounts, text, tokens }: Clause, part: string): boolean {
  const [, place, edits = ""] = /^change example \S+ (\d+) (.*)$/s.exec(part) ?? [];
  if (place === undefined) return false;
  const said = new Set([...(edits.match(/-?\d+(?:\.\d+)?/gu) ?? []).map(Number), Number(place) + 1]);
  return amounts.some(
    ({ value, role, tokens: [at = 0] }) =>
      role !== "from" && !said.has(value) && /[.!?]\s/u.test(text.slice(0, tokens[at]?.start)),
  );
}

/** Tells whether a deprecation leaves out the day that is said; that of a field has none. */
function leavesDay(text: string, part: string): boolean {
  const isDated = /\d{4}-\d{2}-\d{2}/;
  return part.startsWith("deprecate ")
    ? DAY.test(text) || isDated.test(text)
    : part.startsWith("retire ") && DAY.test(text) && !isDated.test(part);
}

/** Tells whether only one of two values that are to come does. */
function leavesAdded(text: string, parts: readonly string[]): boolean {
  const { one = "", other = "" } = ADDED.exec(text)?.groups ?? {};
  const has = (word: string) => parts.some((part) => isOf(part, { text: word }));
  return one !== "" && parts.some((part) => / add \[/.test(part)) && has(one) !== has(other);
}

/** Tells whether two keys of one thing are set to a number that is said only once: "up to a full week, that is 168". */
function setsTwice({ amounts }: Clause, parts: readonly string[]): boolean {
  const set = parts.flatMap((part) => {
    const [, thing = "", value] = /^(\S+#\S+)\/[^/\s=]+=(-?[\d.]+)$/.exec(part) ?? [];
    return value === undefined ? [] : [`${thing}=${value}`];
  });
  return set.some((one) => {
    const value = Number(one.replace(/^.*=/, ""));
    const said = amounts.filter((amount) => amount.value === value).length;
    return said === 1 && set.filter((other) => other === one).length > 1;
  });
}

/** The names of one kind beside each other that are joined by "and" and the like; what they belong to may stand between. */
function findPairs({ tokens }: Clause, names: readonly Name[], kind: Name["kind"]): readonly (readonly [Name, Name])[] {
  const own = names.filter((one) => one.kind === kind);
  return own.flatMap((one, index) => {
    const other = own[index + 1];
    if (other === undefined || other.text === one.text) return [];
    const between = tokens.slice(one.at + 1, other.at).map(({ lower }) => lower);
    const isJoint = (word: string) => JOINT.test(word) || names.some(({ text }) => text === word);
    const isJoined =
      between.length <= FAR &&
      between.every(isJoint) &&
      between.some((word) => JOINING.test(word) && (kind !== "role" || word !== ","));
    return isJoined ? [[one, other] as const] : [];
  });
}

/** Keys that are said beside the name of what has them, those of bounds in several words, too: "subject at most 200". */
const KEYS: readonly KeyWord[] = ["default", "title", "description", "pattern"];
const BOUNDS: readonly KeyWord[] = [
  ...(["minimum", "maximum", "min", "max", "minLength", "maxLength", "minItems", "maxItems"] as const),
];

/** Tells whether a word is the name of what has a key that is said beside it: "direction default in", "default of direction". */
function isKeyed({ tokens, keys }: Clause, at: number, values: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const bounds = BOUNDS.flatMap((key) => (keys.get(key) ?? []).flatMap(([first = -1]) => first));
  const others = KEYS.flatMap((key) => (keys.get(key) ?? []).flatMap((phrase) => (phrase.length === 1 ? phrase : [])));
  const said = new Set([...bounds, ...others]);
  const state = tokens[at + 1]?.lower ?? "";
  const isState =
    /^(?:off|true|false)$/.test(state) || (state === "on" && /^(?:[,;.!]|and|by)?$/.test(tokens[at + 2]?.lower ?? ""));
  const isValue = values.get(tokens[at]?.lower ?? "")?.has(tokens[at + 1]?.lower ?? "") === true;
  return (
    said.has(at + 1) || isState || isValue || (/^(?:of|for)$/.test(tokens[at - 1]?.lower ?? "") && said.has(at - 2))
  );
}

/** Words between the name of what has a number and that number: "gift_note can be 300", "litres up to 400". */
const COUNTING =
  /^(?:can|may|should|must|could|will|to|be|have|take|hold|up|at|most|least|as|many|only|a|an|of|allow|accept|get|gets|go|goes|reach|run|rise|extend|:|=)$/;

/** Tells whether a number is said of what a word names. */
function isCounted({ tokens, amounts }: Clause, at: number): boolean {
  const end = tokens.findIndex(({ lower }, place) => place > at && !COUNTING.test(lower));
  const isOwner = [at - 1, at - 2].some((place) => /^(?:of|in|for)$/.test(tokens[place]?.lower ?? ""));
  const isTimes = /^(?:once|twice|thrice)$/.test(tokens[end]?.lower ?? "");
  return (
    !isOwner && !isTimes && end > at && amounts.some(({ tokens: [number], role }) => number === end && role !== "from")
  );
}

/** The words of a clause that are names of tools, or of fields and parameters, as manifests write them. */
function findNames({ tokens, keys, actions }: Clause, { things, version }: Places): readonly Name[] {
  const said = new Set([...keys.values()].flat(2).concat([...actions.values()].flat()));
  const valued = new Set(
    things.flatMap((thing) => (thing.kind === "parameter" || thing.field?.side === "input" ? [exactName(thing)] : [])),
  );
  const roles = new Set(things.flatMap(({ role }) => role?.toLowerCase() ?? []));
  return tokens.flatMap(({ lower, kind }, at): readonly Name[] => {
    if (kind === "word" && roles.has(lower)) return [{ kind: "role", text: lower, at }];
    if (kind !== "word" || STOP.has(lower) || PLACING.test(lower) || (said.has(at) && !said.has(at + 1))) return [];
    if (/[_.]/.test(lower) && [...version.tools.values()].some((tool) => isNameOf(tool, lower)))
      return [{ kind: "tool", text: lower, at }];
    return valued.has(lower) ? [{ kind: "value", text: lower, at }] : [];
  });
}

/** Tells whether a change of that name is about what is called so. */
function isOf(part: string, { text }: Pick<Name, "text">): boolean {
  return new RegExp(String.raw`(?<![\p{L}\d_])${RegExp.escape(text)}(?![\p{L}\d_])`, "iu").test(part);
}
