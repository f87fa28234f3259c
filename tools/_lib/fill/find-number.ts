import { isStopWord } from "../language/stop-words.ts";
import { stem } from "../language/stem.ts";
import { type Token, tokenise } from "../language/tokenise.ts";
import { type Draft, isOpen, type Span, take } from "./draft.ts";
import { extractNumbers, type NumberMention } from "./extract-numbers.ts";
import { fits } from "./fits.ts";
import type { Field } from "./read-fields.ts";

/** Characters beside a number in which its name is looked for. */
const NEAR = 40;
const BOUNDS = /(?:at most|at least|up to|no more than|max(?:imum)?(?: of)?|top|first|only)\s+$/i;
const COORDINATES = /(?<![\d.])([+-]?\d{1,2}(?:\.\d+)?)\s*°?\s*,\s*([+-]?\d{1,3}(?:\.\d+)?)\s*°?(?![\d.])/;

/**
 * Reads numbers into the fields that take one. A number goes where the words beside it belong: "10 results" to a limit on
 * results, "page 2" to the page. One that stands alone is taken for a required field, never for an optional one.
 */
export function fillNumbers(draft: Draft, fields: readonly Field[]): Draft {
  let filled = fillCoordinates(draft, fields);
  const open = () => fields.filter((field) => isNumeric(field) && isOpen(filled, field));
  if (open().length === 0) return filled;
  const pairs = extractNumbers(filled.rest).flatMap((mention, index) =>
    open().map((field, order) => ({ field, mention, index, order, affinity: toAffinity(filled.rest, mention, field) })),
  );
  pairs.sort((a, b) => b.affinity - a.affinity || a.order - b.order || a.index - b.index);
  const used = new Set<NumberMention>();
  for (const { field, mention, affinity } of pairs) {
    if (used.has(mention) || !isOpen(filled, field) || !(field.required || affinity > 0)) continue;
    if (!fits(field, mention.value)) continue;
    used.add(mention);
    filled = take(filled, field, { ...mention, ...widen(filled.rest, mention, field) });
  }
  return filled;
}

function isNumeric({ kind }: Field): boolean {
  return kind === "integer" || kind === "number";
}

/** "48.85, 2.35" for a pair of fields named latitude and longitude. */
function fillCoordinates(draft: Draft, fields: readonly Field[]): Draft {
  const latitude = fields.find((field) => isNumeric(field) && /^lat(?:itude)?$/i.test(field.name));
  const longitude = fields.find((field) => isNumeric(field) && /^(?:lon|lng|long|longitude)$/i.test(field.name));
  const match = COORDINATES.exec(draft.rest);
  if (!latitude || !longitude || !match) return draft;
  const [start, end] = [match.index, match.index + match[0].length];
  const filled = take(draft, latitude, { start, end, value: Number(match[1]) });
  return take(filled, longitude, { start, end, value: Number(match[2]) });
}

function toAffinity(text: string, mention: NumberMention, field: Field): number {
  const { end, start } = findName(text, mention, field);
  if (start < mention.start) return 4;
  if (end > mention.end) return 3;
  const after = tokenAfter(text, mention);
  return after && !isStopWord(after.word) && field.terms.has(after.stem) ? 2 : 0;
}

/** The number together with words beside it that are then read too: its name, and "at most" and the like. */
function widen(text: string, mention: NumberMention, field: Field): Span {
  const { start, end } = findName(text, mention, field);
  return { start: start - (BOUNDS.exec(text.slice(0, start))?.[0].length ?? 0), end };
}

/** The number and the field's name where it stands beside it: "limit 10", "limit of 10", "2 pages". */
function findName(text: string, mention: NumberMention, { words }: Field): Span {
  const names = new Set(words.map(stem));
  const from = Math.max(0, mention.start - NEAR);
  const before = tokenise(text.slice(from, mention.start)).findLast(({ word }) => !isStopWord(word));
  const led = before && names.has(before.stem) && !/[,;.]/.test(text.slice(from + before.end, mention.start));
  if (led) return { start: from + before.start, end: mention.end };
  const after = tokenAfter(text, mention);
  return after && names.has(after.stem) ? { start: mention.start, end: mention.end + after.end } : mention;
}

function tokenAfter(text: string, { end }: NumberMention): Token | undefined {
  return tokenise(text.slice(end, end + NEAR))[0];
}
