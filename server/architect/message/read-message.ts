import { findHidden } from "../../text/find-hidden.ts";
import { type DataDraft, toDrafts } from "./drafts.ts";
import { findParts, type Part, toLanguage } from "./find-parts.ts";
import { linkApplications } from "./link-applications.ts";
import { markIntroduced } from "./mark-introduced.ts";
import type { Data, Message, Segment, Sentence } from "./message.ts";

/**
 * Takes a message apart into its sender's own sentences and the data that it carries: blocks, quoted and forwarded text, what
 * is introduced as somebody else's words, and what is attached. Data is `isApplied` only where a sentence of the sender says to
 * apply it, or that something is to be like it. Knows English, how others say that, and nothing of what the message is about.
 */
export function readMessage(text: string, attachments: readonly string[] = []): Message {
  const seen = toSeen(text);
  const parts = findParts(seen.text);
  const drafts = toDocument(parts) ?? linkApplications(markIntroduced(toDrafts(seen.text, parts), seen.text));
  const lineAt = countLines(seen.text);
  const segments = drafts.map((draft): Segment => {
    const [start, end] = [seen.at(draft.start), seen.at(draft.end)];
    if (draft.kind === "data") {
      const { form, language, text: inner, isApplied, isOffered } = draft;
      const line = lineAt(draft.start);
      return Object.freeze({ kind: "data", form, language, text: inner, line, isApplied, isOffered, start, end });
    }
    const { mood, introduces } = draft;
    return Object.freeze({
      kind: "sentence",
      text: seen.text.slice(draft.start, draft.end),
      mood,
      introduces,
      start,
      end,
    });
  });
  const place = { start: text.length, end: text.length, line: 0 };
  const attached = attachments.map((inner): Data =>
    Object.freeze({
      kind: "data",
      form: "attached",
      language: toLanguage(inner),
      text: inner,
      isApplied: false,
      isOffered: false,
      ...place,
    }),
  );
  return Object.freeze({ text, segments: Object.freeze([...segments, ...attached]) });
}

/** The sentences of the sender. */
export function ownSentences({ segments }: Message): readonly Sentence[] {
  return segments.filter((segment) => segment.kind === "sentence");
}

/** Lists the data that the message carries and that no sentence orders to apply. */
export function evidenceOf({ segments }: Message): readonly Data[] {
  return segments.filter((segment) => segment.kind === "data").filter(({ isApplied }) => !isApplied);
}

/** Numbers of lines, from 1, of places that come one after the other. */
function countLines(text: string): (place: number) => number {
  let line = 1;
  let at = 0;
  return (place) => {
    for (let next = text.indexOf("\n", at); next >= 0 && next < place; next = text.indexOf("\n", at)) {
      line += 1;
      at = next + 1;
    }
    return line;
  };
}

/** A text as people see it: without what has no width, and with one kind of line break. */
interface Seen {
  readonly text: string;
  /** Converts an offset in the message to one in the text as written. */
  at(place: number): number;
}

function toSeen(written: string): Seen {
  const hidden = new Set(
    findHidden(written).filter((char) => !/[\r\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(char)),
  );
  const isPlain = hidden.size === 0 && !/[\r\u0085\u2028\u2029]/.test(written);
  if (isPlain) return { text: written, at: (place) => place };
  const places: number[] = [];
  let text = "";
  let at = 0;
  for (const char of written) {
    const isHalf = char === "\r" && written[at + 1] === "\n";
    if (!hidden.has(char) && !isHalf) {
      const shown = /[\r\u0085\u2028\u2029]/.test(char) ? "\n" : char;
      for (let unit = 0; unit < shown.length; unit += 1) places.push(at + unit);
      text += shown;
    }
    at += char.length;
  }
  return { text, at: (place) => places[place] ?? written.length };
}

/** A message that is nothing but JSON or a diff, and so the order itself. */
function toDocument([only, ...others]: readonly Part[]): readonly DataDraft[] | undefined {
  if (only?.kind !== "data" || others.length > 0) return undefined;
  if (only.form !== "json" && only.form !== "diff") return undefined;
  return [{ ...only, form: "document", language: only.form, isApplied: true, isOffered: false }];
}
