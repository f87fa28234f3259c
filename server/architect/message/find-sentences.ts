import { isVerb } from "./find-mood.ts";
import { maskQuotations } from "./find-quotations.ts";
import type { Span } from "./message.ts";

export interface FoundSentence extends Span {
  /** With what is quoted in it made unreadable. */
  readonly masked: string;
  /** Sentences without an empty line between them have the same number. */
  readonly paragraph: number;
  /** True if the sentence is the last one of its line. */
  readonly endsLine: boolean;
}

const BULLET = /^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+/;
/** Full stops of shortened words end no sentence. */
const BREAK = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|z\.B|bzw)\.)(?<=[.!?])\s+|;\s+/gi;
/** Words besides verbs that a line of its own may begin with. */
const STARTS: ReadonlySet<string> = new Set(["please", "also", "then", "and", "kindly", "finally", "next"]);
/** Words behind which a sentence goes on in the next line, whatever that begins with: "do not", "should". */
const OPEN_END =
  /\b(?:not|never|to|should|must|shall|can|could|will|would|may|might|the|an?|of|for|and|or|if|unless|\w+n.t)$/i;

/** Characters of the shortest lines that are broken because they are full, and words with which one begins that is broken for its own sake. */
const WRAPPED = 72;
const TOP = /^["`']?(?:\p{Lu}|\d|[\d\p{L}-]*[_.]\p{L})/u;

/** The sentences of a piece of prose that stands at `offset` of its text, and holds no data but what is quoted. */
export function findSentences(prose: string, offset: number, paragraphs: number): readonly FoundSentence[] {
  const masked = maskQuotations(prose);
  const sentences: FoundSentence[] = [];
  for (const { start, end, paragraph } of findUnits(masked)) {
    const unit = masked.slice(start, end);
    let from = 0;
    for (const stop of [...unit.matchAll(BREAK), undefined]) {
      const piece = unit.slice(from, stop?.index ?? unit.length);
      const left = start + from + (piece.length - piece.trimStart().length);
      const right = left + piece.trim().length;
      if (left < right) {
        const endsLine = stop === undefined || stop[0].includes("\n");
        const span = { start: offset + left, end: offset + right };
        sentences.push({ ...span, masked: masked.slice(left, right), paragraph: paragraphs + paragraph, endsLine });
      }
      from = stop === undefined ? unit.length : stop.index + stop[0].length;
    }
  }
  return sentences;
}

interface Unit extends Span {
  readonly paragraph: number;
}

/** Lines that belong together: one that a sentence does not begin with goes on with the one before. */
function findUnits(masked: string): readonly Unit[] {
  const units: Unit[] = [];
  let paragraph = 0;
  let isNew = true;
  let before = "";
  let at = 0;
  for (const line of masked.split("\n")) {
    const [bullet = ""] = BULLET.exec(line) ?? [];
    const [word = ""] = line.slice(bullet.length).trimStart().split(/[\s,]/, 1);
    const last = units.at(-1);
    if (line.trim() === "") {
      if (!isNew) paragraph += 1;
      isNew = true;
    } else {
      const begins = isVerb(word.toLowerCase()) || STARTS.has(word.toLowerCase());
      const isShort = before.length + 1 + word.length <= WRAPPED;
      const isOver = last === undefined || isNew || /[.!?:;]$/.test(before);
      if (isOver || bullet !== "" || ((begins || (isShort && TOP.test(word))) && !OPEN_END.test(before))) {
        units.push({ start: at + bullet.length, end: at + line.length, paragraph });
      } else units[units.length - 1] = { ...last, end: at + line.length };
      isNew = false;
      before = line.trimEnd();
    }
    at += line.length + 1;
  }
  return units;
}
