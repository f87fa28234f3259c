import { findMood } from "./find-mood.ts";
import type { FoundData, Part } from "./find-parts.ts";
import { type FoundSentence, findSentences } from "./find-sentences.ts";
import type { Mood } from "./message.ts";

/** A sentence or data on the way to a segment; its place is one of the text as it is seen. */
export type Draft = SentenceDraft | DataDraft;

export interface SentenceDraft extends FoundSentence {
  readonly kind: "sentence";
  readonly mood: Mood;
  readonly introduces: boolean;
}

export interface DataDraft extends FoundData {
  readonly isApplied: boolean;
  readonly isOffered: boolean;
}

/** The sentences and data of a text, of which none is introduced or applied yet. */
export function toDrafts(text: string, parts: readonly Part[]): readonly Draft[] {
  const drafts: Draft[] = [];
  let paragraph = 0;
  for (const part of parts) {
    if (part.kind === "data") drafts.push({ ...part, isApplied: false, isOffered: false });
    else {
      for (const found of findSentences(text.slice(part.start, part.end), part.start, paragraph)) {
        drafts.push({ ...found, kind: "sentence", mood: findMood(found.masked), introduces: false });
      }
    }
    const last = drafts.at(-1);
    paragraph = (last?.kind === "sentence" ? last.paragraph : paragraph) + 1;
  }
  return drafts;
}
