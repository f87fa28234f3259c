import type { Piece } from "./pieces.ts";

/** Letters by which words of one family are alike. */
const FAMILY = 5;

/**
 * The features by which a message shows what kind of change it wants: its words and the pairs of them, where what stands for the sort of
 * a thing takes the place of its name, and these names themselves.
 */
export function toFeatures(pieces: readonly Piece[]): ReadonlySet<string> {
  const found = new Set<string>();
  const marked = ["^", ...pieces.map(({ word, mask }) => mask ?? word), "$"];
  for (const [at, mark] of marked.entries()) {
    found.add(mark);
    if (mark.length > FAMILY && !mark.startsWith("<")) found.add(`${mark.slice(0, FAMILY)}~`);
    const next = marked[at + 1];
    if (next !== undefined) found.add(`${mark} ${next}`);
  }
  for (const { word, mask } of pieces) if (mask !== undefined) found.add(`=${word}`);
  return found;
}
