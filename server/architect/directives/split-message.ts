import { findLiterals, type Literals } from "./literals.ts";
import type { Block } from "./phrase.ts";

/** One sentence of a message, or a block that stands by itself. */
export interface Segment {
  /** With signs in the places of quoted texts and JSON; "" of a block by itself. */
  readonly text: string;
  readonly block?: Block;
}

export interface SplitMessage {
  readonly segments: readonly Segment[];
  readonly literals: Literals;
}

type Part = { readonly prose: string } | { readonly block: Block };

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+-]*)[^`]*$/;
const DIFF = /^(?:diff --git a\/|--- (?:a\/|\/dev\/null))/;
const BULLET = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/;

/** Takes a message apart into sentences and blocks; `isStart` tells the words that a sentence may begin with. */
export function splitMessage(message: string, isStart: (word: string) => boolean): SplitMessage {
  const parts = toParts(message.replaceAll("\r\n", "\n"));
  const { texts, literals } = findLiterals(parts.flatMap((part) => ("prose" in part ? [part.prose] : [])));
  const segments: Segment[] = [];
  let prose = 0;
  for (const part of parts) {
    const last = segments.at(-1);
    if ("prose" in part) segments.push(...toSentences(texts[prose++] ?? "", isStart).map((text) => ({ text })));
    else if (last === undefined || last.block !== undefined) segments.push({ text: "", block: part.block });
    else segments[segments.length - 1] = { ...last, block: part.block };
  }
  return { segments, literals };
}

function toParts(message: string): readonly Part[] {
  const parts: Part[] = [];
  let prose: string[] = [];
  const flush = () => {
    if (prose.join("").trim() !== "") parts.push({ prose: prose.join("\n") });
    prose = [];
  };
  const lines = message.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const fence = FENCE.exec(line);
    if (fence !== null) {
      const [, mark = "", language = ""] = fence;
      let end = at + 1;
      while (end < lines.length && !isClosing(lines[end] ?? "", mark)) end += 1;
      if (end === lines.length) return [...parts, { prose: [...prose, ...lines.slice(at)].join("\n") }];
      flush();
      const text = lines.slice(at + 1, end).map((one) => `${one}\n`);
      parts.push({ block: toBlock(language, text.join("")) });
      at = end;
    } else if (DIFF.test(line)) {
      // Nothing tells where a diff ends that is not fenced: it is the rest.
      flush();
      return [...parts, { block: { language: "diff", text: `${lines.slice(at).join("\n").trimEnd()}\n` } }];
    } else {
      prose.push(line);
    }
  }
  flush();
  return parts;
}

function isClosing(line: string, mark: string): boolean {
  const text = line.trim();
  return text.startsWith(mark) && text === (mark[0] ?? "").repeat(text.length);
}

function toBlock(language: string, text: string): Block {
  const isDiff = DIFF.test(text.trimStart());
  return { language: isDiff ? "diff" : language.toLowerCase(), text };
}

function toSentences(prose: string, isStart: (word: string) => boolean): readonly string[] {
  return prose
    .split(/\n[ \t]*\n/)
    .flatMap((paragraph) => toLines(paragraph, isStart))
    .flatMap((line) => line.split(/(?<=[.!?])\s+|;\s+/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Lines that belong together: one that a sentence does not begin with goes on with the one before. */
function toLines(paragraph: string, isStart: (word: string) => boolean): readonly string[] {
  const joined: string[] = [];
  for (const line of paragraph.split("\n")) {
    const text = line.replace(BULLET, "").trim();
    const [word = ""] = text.split(/[\s,]/, 1);
    const isNew = BULLET.test(line) || isStart(word.toLowerCase()) || /[.!?:;]$/.test(joined.at(-1) ?? "");
    if (isNew || joined.length === 0) joined.push(text);
    else joined.push(`${joined.pop()} ${text}`);
  }
  return joined;
}
