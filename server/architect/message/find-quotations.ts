import type { Span } from "./message.ts";

/** A text in quotation marks, or an object or list in brackets, inside of a sentence. Its span includes the marks. */
export interface Quotation extends Span {
  readonly kind: "text" | "data";
}

/** Opening marks, each with those that may close it. */
const PAIRS: Readonly<Record<string, string>> = {
  '"': '"',
  "`": "`",
  "“": "”",
  "„": '“”"',
  "«": "»",
  "»": "«",
  "‹": "›",
  "‘": "’",
  "‚": "‘’",
  "「": "」",
  "『": "』",
  "《": "》",
  "'": "'",
};
/** Characters that may stand before and behind a quoted text; Chinese has no spaces there. */
const BEFORE = /[\s(:=,[\u2014\p{Script=Han}：，、；。（-]/u;
const BEHIND = /[\s.,;:!?)\]\u2014\p{Script=Han}：，、；。！？）]/u;

/** Finds what is quoted in a text, from its beginning on; what is quoted inside of a quotation belongs to that. */
export function findQuotations(text: string): readonly Quotation[] {
  const found: Quotation[] = [];
  // Looked for once: a text of nothing but opening marks would otherwise be read again for each.
  const unclosed = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const quotation = quotationAt(text, at, unclosed);
    if (quotation === undefined) continue;
    found.push(quotation);
    at = quotation.end - 1;
  }
  return found;
}

function quotationAt(text: string, start: number, unclosed: Set<string>): Quotation | undefined {
  const open = text[start] ?? "";
  const isData = open === "{" || open === "[";
  const close = PAIRS[open];
  if ((close === undefined && !isData) || unclosed.has(open)) return undefined;
  if (start > 0 && !BEFORE.test(text[start - 1] ?? "")) return undefined;
  const end = close === undefined ? findBalance(text, start) : findClosing(text, start + 1, close);
  if (end !== undefined) return { kind: isData ? "data" : "text", start, end };
  unclosed.add(open);
  return undefined;
}

function findClosing(text: string, from: number, close: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\" && close === '"') at += 1;
    else if (
      close.includes(text[at] ?? "") &&
      at > from &&
      (at + 1 === text.length || BEHIND.test(text[at + 1] ?? ""))
    ) {
      return at + 1;
    }
  }
  return undefined;
}

/** Finds the offset where the brackets that open at `start` close. */
export function findBalance(text: string, start: number): number | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (isQuoted && sign === "\\") at += 1;
    else if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === "{" || sign === "[")) depth += 1;
    else if (!isQuoted && (sign === "}" || sign === "]")) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/** Stands in the place of each quoted character, so that nothing in quotation marks is taken for a word of the sentence. */
export const QUOTED = "\u{fffc}";

/** The text with all that is quoted in it made unreadable; places stay what they are. */
export function maskQuotations(text: string): string {
  let masked = "";
  let at = 0;
  for (const { start, end } of findQuotations(text)) {
    masked += text.slice(at, start) + QUOTED.repeat(end - start);
    at = end;
  }
  return masked + text.slice(at);
}
