import { type Choice, toShares } from "../choices.ts";
import { SIGNS } from "../guess/signs.ts";
import { kindsOf } from "../kinds/kinds-of.ts";
import { type Reading, scoreOf } from "../kinds/read-kinds.ts";
import { partsOf } from "../leaves-wish.ts";
import type { Places } from "../places/places.ts";

/** Kinds of messages that want no change, and of those that do not say which. */
const NONE = "none";
const VAGUE = "vague";

/** Marks of a reading beside its signs. */
const OWN = [
  ...(["share", "next", "rest", "lead", "readings", "parts"] as const),
  ...(["pieces", "sentences", "commas", "question"] as const),
  ...(["kind", "otherKind", "noKind", "vague", "unknownKind"] as const),
] as const;

/** The marks of a reading of a message as numbers, its signs first: for the one at a place among the choices; undefined of one that is made of several sentences. */
export function toMarks(
  text: string,
  choices: readonly Choice[],
  at: number,
  reading: Reading,
  places: Places,
): readonly number[] | undefined {
  const choice = choices[at];
  const signs = choice?.signs;
  if (choice === undefined || signs === undefined) return undefined;
  const shares = toShares(choices.map(({ score }) => score));
  const share = shares[at] ?? 0;
  const next = Math.max(0, ...shares.filter((_, place) => place !== at));
  const kinds = kindsOf(choice.names, places);
  const others = [...reading.scores].filter(([kind]) => !kinds.includes(kind) && kind !== NONE && kind !== VAGUE);
  const own: Readonly<Record<(typeof OWN)[number], number>> = {
    share,
    next,
    rest: 1 - shares.reduce((sum, one) => sum + one, 0),
    lead: Math.log(Math.max(share, 1e-9) / Math.max(next, 1e-9)),
    readings: choices.length,
    parts: partsOf(choice.names).length,
    pieces: reading.pieces,
    sentences: countOf(text, /[.!?]/g),
    commas: countOf(text, /,/g),
    question: countOf(text, /[?？]/g),
    kind: Math.min(...kinds.map((kind) => scoreOf(reading, kind))),
    otherKind: Math.max(...others.map(([, score]) => score)),
    noKind: scoreOf(reading, NONE),
    vague: scoreOf(reading, VAGUE),
    unknownKind: kinds.filter((kind) => !reading.scores.has(kind)).length,
  };
  return [...SIGNS.map((sign) => signs[sign] ?? 0), ...OWN.map((mark) => own[mark])];
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
