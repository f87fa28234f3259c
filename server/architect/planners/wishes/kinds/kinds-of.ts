import { partsOf } from "../leaves-wish.ts";
import type { Place, Places } from "../places/places.ts";

/** Place that a change sets, and its value as JSON. */
const SET = /^([^ ]*#[^ ]*?)=(.*)$/s;
/** Words that name what is changed where they follow the verb. */
const NOUNS: ReadonlySet<string> = new Set("role arm prompt experiment resource example -  + host hosts".split(" "));

/** Finds the place that a change of that name sets, and the value as it is written; undefined of one that sets none. */
export function findSet(name: string, places: Places): { readonly place: Place; readonly text: string } | undefined {
  const [, at = "", text = ""] = SET.exec(name) ?? [];
  const place = places.named.get(at);
  return place === undefined ? undefined : { place, text };
}

/**
 * Lists the kinds of change that a reading is made of, by the names of its changes: what sort of thing, which key of it, and in which direction. What it
 * is about and which value it gets are left out, so that messages to one agent say something of those to another.
 */
export function kindsOf(names: readonly string[], places: Places): readonly string[] {
  return [...new Set(partsOf(names).map((part) => kindOf(part, places)))];
}

function kindOf(part: string, places: Places): string {
  const set = findSet(part, places);
  if (set === undefined) return kindOfVerb(part);
  return `${set.place.thing.kind} ${set.place.key} ${directionOf(set.place.now, set.text)}`;
}

function directionOf(now: unknown, text: string): string {
  if (text === "" || text === "true" || text === "false") return text === "" ? "none" : text;
  const next = Number(text);
  if (Number.isNaN(next)) return "other";
  return typeof now !== "number" ? "new" : next > now ? "up" : "down";
}

/** Kind of a change that sets no place: its verb, and what sort of thing that is about. */
function kindOfVerb(part: string): string {
  const [verb = "", ...others] = part.split(" ");
  const at = verb.indexOf("#");
  if (at >= 0) {
    const key = verb.slice(Math.max(at, verb.lastIndexOf("/")) + 1).replace(/=.*$/s, "");
    return `${key} ${others.find((word) => /^(?:add|remove|[-+>])$/.test(word)) ?? "other"}`;
  }
  const [noun = ""] = others;
  if (NOUNS.has(noun)) return `${verb} ${noun}`;
  const side = /\/(input|output)\//.exec(noun)?.[1];
  return `${verb} ${side ?? (noun.includes(":") ? "capability" : "")}`.trim();
}
