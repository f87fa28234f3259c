import { expect, test } from "vitest";
import { toPieces } from "../../../console/parts/visible.ts";

const show = (text: string) =>
  toPieces(text)
    .map((piece) => (piece.kind === "text" ? piece.text : `[${piece.code}]`))
    .join("");

test.each([
  ["plain text, \ttabs and\nlines", "plain text, \ttabs and\nlines"],
  ["pays \u202e001\u202c", "pays [U+202E]001[U+202C]"],
  ["zero\u200bwidth \ufeff \u2066isolated\u2069", "zero[U+200B]width [U+FEFF] [U+2066]isolated[U+2069]"],
  ["tag \u{e0041}", "tag [U+E0041]"],
  ["bell \u0007 soft\u00adhyphen", "bell [U+0007] soft[U+00AD]hyphen"],
  ["عربى, 日本語, नी, family \u{1f468}\u200d\u{1f469}", "عربى, 日本語, नी, family \u{1f468}\u200d\u{1f469}"],
  ["", ""],
])("%j is shown as %j", (text, shown) => {
  expect(show(text)).toBe(shown);
});
