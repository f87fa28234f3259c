import { evidenceOf, ownSentences } from "../message/read-message.ts";
import type { Message } from "../message/message.ts";
import { addedLines } from "./added-lines.ts";
import type { ChangedFile } from "./overreach.ts";

/** Numbers, and words that somebody has chosen: long ones, and those with signs in them that prose has not. */
const CHOSEN = /-?\d+(?:\.\d+)?|[\p{L}_][\p{L}\p{N}]*(?:[._:/-][\p{L}\p{N}]+)+|[\p{L}_]\w{3,}/gu;

/**
 * Values that a plan takes from what a message only shows: from blocks and quoted text, and from none of the sender's own
 * sentences. Of manifests alone: words of code and of pages are anybody's.
 */
export function findEchoes(files: readonly ChangedFile[], message: Message): readonly string[] {
  const shown = evidenceOf(message).filter(({ form }) => form !== "attached");
  if (shown.length === 0) return [];
  const quoted = toWords(shown.map(({ text }) => text).join("\n"));
  const own = toWords(
    ownSentences(message)
      .map(({ text }) => text)
      .join("\n"),
  );
  return files.flatMap(({ path, before, after }) => {
    if (!/^manifests\/|^tuning of |\.json$/.test(path)) return [];
    const known = toWords(before ?? "");
    const added = [...toWords(addedLines(before, after).join("\n"))];
    const echo = added.find((word) => quoted.has(word) && !own.has(word) && !known.has(word));
    if (echo === undefined) return [];
    return [`\`${path}\` would have \`${echo.slice(0, 100)}\`, which stands only in what the message quotes or shows.`];
  });
}

function toWords(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(CHOSEN));
}
