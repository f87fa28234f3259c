import type { Json } from "../../../../store/store.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { findCode } from "../words/codes.ts";
import { findSynonyms } from "../words/synonyms.ts";
import { findNames } from "../words/thesaurus.ts";
import { translateStem } from "../words/translations.ts";
import { STOP } from "../words/word-lists.ts";
import { toStems } from "../words/words.ts";
import type { Piece, Pieces } from "./find-pieces.ts";
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
/** Words between the name of a field and its value, at most. */
const NEAR = 3;
/** How surely a word of its description names a field. */
const DESCRIBED = 0.4;
/** Names of numbers that may stay unsaid: "two lamps". */
const COUNTS = /^(?:quantity|count|amount|number)$/;
/** A format that names or words could have as well asks for nothing. */
const PLAIN = ["Zq zq", "zq"];

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
      const own = valueOf(piece, fit.field, undefined);
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
    const own = valueOf(piece, field, undefined);
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

/** How well a piece fits a field; undefined where it cannot be its value. */
function fitOf(
  clause: Clause,
  piece: Piece,
  field: SampleField,
  meanings: readonly ReadonlyMap<string, number>[],
  next: Piece | undefined,
): Pick<Fit, "value" | "words" | "strength"> | undefined {
  const own = valueOf(piece, field, next);
  if (own === undefined) return undefined;
  const name = findName(clause, piece, field, meanings);
  const strength = own.strength + 2 * name.strength;
  const isBare = piece.kind === "word" && own.isFree;
  if (isBare && (name.strength < 0.85 || STOP.has(piece.text.toLowerCase()))) return undefined;
  return { value: own.value, words: [...piece.tokens, ...name.words], strength };
}

/** The value that a piece is for a field, how sure that is without a name, and whether any other piece could be it, too. */
function valueOf(
  piece: Piece,
  field: SampleField,
  next: Piece | undefined,
): { readonly value: Json; readonly strength: number; readonly isFree: boolean } | undefined {
  const { values, type, schema, known } = field;
  if (type === "boolean")
    return /^(?:true|false)$/i.test(piece.text)
      ? { value: piece.text.toLowerCase() === "true", strength: 0, isFree: false }
      : undefined;
  if (type === "number") {
    if (piece.number === undefined) return undefined;
    if (schema["type"] === "integer" && !Number.isInteger(piece.number)) return undefined;
    const isCounted = COUNTS.test(field.name) && (next?.kind === "code" || next?.kind === "word");
    return { value: piece.number, strength: isCounted ? 0.9 : 0, isFree: false };
  }
  const { text, kind } = piece;
  if (values.length > 0) {
    const value = values.find((one) => isLike(text, one)) ?? findCode(text.toLowerCase(), values);
    return value === undefined ? undefined : { value, strength: 2.2, isFree: false };
  }
  if (kind === "word" && piece.number !== undefined) return undefined;
  const pattern = typeof schema["pattern"] === "string" ? new RegExp(schema["pattern"], "u") : undefined;
  const isStrict = pattern !== undefined && !PLAIN.some((plain) => pattern.test(plain));
  if (pattern !== undefined && !pattern.test(text)) return undefined;
  if (isStrict) return { value: text, strength: 2.5, isFree: false };
  if (schema["format"] === "date" || kind === "date") {
    const isDate = kind === "date" && (schema["format"] === "date" || known.some((one) => isAlike(text, one)));
    return isDate ? { value: text, strength: 2.5, isFree: false } : undefined;
  }
  if (known.includes(text)) return { value: text, strength: 2.2, isFree: false };
  if (kind !== "word" && known.some((one) => isAlike(text, one))) return { value: text, strength: 2, isFree: false };
  if (kind === "time" || kind === "number")
    return { value: text, strength: kind === "time" ? 0.3 : -0.5, isFree: false };
  if (kind === "quoted") return { value: text, strength: 1, isFree: false };
  const isProper = /^\p{Lu}/u.test(text) && piece.tokens[0] !== 0 && piece.isResult;
  return { value: text, strength: kind === "code" ? 0.5 : isProper ? 0.9 : 0, isFree: !isProper };
}

/** Compares what is written with one of a list of values, in whatever form. */
function isLike(text: string, value: Json): boolean {
  const said = text.toLowerCase();
  const own = String(value).toLowerCase();
  if (said === own || said.replaceAll(/[\s-]+/g, "_") === own) return true;
  const [stems, wanted] = [toStems(text), toStems(String(value))];
  const isSame = stems.length > 0 && stems.join() === wanted.join();
  const translated = stems.length === 1 ? translateStem(stems[0] ?? "") : undefined;
  return (isSame && own.length > 2) || (translated !== undefined && wanted.length === 1 && translated === wanted[0]);
}

/** Tells whether two texts have letters, digits and signs at the same places: `win-01` and `lin-02`. */
function isAlike(text: string, other: Json): boolean {
  const shape = (one: string) =>
    one
      .replaceAll(/\p{Lu}/gu, "A")
      .replaceAll(/\p{Ll}/gu, "a")
      .replaceAll(/\d/g, "0");
  const own = shape(text);
  return own === shape(String(other)) && /0/.test(own);
}

/** The words before or behind a value that name its field. */
function findName(
  { tokens }: Clause,
  { tokens: own, kind, number }: Piece,
  { names, soft }: SampleField,
  meanings: readonly ReadonlyMap<string, number>[],
): { readonly strength: number; readonly words: readonly number[] } {
  const [first = 0] = own;
  const last = own.at(-1) ?? first;
  let best: { strength: number; words: readonly number[] } = { strength: 0, words: [] };
  const put = (at: number, factor: number) => {
    for (const name of names) {
      const said = name.filter((stem) => meanings[at]?.has(stem) === true);
      const share = said.reduce((sum, stem) => sum + (meanings[at]?.get(stem) ?? 0), 0) / Math.max(1, name.length);
      const strength = factor * (said.length > 0 && name.length > 1 ? Math.max(share, 0.6) : share);
      if (strength > best.strength) best = { strength, words: [at] };
    }
    const isDescribed = tokens[at]?.stems.some((stem) => soft.has(stem)) === true;
    if (isDescribed && DESCRIBED * factor > best.strength) best = { strength: DESCRIBED * factor, words: [at] };
  };
  for (let at = first - 1, away = 0; at >= 0 && away < NEAR; at -= 1) {
    const { text = "", kind: before } = tokens[at] ?? {};
    if (/^[,;.(]$/.test(text) && before === "sign") break;
    if (before === "sign") continue;
    if (before === "number") break;
    put(at, 1 - 0.12 * away);
    away += 1;
  }
  if (number !== undefined || kind === "number") {
    put(last, 0.95);
    put(last + 1, 0.95);
    put(last + 2, 0.6);
  }
  return best;
}

/** The stems of names that a word may stand for, with how surely. */
function meaningsOf({ tokens }: Clause, at: number, { vocabulary, thesaurus }: Places): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const put = (stem: string, strength: number) => found.set(stem, Math.max(found.get(stem) ?? 0, strength));
  const { stems: own = [], unit = "" } = tokens[at] ?? {};
  for (const stem of unit === "" ? own : toStems(unit)) {
    put(stem, 1);
    const translated = translateStem(stem);
    if (translated !== undefined) put(translated, 0.95);
    for (const concept of [stem, translated ?? stem])
      for (const other of findSynonyms(concept)) if (vocabulary.has(other)) put(other, 0.5);
  }
  for (const { stems, strength } of findNames(tokens, at, thesaurus)) for (const stem of stems) put(stem, strength);
  return found;
}
