import type { Json } from "../../../../store/store.ts";
import type { Clause } from "../clause.ts";
import type { Guess } from "../guess/guess-value.ts";
import type { Thing } from "../places/places.ts";
import { STOP } from "../words/word-lists.ts";
import { listLeaves } from "./list-leaves.ts";
import { speaksOfBoth, withExpected, wordsOfBoth } from "./with-expected.ts";
import { findPlace, speaksOfPresent } from "./find-example.ts";
import { editSample, nameOfEdit } from "./guess-sample-edit.ts";

/** Another value for one that a message names, and where it says so. */
interface Swap {
  readonly fresh: string;
  /** Absent: it is the one that the rest of the message names. */
  readonly old?: string;
  readonly start: number;
  readonly end: number;
}

/** A quotation, a name of several words with capitals ("Hedda Brandt"), or a word. */
const spot = (name: string) =>
  String.raw`(?:["“„«‘「\x60]\s*(?<${name}Quoted>[^"”“»’」\x60]+?)\s*["”»’」\x60]|(?<${name}>(?<=\p{L},? )(?-i:\p{Lu})[\p{L}'’-]*(?: (?-i:\p{Lu})[\p{L}'’-]*)+|[\p{L}\p{N}][\p{L}\p{N}_@/-]*(?:\.[\p{L}\p{N}]+)*))`;
const SWAPS: readonly RegExp[] = [
  new RegExp(
    String.raw`${spot("fresh")}(?: (?:as|for) (?:the |its |an? )?[\p{L}_]+)?(?:,? (?:instead of|rather than|and not|not|in place of|statt|anstatt|anstelle von|und nicht|en lugar de|en vez de|y no|au lieu de|plutôt que|et non)|而不是) ?${spot("old")}`,
    "giu",
  ),
  new RegExp(
    String.raw`(?:\b(?:from|von|de)\b |从)${spot("old")} ?(?:\b(?:to|auf|zu|a|en|à)\b|改[为成]) ?${spot("fresh")}`,
    "giu",
  ),
  new RegExp(
    String.raw`${spot("old")}, (?:please |pls |rather )?(?:use|take|put|write|show|have|make it) ${spot("fresh")}(?: instead)?(?=[.!]|$| in | and )`,
    "giu",
  ),
  new RegExp(String.raw`${spot("old")}\s*(?:->|→|=>)\s*${spot("fresh")}`, "giu"),
];
/** Words right before a value that is to be in the place of another. */
const CALLED = new RegExp(
  String.raw`(?:\b(?:(?:call|name|make|rename|label|change|turn) (?:it|that|this|him|her) (?:to |into )?|(?:should|must|ought to|has to|needs to|better) (?:just |rather |really )?(?:be|read|say|be called|be captioned|become) |(?:soll(?:te)?|debe(?:ría)?|devrait|doit) (?:(?:lieber |besser |ser |decir |être |dire )))|(?:->|→|=>|改[为成叫])\s*)${spot("fresh")}`,
  "giu",
);
const SHORT = 3;
/** "Use decision_999 in the example, not decision_123" */
const EXAMPLE = /^(?:examples?|samples?|beispiele?|ejemplos?|exemples?)$/iu;

