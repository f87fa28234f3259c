import type { Json } from "../../../../store/store.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { STOP } from "../words/word-lists.ts";
import { findName, meaningsOf } from "./find-name.ts";
import type { Piece, Pieces } from "./find-pieces.ts";
import { findValue } from "./find-value.ts";
import type { SampleField } from "./sample-fields.ts";

/** A value of an example, with the words of the message that say it. */
export interface Filled {
  readonly field: SampleField;
  readonly value: Json;
  readonly words: readonly number[];
}

interface Fit extends Filled {
  readonly piece: Piece;
  readonly strength: number;
}

/** Least strength of a fit. */
const LEAST = 0.8;

/** The values that a message gives to fields of a tool, each word at most once, the surest first. */
export function fillFields(
  clause: Clause,
  { pieces, isParted }: Pieces,
  fields: readonly SampleField[],
  places: Places,
): readonly Filled[] {
  const meanings = clause.tokens.map((_, at) => meaningsOf(clause, at, places));
  const fits = pieces.flatMap((piece, at) =>
    fields.flatMap((field): readonly Fit[] => {
      // "Principal_id bob gives principal_id bob": names of fields are no texts that are given.
      const isOfField = piece.kind !== "quoted" && field.values.length === 0;
      if (isOfField && fields.some(({ name }) => name === piece.text)) return [];
      if (isParted && piece.isResult !== (field.side === "output")) return [];
      const fit = fitOf(clause, piece, field, meanings, pieces[at + 1]);
      if (fit === undefined) return [];
      const strength = fit.strength + (field.side === "input" && !isParted ? 0.1 : 0) - 0.02 * field.path.length;
      return strength < LEAST ? [] : [{ ...fit, field, piece, strength }];
    }),
  );
  const sorted = fits.sort(
    (one, other) => other.strength - one.strength || pieces.indexOf(other.piece) - pieces.indexOf(one.piece),
  );
  const taken: Fit[] = [];
  for (const fit of sorted) {
    const isFree = taken.every(
      (other) => other.piece !== fit.piece && (other.field !== fit.field || fit.field.isList) && !isName(fit, other),
    );
    if (isFree) taken.push(fit);
  }
  const listed = [...taken, ...extendLists(clause, pieces, taken)];
  const whole = [...listed, ...fillLast(pieces, fields, listed, isParted)];
  return whole.sort((one, other) => fields.indexOf(one.field) - fields.indexOf(other.field));
}

/** Words between the elements of a list. */
const AND = /^(?:and|or|und|y|e|et|和|,|、|\/)$/;

/** "Modes road and sea": what a list goes on with. */
function extendLists({ tokens }: Clause, pieces: readonly Piece[], taken: readonly Fit[]): readonly Fit[] {
  return taken.flatMap((fit) => {
    const found: Fit[] = [];
    for (let at = pieces.indexOf(fit.piece) + 1; fit.field.isList && at < pieces.length; at += 1) {
      const piece = pieces[at];
      if (piece === undefined) break;
      if (AND.test(piece.text.toLowerCase())) continue;
      const last = (found.at(-1)?.piece ?? fit.piece).tokens.at(-1) ?? 0;
      const between = tokens.slice(last + 1, piece.tokens[0]);
      const own = findValue(piece, fit.field, undefined);
      const isNext = between.length > 0 && between.every(({ lower }) => AND.test(lower));
      if (!isNext || own === undefined || taken.some((other) => other.piece === piece)) break;
      found.push({ ...fit, piece, value: own.value, words: piece.tokens });
    }
    return found;
  });
}

/** The one value that is left over for the one required field that is. */
function fillLast(
  pieces: readonly Piece[],
  fields: readonly SampleField[],
  taken: readonly Fit[],
  isParted: boolean,
): readonly Filled[] {
  const said = new Set(taken.flatMap(({ words }) => words));
  return (["input", "output"] as const).flatMap((side) => {
    if (!isParted && side === "output") return [];
    const open = fields.filter(
      (field) => field.side === side && field.isRequired && !taken.some((fit) => fit.field === field),
    );
    const left = pieces.filter(
      ({ kind, tokens, isResult, number }) =>
        (kind !== "word" || number !== undefined) &&
        isResult === (isParted && side === "output") &&
        !tokens.some((at) => said.has(at)),
    );
    const [piece] = left;
    const [field] = open;
    if (piece === undefined || field === undefined || left.length > 1 || open.length > 1) return [];
    const own = findValue(piece, field, undefined);
    return own === undefined ? [] : [{ field, value: own.value, words: piece.tokens }];
  });
}

/** Tells whether what one fit takes for a value names the field of another. */
function isName({ piece, words }: Fit, other: Fit): boolean {
  return (
    piece.tokens.some((at) => other.words.includes(at)) ||
    other.piece.tokens.some((at) => words.includes(at) && piece !== other.piece)
  );
}

/** How surely a word behind "searches for" is the text of a search. */
const SOUGHT = 1.6;
const SEEKS =
  /(?<!\p{L})(?:search\w*|look\w*|ask\w*|hunt\w*|quer(?:y|ies|ying)|sucht?|suchen|fragt?|busca\w*|pregunta\w*|cherch\w*|recherch\w*)\s+(?:\p{L}+\s+)?(?:for|after|about|nach|por|un|une|des?|le|la)\s*$|(?:搜索|查找|搜|找)\s*$/iu;

/** Tells whether a word is what a search is for: of the text that a tool cannot do without. */
function isSought({ tokens, text }: Clause, { tokens: [at = 0], text: own }: Piece, field: SampleField): boolean {
  const isText = field.side === "input" && field.isRequired && field.type === "text" && field.path.length === 1;
  return isText && !STOP.has(own.toLowerCase()) && SEEKS.test(text.slice(0, tokens[at]?.start));
}

/** How well a piece fits a field; undefined where it cannot be its value. */
function fitOf(
  clause: Clause,
  piece: Piece,
  field: SampleField,
  meanings: readonly ReadonlyMap<string, number>[],
  next: Piece | undefined,
): Pick<Fit, "value" | "words" | "strength"> | undefined {
  const own = findValue(piece, field, next);
  if (own === undefined) return undefined;
  const name = findName(clause, piece, field, meanings);
  const strength = own.strength + 2 * name.strength;
  const isBare = piece.kind === "word" && own.isFree;
  if (isBare && isSought(clause, piece, field)) return { value: piece.text, words: piece.tokens, strength: SOUGHT };
  if (isBare && (name.strength < 0.85 || STOP.has(piece.text.toLowerCase()))) return undefined;
  return { value: own.value, words: [...piece.tokens, ...name.words], strength };
}
