import type { Places, Thing } from "../places/places.ts";
import { toStem, toStems } from "../words/words.ts";

/** Words that are no names by themselves, whatever is called so. */
const PLAIN: ReadonlySet<string> = new Set(
  "to from in on at by for of and or not is as it no yes true false none all any when where with a an the be new more".split(
    " ",
  ),
);
const PIECES =
  /"[^"]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|「[^」]*」|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])|\d+(?:[.,:]\d+)*\s?%?|\p{Script=Han}|[\p{L}_][\p{L}\p{M}\p{N}_]*(?:[.:-][\p{L}\p{N}_]+)*(?:['’]\p{L}+)?|->|→|[?!.;:,+=]/gu;

/** A piece of a message: the stem of a word, or what stands for a text, a number or another sign, and the sort of thing that is called so. */
export interface Piece {
  readonly word: string;
  /** Absent: nothing of this version is called so. */
  readonly mask?: string;
}

const known = new WeakMap<Places, ReadonlyMap<string, readonly Name[]>>();

interface Name {
  readonly stems: readonly string[];
  readonly mask: string;
}

/** The names of things by their first stem, longer ones first; made once per version. */
function namesOf(places: Places): ReadonlyMap<string, readonly Name[]> {
  const kept = known.get(places);
  if (kept !== undefined) return kept;
  const names = new Map<string, Name>();
  const add = (text: unknown, mask: string) => {
    const stems = toStems(String(text));
    const key = stems.join(" ");
    const isPlain = stems.length === 1 && (PLAIN.has(String(text).toLowerCase()) || key.length < 2);
    if (stems.length > 0 && !isPlain && !names.has(key)) names.set(key, { stems, mask });
  };
  for (const thing of places.things) for (const [name, mask] of callsOf(thing)) add(name, mask);
  for (const label of places.version.history.labels.keys()) add(label, "<label>");
  for (const { values } of places.things)
    for (const value of values) if (typeof value === "string") add(value, "<value>");
  const sorted = [...names.values()].sort((one, other) => other.stems.length - one.stems.length);
  const byFirst = Map.groupBy(sorted, ({ stems }) => stems[0] ?? "");
  known.set(places, byFirst);
  return byFirst;
}

/** What a thing is called, and what stands for it. */
function callsOf({ kind, at, tool, set, parameter, role, prompt }: Thing): readonly (readonly [string, string])[] {
  switch (kind) {
    case "tool":
      return tool === undefined
        ? []
        : [tool.name, tool.name.slice(tool.name.lastIndexOf(".") + 1), tool.title ?? tool.name].map((name) => [
            name,
            "<tool>",
          ]);
    case "field":
      return [[String(at.at(-1) ?? ""), at[0] === "output" ? "<output>" : "<field>"]];
    case "parameter":
      return [[parameter ?? "", "<parameter>"]];
    case "set":
    case "experiment":
      return [[set?.name ?? "", "<set>"]];
    case "arm":
      return [[String(at.at(-1) ?? ""), "<arm>"]];
    case "role":
      return [[role ?? "", "<role>"]];
    case "prompt":
      return [[prompt ?? "", "<prompt>"]];
    default:
      return [];
  }
}

/** Takes a message apart into pieces, of which names of things in this version are marked as such. */
export function toPieces(message: string, places: Places): readonly Piece[] {
  const words = [...message.normalize("NFKC").replaceAll("\x60", "").matchAll(PIECES)].flatMap(([piece]) =>
    toWords(piece),
  );
  const names = namesOf(places);
  const pieces: Piece[] = [];
  for (let at = 0; at < words.length;) {
    const name = names
      .get(words[at] ?? "")
      ?.find(({ stems }) => stems.every((stem, next) => words[at + next] === stem));
    const length = name?.stems.length ?? 1;
    pieces.push({ word: words.slice(at, at + length).join("_"), ...(name === undefined ? {} : { mask: name.mask }) });
    at += length;
  }
  return pieces;
}

function toWords(piece: string): readonly string[] {
  if (/^["“«„「']/u.test(piece)) return ["<text>"];
  if (/^\d/.test(piece)) return [piece.endsWith("%") ? "<percent>" : "<number>"];
  if (!/^[\p{L}_]/u.test(piece)) return [piece];
  const stems = toStems(piece.replace(/['’]\p{L}+$/u, ""));
  return stems.length === 0 ? [toStem(piece)] : stems;
}
