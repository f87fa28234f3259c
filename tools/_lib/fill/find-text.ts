import { type Draft, type Found, GONE, isOpen, take } from "./draft.ts";
import { findLedPhrase, findLeftover, findNames, findRemainder, toFound } from "./find-phrase.ts";
import type { Field } from "./read-fields.ts";
import { tokenise } from "../language/tokenise.ts";
import { type Role, toLeads, toOwnLeads, toRole } from "./role.ts";

const COORDINATES = /(?<![\d.])[+-]?\d{1,2}(?:\.\d+)?\s*,\s*[+-]?\d{1,3}(?:\.\d+)?(?![\d.])/;
const AFTER_COLON = /[:–—]\s+(?=\S)/;

/**
 * Reads words into the fields that take free text: after the field's own name, after words that lead to what the field
 * is about, as names with capital letters, and for required fields out of whatever is `leftovers`.
 * `known` are the stems that speak of the tool itself and so are no value.
 */
export function fillTexts(
  draft: Draft,
  fields: readonly Field[],
  known: ReadonlySet<string>,
  leftovers: boolean,
): Draft {
  const texts = fields.filter(({ kind }) => kind === "text").map((field) => ({ field, role: toRole(field) }));
  // Names stand between leads; what is said or searched for takes everything that remains.
  const order = texts.toSorted((a, b) => Number(isWhole(a.role)) - Number(isWhole(b.role)));
  const finders: readonly ((rest: string, field: Field, role: Role) => Found | undefined)[] = [
    (rest, { description }, role) =>
      role === "place" && /\blat|coord/i.test(description) ? findCoordinates(rest) : undefined,
    (rest, { words }) => (words.at(-1) === "id" ? findIdentifier(rest) : undefined),
    (rest, field, role) => findLedPhrase(rest, toOwnLeads(field), role, ownLeadsOfOthers(field)),
    (rest, field, role) => (role === "content" && field.required ? findAfterColon(rest) : undefined),
    (rest, field, role) => findByRole(rest, field, role, ownLeadsOfOthers(field)),
    (rest, field, role) => (field.required && !isWhole(role) ? findNames(rest, known)[0] : undefined),
    (rest, field, role) =>
      field.required && leftovers
        ? isWhole(role)
          ? findRemainder(rest, known)
          : findLeftover(rest, known, role === "place")
        : undefined,
  ];
  return finders.reduce(
    (filled, find) =>
      order.reduce(
        (now, { field, role }) =>
          isOpen(now, field) ? take(now, field, withoutKnown(find(now.rest, field, role), role, known)) : now,
        filled,
      ),
    draft,
  );

  function ownLeadsOfOthers(own: Field): string[] {
    return texts.filter(({ field }) => field !== own).flatMap(({ field }) => toOwnLeads(field));
  }
}

/** Words for a place that only the sender knows. */
const PLACELESS = /^(?:place|home|house|area|office|city|town|location|region|moment|outside|inside|here|there)$/;

/** Days that are named after something: "Father's Day" is no place. */
const DAYLIKE = /(?<!\p{L})(?:day|eve|weekend|week|holidays?)$/iu;

/** A name of a place without words about the tool behind it: "Dresden umbrella" is Dresden. */
function withoutKnown(found: Found | undefined, role: Role, known: ReadonlySet<string>): Found | undefined {
  if (found === undefined || role !== "place" || typeof found.value !== "string") return found;
  if (PLACELESS.test(found.value) || DAYLIKE.test(found.value)) return undefined;
  const last = tokenise(found.value).findLast(({ text, stem }) => /^\p{Lu}/u.test(text) || !known.has(stem));
  if (last === undefined) return found;
  const value = found.value.slice(0, last.end).replace(/['’]s$/, "");
  return value === found.value ? found : { ...found, end: found.start + value.length, value };
}

/** A word that is no word: `decision_77`, `OPS-42`. */
function findIdentifier(rest: string): Found | undefined {
  const match = /(?<![\p{L}\p{N}_.-])\p{L}[\p{L}\p{N}]*[_-][\p{L}\p{N}_-]*\p{N}[\p{L}\p{N}_-]*/u.exec(rest);
  return match ? toFound(rest, match.index, match.index + match[0].length) : undefined;
}

function isWhole(role: Role): boolean {
  return role === "content" || role === "topic";
}

/** An optional name is only taken where it looks like one. */
function findByRole(rest: string, field: Field, role: Role, others: readonly string[]): Found | undefined {
  const found = findLedPhrase(rest, toLeads(role), role, others);
  if (field.required) return found;
  return (role === "place" || role === "person") && /^\p{Lu}/u.test(String(found?.value)) ? found : undefined;
}

function findCoordinates(rest: string): Found | undefined {
  const match = COORDINATES.exec(rest);
  return match
    ? { start: match.index, end: match.index + match[0].length, value: match[0].replaceAll(/\s/g, "") }
    : undefined;
}

function findAfterColon(rest: string): Found | undefined {
  const match = AFTER_COLON.exec(rest);
  if (!match) return undefined;
  const start = match.index + match[0].length;
  const gone = rest.indexOf(GONE, start);
  const end = rest.slice(0, gone < 0 ? rest.length : gone).replace(/[\s,;]+$/, "").length;
  return end > start ? toFound(rest, start, end) : undefined;
}
