import type { Clause } from "./clause.ts";
import { matchThing } from "./drafts/draft.ts";
import type { Places, Thing } from "./places/places.ts";

/** Kinds of things that people mean by a bare name. */
const NAMED: ReadonlySet<Thing["kind"]> = new Set(["field", "parameter", "tool"]);

/**
 * Tells whether another thing goes by the words that name this one, and nothing in the message says which is meant. Of two
 * fields `limit`, one that may be raised to 40 is not meant for that alone.
 */
export function hasNamesake(clause: Clause, thing: Thing, places: Places): boolean {
  if (!NAMED.has(thing.kind) || clause.amounts.some(({ role }) => role === "from")) return false;
  const own = matchThing(clause, thing, places);
  if (own === undefined || own.own === 0) return false;
  const said = new Set([...own.explained, ...own.soft]);
  const isValue = clause.tokens.some(({ text, kind }) => kind !== "sign" && thing.values.includes(text));
  if (isValue || isNamedInFull(clause, thing)) return false;
  return places.things.some((other) => {
    if (other === thing || !NAMED.has(other.kind) || isOf(other, thing) || isOf(thing, other)) return false;
    if (!isAlike(thing, other)) return false;
    const match = matchThing(clause, other, places);
    return (
      match !== undefined &&
      match.own >= 1 &&
      match.own >= own.own &&
      [...said].every((at) => match.explained.has(at) || match.soft.has(at))
    );
  });
}

/** Tells whether a tool is called by its whole name, which nothing else has. */
function isNamedInFull({ tokens }: Clause, { kind, tool }: Thing): boolean {
  const name = kind === "tool" ? (tool?.name.toLowerCase() ?? "") : "";
  return /[._]/.test(name) && tokens.some(({ lower }) => lower === name);
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
