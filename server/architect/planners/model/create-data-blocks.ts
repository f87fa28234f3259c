import type { Redactor } from "../../../log/redact.ts";

/** Puts a text between marks, as data: its label says what it is, and is data as well. */
export type ToDataBlock = (label: string, text: string) => string;

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;
const LABEL_CHARACTERS = 300;

/**
 * Blocks of one conversation. Each line of a text begins with `| `, so none can be the mark that ends its block, even for
 * who knows the `boundary`, which is random and is taken out of texts. Signs that are not seen, and marks of chat
 * templates, are written as escapes. Credentials are masked first.
 */
export function createDataBlocks(boundary: string, redactor: Redactor): ToDataBlock {
  const escape = (text: string) =>
    text
      .replaceAll(boundary, "…")
      .replaceAll("<|", "<\\u{7c}")
      .replace(UNSEEN, (char) => (char === "\t" ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`));
  return (label, text) => {
    const shown = escape(redactor.text(label).slice(0, LABEL_CHARACTERS).toWellFormed());
    const lines = redactor.text(text).replaceAll("\r\n", "\n").split("\n");
    return [`<<<DATA ${boundary} ${shown}`, ...lines.map((line) => `| ${escape(line)}`), `DATA ${boundary}>>>`].join(
      "\n",
    );
  };
}
