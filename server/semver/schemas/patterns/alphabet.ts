import type { Automaton } from "./automaton.ts";
import type { Range } from "./read-pattern.ts";

/** Characters that stand for all that automata do not tell apart. */
export interface Alphabet {
  readonly characters: readonly string[];
  /** Checks that ranges of a move have the character of that index. */
  readonly has: (ranges: readonly Range[], character: number) => boolean;
  /** Comparisons that making it took. */
  readonly cost: number;
}

/** Characters in the order in which a person would choose them. */
const PREFERRED = [..."abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_. @/:+#"].map(toCode);
const SURROGATES: Range = [0xd800, 0xdfff];

/** Divides all characters into the groups that moves of the automata have in common, with one character for each. */
export function toAlphabet(automata: readonly Automaton[]): Alphabet {
  const sets = [...new Set(automata.flatMap(({ moves }) => moves.flatMap((list) => list.map(({ ranges }) => ranges))))];
  const edges = sets.flatMap((ranges) => ranges.flatMap(([first, last]) => [first, last + 1]));
  const inner = [...PREFERRED, ...edges, 0x21, SURROGATES[0], SURROGATES[1] + 1].filter((code) => code <= 0x10ffff);
  const groups = new Map<string, number>();
  for (const code of new Set([...inner, 0])) {
    const group = sets.map((ranges) => (isIn(ranges, code) ? "1" : "0")).join("");
    const known = groups.get(group);
    if (known === undefined || (isOdd(known) && !isOdd(code))) groups.set(group, code);
  }
  const codes = [...groups.values()];
  const members = new Map(sets.map((ranges) => [ranges, codes.map((code) => isIn(ranges, code))]));
  return {
    characters: codes.map((code) => String.fromCodePoint(code)),
    has: (ranges, character) => members.get(ranges)?.[character] === true,
    cost: sets.length * inner.length,
  };
}

/** Checks that a character cannot be seen, or stands for half of another. */
function isOdd(code: number): boolean {
  return code < 0x20 || isIn([SURROGATES], code);
}

function isIn(ranges: readonly Range[], code: number): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last);
}

function toCode(character: string): number {
  return character.codePointAt(0) ?? 0;
}
