import type { Json } from "../../../store/store.ts";
import type { Clause } from "./clause.ts";
import { isNameOf, matchThing } from "./drafts/draft.ts";
import { exactName } from "./guess/relevance.ts";
import type { Places, Thing } from "./places/places.ts";
import { STOP } from "./words/word-lists.ts";
import { toStems } from "./words/words.ts";

/** Kinds of things that people mean by a bare name. */
const NAMED: ReadonlySet<Thing["kind"]> = new Set(["field", "parameter", "tool"]);

/**
 * Tells whether another thing goes by the words that name this one, and nothing in the message says which is meant. Of two
 * fields `limit`, one that may be raised to 40 is not meant for that alone. `isOfTool`: what is wished can be said of tools only.
 */
export function hasNamesake(clause: Clause, thing: Thing, places: Places, isOfTool = false): boolean {
  if (!NAMED.has(thing.kind) || isWritten(clause, thing) || clause.amounts.some(({ role }) => role === "from"))
    return false;
  if (isBareLimit(clause, thing)) return true;
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

/**
 * Tells whether a field is only called by a word that people also have for the limits of calls, without a word of its tool beside it and
 * without the marks of code: "double the limit" may be about any of them.
 */
function isBareLimit({ tokens, nouns }: Clause, { field, owners, tool }: Thing): boolean {
  const name = field?.name.split(".").at(-1)?.toLowerCase();
  if (tool === undefined || name !== "limit") return false;
  const isSaid = tokens.some(({ lower, kind }) => kind === "word" && /^limits?$/.test(lower));
  const isMarked = tokens.some(({ lower, kind }) => kind === "quoted" && lower === name);
  const isBeside = tokens.some(
    ({ lower, kind, stems }, at) =>
      kind === "word" &&
      !/^limits?$/.test(lower) &&
      (stems.some((stem) => owners.has(stem)) ||
        ["field", "input", "parameter"].some((noun) => nouns.get(at)?.has(noun) === true)),
  );
  return isSaid && !isMarked && !isBeside;
}

/**
 * Tells whether the message limits what is wished to some cases: by a value of another field of the same tool ("the maximum quantity
 * of croissants"), by one of any tool before a name ("sms reminders"), or by a role that it begins with ("members: 5 a minute").
 */
export function isLimited(clause: Clause, thing: Thing, { things, version }: Places): boolean {
  if (thing.kind === "example" || thing.kind === "role") return false;
  const { tokens } = clause;
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
