import { type Application, findApplication, isForeignDoubt, isScope, speaksOfApplying } from "./find-application.ts";
import { toWords } from "./find-mood.ts";
import type { Draft, SentenceDraft } from "./drafts.ts";

/** Words between blocks that belong together, and names of files above them. */
const BLAND = /^(?:and|and then|then|also|plus|first|second|third|\d+[.)]?|[\w./-]+\.\w{1,8}:?)$/;
/** Forms of data that can be applied. Comments are invisible to people, and introduced text is by another person. */
const APPLICABLE: ReadonlySet<string> = new Set(["fenced", "indented", "diff", "json", "marked", "forwarded"]);

/** Marks the data that a sentence of the sender says to apply, or puts forward. Where others ask about it, or take it back, nothing is. */
export function linkApplications(drafts: readonly Draft[]): readonly Draft[] {
  const applied = new Map<number, Application>();
  for (let at = 0; at < drafts.length; at += 1) {
    if (drafts[at]?.kind !== "data" || drafts[at - 1]?.kind === "data") continue;
    let end = at;
    while (drafts[end]?.kind === "data") end += 1;
    const application = findLink(drafts, at, end);
    if (application !== undefined) for (let index = at; index < end; index += 1) applied.set(index, application);
  }
  return drafts.map((draft, index) => {
    const kind = applied.get(index)?.kind;
    if (draft.kind !== "data" || kind === undefined || !APPLICABLE.has(draft.form)) return draft;
    return kind === "offer" ? { ...draft, isOffered: true } : { ...draft, isApplied: true };
  });
}

/** Finds the application by sentences before or behind the data between `start` and `end`. */
function findLink(drafts: readonly Draft[], start: number, end: number): Application | undefined {
  const before = toSentences(drafts, start - 1, -1);
  const behind = toSentences(drafts, end, 1);
  const around = [...before, ...behind];
  if (around.some(takesBack)) return undefined;
  const isSingle = end - start === 1;
  const below = findBefore(drafts, start);
  // Right above other data, words may be about either.
  const isBetween = drafts[end + behind.length] !== undefined && findIn(behind.slice(-1), () => true) !== undefined;
  const isMeant = ({ direction }: Application) => direction === "above" || (direction === "any" && !isBetween);
  const found = below ?? findIn(behind, isMeant);
  if (found === undefined || (!isSingle && !found.isPlural)) return undefined;
  return found.kind !== "order" && around.some(isDoubtful) ? undefined : found;
}

/** The application of a sentence above data, of those that stand next to it, or above other data that it means as well. */
function findBefore(drafts: readonly Draft[], start: number): Application | undefined {
  const own = toSentences(drafts, start - 1, -1);
  const isFirst = drafts[start - 1 - own.length] === undefined;
  // A colon, or "below", says that words between two blocks are about what follows.
  const found = findIn(own, ({ direction }) => direction === "below" || (direction === "any" && isFirst));
  const isSettled = found !== undefined && found.kind !== "offer";
  if (isSettled || isFirst || !own.every(({ masked }) => BLAND.test(toWords(masked)))) return found;
  let at = start - 1 - own.length;
  while (drafts[at]?.kind === "data") at -= 1;
  const plural = findBefore(drafts, at + 1);
  return plural?.isPlural === true ? plural : found;
}

/** Of the nearest sentence that applies something; sentences between may tell something, but introduce nothing. */
function findIn(
  sentences: readonly SentenceDraft[],
  isMeant: (application: Application) => boolean,
): Application | undefined {
  let offer: Application | undefined;
  for (const { masked, mood, introduces } of sentences) {
    const application = findApplication(masked, mood);
    if (application !== undefined && application.kind !== "offer") return isMeant(application) ? application : offer;
    if (application !== undefined && isMeant(application)) offer ??= application;
    if (introduces || mood !== "report" || /:\s*$/.test(masked)) {
      if (!BLAND.test(toWords(masked)) && !isScope(masked)) return offer;
    }
  }
  return offer;
}

/** A sentence that denies, asks or makes conditions of what another says to apply. */
function takesBack({ masked, mood }: SentenceDraft): boolean {
  return mood !== "imperative" && mood !== "report" && speaksOfApplying(masked);
}

/** A sentence that leaves open whether something is wanted at all. */
function isDoubtful({ masked, mood }: SentenceDraft): boolean {
  return ((mood !== "imperative" && mood !== "report") || isForeignDoubt(masked)) && !isScope(masked);
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