/** Another value in an example that there is, found by the one that it has now: "the name in the second example is walk; call it hike". */
export function guessSampleSwap(clause: Clause, { tool, kind, example: only }: Thing): readonly Guess[] {
  if (tool === undefined || (kind !== "tool" && kind !== "example") || !speaksOfPresent(clause)) return [];
  const counted = findPlace(clause, tool) ?? only;
  const examples = tool.examples.flatMap((example, place) =>
    counted !== undefined && counted !== place ? [] : [{ place, leaves: listLeaves(example) }],
  );
  const hitsOf = (swaps: readonly Swap[]) =>
    swaps.flatMap((swap) =>
      examples.flatMap(({ place, leaves }) =>
        leaves.flatMap(({ at, value: now }) => {
          const fresh = toFresh(clause.text, now, swap);
          return fresh === undefined ? [] : [{ place, at, value: fresh, swap, now }];
        }),
      ),
    );
  const { pairs, called } = findSwaps(clause.text);
  const paired = hitsOf(pairs);
  const exact = paired.filter(({ now, swap }) => String(now).toLowerCase() === swap.old?.toLowerCase());
  const found = exact.length > 0 ? exact : paired.length > 0 ? paired : hitsOf(called);
  return found.map(({ place, at, value: fresh, swap, now }): Guess => {
    const start = clause.text.indexOf(String(now));
    const example = tool.examples[place];
    const edits = example === undefined ? [] : withExpected(clause, example, [{ at, value: fresh }]);
    // What an example is to expect as well has to be found there.
    const isHalf = speaksOfBoth(clause) && edits.length < 2;
    const words = clause.tokens.flatMap((token, index) => {
      const isIn = (from: number, to: number) => token.start >= from && token.end <= to;
      const isOld = swap.old === undefined && start >= 0 && isIn(start - 1, start + String(now).length + 1);
      return isIn(swap.start, swap.end) || isOld || clause.nouns.get(index)?.has("example") === true ? [index] : [];
    });
    return {
      name: nameOfEdit(tool, place, edits),
      signs: {
        newExample: 1,
        sample: 1,
        marked: 1,
        now: 1,
        ...(found.length === 1 ? { nowRare: 1 } : {}),
        ...(isHalf ? { rough: 1 } : {}),
      },
      words: [
        ...words,
        ...wordsOfBoth(clause),
        ...(["set", "replace", "rename", "label"] as const).flatMap((key) => clause.actions.get(key) ?? []),
      ],
      deed: (bench) => editSample(bench, tool, place, edits),
    };
  });
}

function findSwaps(text: string): { readonly pairs: readonly Swap[]; readonly called: readonly Swap[] } {
  const toSwaps = (pattern: RegExp) =>
    [...text.matchAll(pattern)].flatMap(({ index, 0: whole, groups = {} }): readonly Swap[] => {
      const [fresh = "", old] = ["fresh", "old"].map((name) => groups[`${name}Quoted`] ?? groups[name]);
      const swap = { fresh, ...(old === undefined ? {} : { old }), start: index, end: index + whole.length };
      return STOP.has(fresh.toLowerCase()) || EXAMPLE.test(fresh) ? [] : [swap];
    });
  return { pairs: SWAPS.flatMap(toSwaps), called: toSwaps(CALLED) };
}

/** What a value becomes; undefined where it is not the one that is meant. */
function toFresh(text: string, now: Json, { fresh, old, start, end }: Swap): Json | undefined {
  const typed = (one: string): Json | undefined =>
    typeof now === "number" ? (Number.isFinite(Number(one)) ? Number(one) : undefined) : one;
  if (String(now) === fresh) return undefined;
  if (old !== undefined) {
    // "Ines" before "Falk instead of Hedda Brandt" may be a part of the name, or a verb.
    if (/(?<!\S)\p{Lu}[\p{L}'’-]* $/u.test(text.slice(0, start)) && /^\p{Lu}/u.test(fresh)) return undefined;
    if (String(now).toLowerCase() === old.toLowerCase()) return typed(fresh);
    if (typeof now !== "string" || old.length < SHORT) return undefined;
    // "Ines Falk instead of Hedda Brandt" names all of it.
    const next = /^ (?<word>[\p{L}'’-]+)/u.exec(text.slice(end))?.groups?.["word"];
    if (next !== undefined && now.toLowerCase().includes(`${old} ${next}`.toLowerCase())) return undefined;
    const part = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(old)}(?![\\p{L}\\p{N}])`, "gu");
    return part.test(now) ? now.replaceAll(part, () => fresh) : undefined;
  }
  const own = String(now);
  const outside = `${text.slice(0, start)}\n${text.slice(end)}`;
  if (own.length < SHORT || STOP.has(own.toLowerCase())) return undefined;
  return new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(own)}(?![\\p{L}\\p{N}_])`, "iu").test(outside)
    ? typed(fresh)
    : undefined;
}
