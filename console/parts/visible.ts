/** A piece of a text: as it is, or a character that nobody would see. */
export type Piece =
  | { readonly kind: "text"; readonly at: number; readonly text: string }
  | { readonly kind: "hidden"; readonly at: number; readonly code: string };

/**
 * Characters that change how others are read, or that show nothing: bidirectional controls ("Trojan Source"), zero-width ones,
 * tags, and control characters but for tabs and ends of lines. Joiners stay between the signs that need them.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- They are what it looks for.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Splits a text of others into what is shown as it is, and characters that are shown by their number. */
export function toPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) pieces.push({ kind: "text", at: from, text: text.slice(from, match.index) });
    const code = match[0].codePointAt(0) ?? 0;
    pieces.push({ kind: "hidden", at: match.index, code: `U+${code.toString(16).toUpperCase().padStart(4, "0")}` });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ kind: "text", at: from, text: text.slice(from) });
  return pieces;
}

/** A text of others where no element may stand. */
export function toPlain(text: string): string {
  return toPieces(text)
    .map((piece) => (piece.kind === "text" ? piece.text : `[${piece.code}]`))
    .join("");
}
