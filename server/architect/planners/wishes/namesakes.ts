import type { Json } from "../../../store/store.ts";
import type { Clause } from "./clause.ts";
import { isIdentifierOf, isNameOf, matchThing } from "./drafts/draft.ts";
import { exactName } from "./guess/relevance.ts";
import type { Places, Thing } from "./places/places.ts";
import { STOP } from "./words/word-lists.ts";
import { type Token, toStems, VERSION_NUMBER } from "./words/words.ts";

/** Kinds of things that people mean by a bare name. */
const NAMED: ReadonlySet<Thing["kind"]> = new Set(["field", "parameter", "tool"]);

/**
 * Tells whether another thing goes by the words that name this one, and nothing in the message says which is meant. Of two
 * fields `limit`, one that may be raised to 40 is not meant for that alone. `isOfTool`: what is wished can be said of tools only.
 */
export function hasNamesake(clause: Clause, thing: Thing, places: Places, isOfTool = false): boolean {
  if (!NAMED.has(thing.kind) || isWritten(clause, thing) || clause.amounts.some(({ role }) => role === "from"))
    return false;
  if (isBareKey(clause, thing, places)) return true;
  const own = matchThing(clause, thing, places);
  if (own === undefined || own.own === 0) return false;
  const said = new Set([...own.explained, ...own.soft]);
  const isValue = clause.tokens.some(({ text, kind }) => kind !== "sign" && thing.values.includes(text));
  if (isValue) return EACH.test(clause.text) && places.things.some((other) => isTwin(clause, thing, other));
  const isIdentified = isIdentifier(clause, thing);
  return places.things.some((other) => {
    if (
      other === thing ||
      !NAMED.has(other.kind) ||
      (isOfTool && other.kind !== "tool") ||
      isOf(other, thing) ||
      isOf(thing, other)
    )
      return false;
    if (!isAlike(thing, other) || (isIdentified && exactName(other) !== exactName(thing))) return false;
    const match = matchThing(clause, other, places);
    return (
      match !== undefined &&
      match.own >= 1 &&
      match.own >= own.own &&
      [...said].every((at) => match.explained.has(at) || match.soft.has(at))
    );
  });
}

const NUMERIC: ReadonlySet<unknown> = new Set(["integer", "number"]);
/** Words that people have for keys of anything: by them alone, nothing is named. */
const KEYS = /^(?:max|maximum|min|minimum|limits?|defaults?|costs?|titles?)$/;

/**
 * Tells whether a thing is only called by words that people also have for keys of anything: "double the limit" may be about any of them,
 * and the maximum is no `max_wind`. A name that is nothing else is meant with the marks of code, or with a word of its tool or its kind.
 */
function isBareKey({ tokens, weights, actions, nouns, amounts }: Clause, thing: Thing, { placesOf }: Places): boolean {
  const { owners, names, field, tool } = thing;
  const name = exactName(thing).split(".").at(-1) ?? "";
  const own = new Set(names.flat());
  const said = tokens.filter(
    ({ stems, kind }, at) => kind !== "sign" && (weights[at] ?? 0) > 0 && stems.some((stem) => own.has(stem)),
  );
  // The name of a tool is not that of a field of it, as `lift` is in `open_lift`.
  const isOfTool = (lower: string) => field !== undefined && tool !== undefined && isIdentifierOf(tool, lower);
  const isKey = ({ lower, kind }: Token) => isOfTool(lower) || (kind === "word" && KEYS.test(lower));
  if (said.length === 0 || !said.every(isKey)) return false;
  if (!KEYS.test(name)) {
    // "The maximum of 90 is too low" says what it is now.
    const present = new Set((placesOf.get(thing) ?? []).map(({ now }) => now));
    return !amounts.some(({ value }) => present.has(value));
  }
  // "Set" is a noun, too.
  const verbs = new Set(actions.get("set"));
  return !tokens.some(
    ({ lower, kind, stems }, at) =>
      kind === "word" &&
      !KEYS.test(lower) &&
      (stems.some((stem) => owners.has(stem)) ||
        (!verbs.has(at) && ["field", "input", "parameter"].some((noun) => nouns.get(at)?.has(noun) === true))),
  );
}

/**
 * Tells whether a change sets a key that only the name of a field of its tool says, so that something else may be meant by that name: "change
 * the limit to 75" where 75 can be the default of `limit` as well, and "a timeout of two minutes" where the tool takes a `timeout`.
 */
export function isKeyByName({ tokens, keys }: Clause, name: string, { named, things, placesOf }: Places): boolean {
  return name.split(" & ").some((one) => {
    const [id = "", text = ""] = one.split("=", 2);
    const place = named.get(id);
    const phrases = place === undefined ? [] : (keys.get(place.key) ?? []);
    if (place === undefined || phrases.length === 0 || !Number.isFinite(Number(text))) return false;
    const called = things.filter(
      ({ tool, field }) =>
        tool !== undefined &&
        tool === place.thing.tool &&
        field?.side === "input" &&
        phrases.every(([at = -1, ...more]) => more.length === 0 && tokens[at]?.lower === field.name.toLowerCase()),
    );
    return called.some((thing) => {
      const own = new Map((placesOf.get(thing) ?? []).map(({ key, now }) => [key, now]));
      if (thing !== place.thing) return NUMERIC.has(thing.field?.schema["type"]);
      const [least = -Infinity, most = Infinity] = [own.get("minimum"), own.get("maximum")].map(Number);
      return own.get("default") !== undefined && Number(text) >= least && Number(text) <= most;
    });
  });
}

