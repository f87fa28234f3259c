import type { Json } from "../../../../store/store.ts";
import { findCode } from "../../directives/codes.ts";
import { translateStem } from "../words/translations.ts";
import { toStems } from "../words/words.ts";
import type { Piece } from "./find-pieces.ts";
import type { SampleField } from "./sample-fields.ts";

/** Names of numbers that may stay unsaid: "two lamps". */
const COUNTS = /^(?:quantity|count|amount|number)$/;
/** A format that names or words could have as well asks for nothing. */
const PLAIN = ["Zq zq", "zq"];

/** The value that a piece is for a field, how sure that is without a name, and whether any other piece could be it, too. */
export function findValue(
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
    const isDate =
      kind === "date" &&
      (schema["format"] === "date" || known.some((one) => isAlike(text, one) || isMoment(text, one)));
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

/** Tells whether two texts are both days, or both moments of one, in whatever time zone. */
function isMoment(text: string, other: Json): boolean {
  const kindOf = (one: string) =>
    /^\d{4}-\d{2}-\d{2}(?<time>T\d{2}:\d{2}(?::[\d.]+)?(?:Z|[-+]\d{2}:\d{2})?)?$/.exec(one);
  const [own, known] = [kindOf(text), kindOf(String(other))];
  return (
    own !== null && known !== null && (own.groups?.["time"] === undefined) === (known.groups?.["time"] === undefined)
  );
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
