import { type Application, findApplication, speaksOfApplying } from "./find-application.ts";
import { toWords } from "./find-mood.ts";
import type { Draft, SentenceDraft } from "./drafts.ts";

/** Words between blocks that belong together, and names of files above them. */
const BLAND = /^(?:and|and then|then|also|plus|first|second|third|\d+[.)]?|[\w./-]+\.\w{1,8}:?)$/;
/** Forms of data that can be applied. Comments are invisible to people, and introduced text is by another person. */
const APPLICABLE: ReadonlySet<string> = new Set(["fenced", "indented", "diff", "json", "marked", "forwarded"]);

/** Marks the data that a sentence of the sender says to apply. Where others ask about it, or take it back, nothing is. */
export function linkApplications(drafts: readonly Draft[]): readonly Draft[] {
  const applied = new Set<number>();
  for (let at = 0; at < drafts.length; at += 1) {
    if (drafts[at]?.kind !== "data" || drafts[at - 1]?.kind === "data") continue;
    let end = at;
    while (drafts[end]?.kind === "data") end += 1;
    if (isApplied(drafts, at, end)) for (let index = at; index < end; index += 1) applied.add(index);
  }
  return drafts.map((draft, index) => {
    if (draft.kind !== "data" || !applied.has(index) || !APPLICABLE.has(draft.form)) return draft;
    return { ...draft, isApplied: true };
  });
}

/** Checks that sentences before or behind the data between `start` and `end` order to apply it. */
function isApplied(drafts: readonly Draft[], start: number, end: number): boolean {
  const before = toSentences(drafts, start - 1, -1);
  const behind = toSentences(drafts, end, 1);
  if ([...before, ...behind].some(takesBack)) return false;
  const isSingle = end - start === 1;
  const below = findBefore(drafts, start);
  if (below !== undefined) return isSingle || below.isPlural;
  // Right above other data, words may be about either.
  const isBetween = drafts[end + behind.length] !== undefined && findIn(behind.slice(-1), () => true) !== undefined;
  const above = findIn(behind, ({ direction }) => direction === "above" || (direction === "any" && !isBetween));
  return above !== undefined && (isSingle || above.isPlural);
}

/** The application of a sentence above data, of those that stand next to it, or above other data that it means as well. */
function findBefore(drafts: readonly Draft[], start: number): Application | undefined {
  const own = toSentences(drafts, start - 1, -1);
  const isFirst = drafts[start - 1 - own.length] === undefined;
  // A colon, or "below", says that words between two blocks are about what follows.
  const found = findIn(own, ({ direction }) => direction === "below" || (direction === "any" && isFirst));
  if (found !== undefined || isFirst || !own.every(({ masked }) => BLAND.test(toWords(masked)))) return found;
  let at = start - 1 - own.length;
  while (drafts[at]?.kind === "data") at -= 1;
  const plural = findBefore(drafts, at + 1);
  return plural?.isPlural === true ? plural : undefined;
}

/** Of the nearest sentence that applies something; sentences between may tell something, but introduce nothing. */
function findIn(
  sentences: readonly SentenceDraft[],
  isMeant: (application: Application) => boolean,
): Application | undefined {
  for (const { masked, mood, introduces } of sentences) {
    const application = mood === "imperative" ? findApplication(masked) : undefined;
    if (application !== undefined) return isMeant(application) ? application : undefined;
    if (introduces || mood !== "report" || /:\s*$/.test(masked)) {
      if (!BLAND.test(toWords(masked))) return undefined;
    }
  }
  return undefined;
}

/** A sentence that denies, asks or makes conditions of what another says to apply. */
function takesBack({ masked, mood }: SentenceDraft): boolean {
  return mood !== "imperative" && mood !== "report" && speaksOfApplying(masked);
}

/** The sentences next to a place, from there on. */
function toSentences(drafts: readonly Draft[], from: number, step: 1 | -1): readonly SentenceDraft[] {
  const sentences: SentenceDraft[] = [];
  for (let at = from; ; at += step) {
    const draft = drafts[at];
    if (draft?.kind !== "sentence") return sentences;
    sentences.push(draft);
  }
}
