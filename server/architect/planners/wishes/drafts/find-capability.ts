import type { Tool } from "../../../../versions/version.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import type { Token } from "../words/words.ts";
import { isNameOf, matchThing } from "./draft.ts";
import { CAPABILITY } from "./requirement-drafts.ts";

/** A capability that a clause names, with the words that do. */
interface Named {
  readonly capability: string;
  readonly words: readonly number[];
}

const FAMILY = /^[\w.]+[._]\*$/;

/** Capabilities that a clause names, as such or by their tools. */
export function findCapabilities(clause: Clause, places: Places): readonly Named[] {
  const { things } = places;
  const tools = things.filter((thing) => thing.kind === "tool");
  const exact = clause.tokens.flatMap((token, at): readonly Named[] => {
    const capability = findCapability(token, places);
    return capability === undefined ? [] : [{ capability, words: [at] }];
  });
  if (exact.length > 0) return exact;
  const said = findSaid(clause, places);
  if (said.length > 0) return said.length > 1 ? [] : said;
  // "the weather tool", by all words of its name or title
  const matches = tools.flatMap((thing) => {
    const match = matchThing(clause, thing, places);
    return match !== undefined && match.own >= 1 ? [{ thing, words: [...match.explained] }] : [];
  });
  // "Governors" are a role, even where a tool is called `governor.status`.
  const roles = new Set(
    things.flatMap(({ kind, names }) => (kind === "role" ? names.map((name) => name.join("_")) : [])),
  );
  const beside = matches.filter(({ words }) =>
    words.some((at) => !roles.has(clause.tokens[at]?.stems.join("_") ?? "")),
  );
  const named = (beside.length > 0 ? beside : matches).filter(({ words }) => !words.every((at) => isOrder(clause, at)));
  const [only, ...others] = named;
  return only === undefined || others.length > 0
    ? []
    : [{ capability: toCapability(only.thing.tool), words: only.words }];
}

/** Tells whether a word is the verb of an order about something else: "delete it" is no right to delete. */
function isOrder({ tokens }: Clause, at: number): boolean {
  return (
    /^(?:it|them|this|that|these|those|the|him|her|sie|ihn|es|diese[nrs]?)$/.test(tokens[at + 1]?.lower ?? "") &&
    /^(?:[.,;:!]|please|pls|so|and|then|just|bitte)?$/.test(tokens[at - 1]?.lower ?? "")
  );
}

/** Capabilities of which a clause has all words: "read the menus" is `menu-read`, whatever tool is called a menu. */
function findSaid({ tokens }: Clause, { capabilities }: Places): readonly Named[] {
  return [...capabilities].flatMap(([capability, stems]): readonly Named[] => {
    const words = stems.map((stem) => tokens.findIndex((token) => token.kind === "word" && token.stems.includes(stem)));
    const isNamed = stems.length > 1 && /^[\w.:/-]+$/.test(capability) && new Set(words).size === stems.length;
    return isNamed && !words.includes(-1) ? [{ capability, words }] : [];
  });
}

/** The capability that a word names, as such, as a family of them, or by its tool. */
export function findCapability(
  { text, stems, kind, lower }: Token,
  { things, capabilities }: Places,
): string | undefined {
  if (kind === "sign" || kind === "number") return undefined;
  if (CAPABILITY.test(text) && !/^https?:/.test(text)) return text;
  if (/[/:.]/.test(text) && stems.length > 1 && capabilities.has(lower)) return lower;
  if (FAMILY.test(text)) return `tool:${text}`;
  const found = things.filter(
    (thing) => thing.kind === "tool" && stems.length > 1 && thing.tool !== undefined && isNameOf(thing.tool, lower),
  );
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? undefined : toCapability(only.tool);
}

function toCapability(tool: Tool | undefined): string {
  const [only, ...others] = tool?.requiredCapabilities ?? [];
  return only !== undefined && others.length === 0 ? only : `tool:${tool?.name ?? ""}`;
}