/**
 * Tells whether the message limits what is wished to some cases: by a value of another field of the same tool ("the maximum quantity
 * of croissants"), by one of any tool before a name ("sms reminders"), by a role that it begins with ("members: 5 a minute"), or by a
 * version ("with the 2.0.0 that legacy users are on").
 */
export function isLimited(clause: Clause, thing: Thing, { things, version }: Places): boolean {
  if (thing.kind === "example" || thing.kind === "role") return false;
  const { tokens } = clause;
  const hasVersion = tokens.some(({ kind, text }) => kind !== "quoted" && VERSION_NUMBER.test(text));
  if (hasVersion && thing.kind !== "label") return true;
  const own = new Set([...thing.names.flat(), ...thing.owners, ...thing.values.map((value) => toKey(value))]);
  const valuesOf = (fields: readonly Thing[]) =>
    new Set(fields.flatMap(({ values }) => values.filter((value) => typeof value === "string").map(toKey)));
  const others = things.filter((other) => other !== thing && other.field?.side === "input");
  const ofTool = valuesOf(others.filter(({ tool }) => tool !== undefined && tool === thing.tool));
  const ofAny = valuesOf(others);
  const roles = new Set(version.policies.flatMap((policy) => [...policy.roles.keys()].map(toKey)));
  return tokens.some(({ kind, stems, lower }, at) => {
    const said = stems.join(" ");
    if (kind !== "word" || STOP.has(lower) || stems.every((stem) => own.has(stem))) return false;
    if (at === 0 && tokens[1]?.text === ":" && roles.has(said)) return true;
    const next = tokens[at + 1];
    const isBefore = next?.kind === "word" && next.stems.some((stem) => own.has(stem));
    // "Sms reminders: ..."
    const isHead = at === 0 && tokens[2]?.text === ":";
    return ofTool.has(said) || ((isBefore || isHead) && ofAny.has(said));
  });
}

function toKey(value: Json): string {
  return toStems(String(value)).join(" ");
}

/** Says that more than one of them is meant: "both when one is made and when one is changed". */
const EACH = /\b(?:both|each|every|everywhere|beide\w*|überall|ambos|ambas|les deux)\b|两[个处边]/iu;

/** Tells whether another tool, where neither is named as in its manifest, has a field of one name with a value that the message names. */
function isTwin({ tokens }: Clause, thing: Thing, other: Thing): boolean {
  if (other.tool === thing.tool || other.field === undefined || exactName(other) !== exactName(thing)) return false;
  const isNamed = [thing, other].some(
    ({ tool }) => tool !== undefined && tokens.some(({ lower }) => isNameOf(tool, lower)),
  );
  return (
    !isNamed &&
    tokens.some(({ text, kind }) => kind !== "sign" && thing.values.includes(text) && other.values.includes(text))
  );
}

/** Tells whether a thing is called as in its manifest, by a name of several words that no other words are: `hold_minutes`. */
function isIdentifier({ tokens }: Clause, thing: Thing): boolean {
  const name = exactName(thing);
  return tokens.some(({ lower, text }) => lower === name && /[_-]|\p{Ll}\p{Lu}/u.test(text));
}

/** Tells whether a tool is called as in its manifest. */
function isWritten({ tokens }: Clause, { kind, tool }: Thing): boolean {
  const name = kind === "tool" ? (tool?.name.toLowerCase() ?? "") : "";
  return /[._]/.test(name) && tokens.some(({ lower }) => lower === name);
}

/** Tells whether a change of that name is of what only tools have: costs and limits. */
export function isOfTools(name: string): boolean {
  return /#(?:cost|limits|rateLimit|idempotent)\b/.test(name);
}

/** Finds what a guess of that name changes: by the place that it sets, or by the thing that it is about. */
export function thingOf(name: string, { named, things }: Places): Thing | undefined {
  const place = named.get(/^\S+#[^\s=]+/.exec(name)?.[0] ?? "");
  return place?.thing ?? things.find(({ id }) => name.endsWith(` ${id}`));
}

/** Tells whether both belong to one tool: what is said of it may be about either, and the kind of change tells them apart. */
function isOf({ tool }: Thing, other: Thing): boolean {
  return tool !== undefined && tool === other.tool;
}

/** Tells whether what can be asked of one thing can be asked of the other: two fields of one type, or one of them a tool. */
function isAlike({ field: one }: Thing, { field: other }: Thing): boolean {
  if (one === undefined || other === undefined) return true;
  const isChoice = (schema: Readonly<Record<string, unknown>>) => Array.isArray(schema["enum"]);
  return (
    one.side === other.side &&
    one.schema["type"] === other.schema["type"] &&
    isChoice(one.schema) === isChoice(other.schema)
  );
}
