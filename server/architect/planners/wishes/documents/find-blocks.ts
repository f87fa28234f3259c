import { isForeignDoubt } from "../../../message/find-application.ts";
import { speaksForOthers, toWords } from "../../../message/find-mood.ts";
import { findBalance, maskQuotations } from "../../../message/find-quotations.ts";
import type { Data, Message, Sentence } from "../../../message/message.ts";
import { ownSentences } from "../../../message/read-message.ts";
import type { Places } from "../places/places.ts";
import { putsBlock } from "./puts-block.ts";

/** Forms of data that senders put forward by themselves, and not as what somebody else has sent. */
export const OWN: ReadonlySet<string> = new Set(["fenced", "indented", "json", "diff"]);
/** Says that what stands beside it belongs somewhere, in words that are no order of their own. */
const PUTS =
  /(?<!\p{L})(?:belongs? (?:in|into|to|under|below|with)|goes (?:in|into|under)|(?:put|merge|insert|add|paste|take|copy|bring|fold|write|include|drop|place|apply)(?: (?:it|this|that|these|them|the following|below))?(?: \w+){0,3} (?:in|into|to|under|over|below|onto|as)\b|appl(?:y|ied) as (?:it )?is|as (?:it is|is|they are)\b|add (?:this|these|the following)|(?:should|must|is to|are to|ought to) (?:now )?(?:get|have|look|become|be|read|receive|carry)|needs? (?:this|these|the following)|\b(?:suggest\w*|propos\w*|wanted) (?:changes?|values?|settings?|parameters?|defaults?) (?:for|of|to)\b|\bwith (?:this|these|the following)(?=\W*$)|merge|apply|gehör(?:t|en) (?:in|zu)|(?:kommt|kommen|soll|sollen) (?:in|zu|unter)|übernehm\w*|einfüg\w*|eintrag\w*|einbau\w*|ergänz\w*|pertenece\w*|va (?:en|dentro)|insert\w+|insér\w+|añad\w+|agreg\w+|incorpor\w+|fusion\w+|aplic\w+|pon(?:er|ga|gan|ed)?\b|ajout\w+|intégr\w+|repren\w+|appliqu\w+|va dans|mettre|mettez)|加到|加进|放到|放进|放入|合并|加入|应用|采用/iu;
/** Asks politely, so that a question is a wish. */
const POLITE =
  /\b(?:could|can|would|will) you\b|\bplease\b|\bbitte\b|\b(?:podría|puede)\w*\b|\bpou(?:rriez|vez)\b|请|麻烦/iu;
const LOOSE = /^[ \t]*(?:- \S.*|[\w."'/-]+:(?:[ \t].*)?)$/;
/** Lines of YAML without a fence that are a block: fewer may be a heading. */
const LINES = 2;
/** A line that says by its form that it is YAML: "librarian: [rooms:book]". */
const FLOW = /^[ \t]*[\w."'/-]+:[ \t]+(?:\[.*\]|\{.*\})[ \t]*$/;

/** Finds the blocks that a message is about: those that it orders to apply or offers, or else those that it puts somewhere. */
export function findBlocks(message: Message, places: Places): readonly Data[] {
  const data = message.segments.filter((one) => one.kind === "data");
  const settled = data.filter((one) => one.isApplied || one.isOffered);
  const [only, ...more] = settled;
  if (only !== undefined && more.length === 0 && data.length === 1 && isPut(only, message, places))
    return [{ ...only, isApplied: true }];
  if (settled.length > 0 || data.some(({ form }) => form !== "introduced" && !OWN.has(form))) return settled;
  const own = data.filter(({ form }) => OWN.has(form));
  const found = own.length > 0 ? own : [...findInline(message), ...findLoose(message)].slice(0, 1);
  const [first] = found;
  if (first === undefined) return [];
  const sentences = ownSentences(message).filter(({ start }) => start < first.start || start >= first.end);
  if (sentences.some(isDoubtful)) return [];
  if (sentences.some((one) => putsBlock(one, places))) return found.map((one) => ({ ...one, isApplied: true }));
  // What is fenced or indented may be meant for what its message names; it is offered.
  return own.length > 0 || sentences.some(puts) ? found : [];
}

/** Tells whether a sentence right above a block orders to put it somewhere, and none leaves that open. */
function isPut({ start }: Data, message: Message, places: Places): boolean {
  const sentences = ownSentences(message);
  const last = sentences.findLast((one) => one.end <= start);
  return last !== undefined && putsBlock(last, places) && !sentences.some(isDoubtful);
}

function puts({ text }: Sentence): boolean {
  return PUTS.test(withoutJson(text));
}

/** Tells whether a sentence asks about what stands beside it, denies it, or passes on a wish of others. */
export function isDoubtful({ text, mood }: Sentence): boolean {
  const plain = withoutJson(text);
  // Whoever asks politely wants it.
  const masked = maskQuotations(POLITE.test(plain) ? plain.replaceAll(/[?？]/g, "") : plain);
  if (mood === "negation" || mood === "condition" || isForeignDoubt(masked)) return true;
  if (POLITE.test(masked)) return false;
  return mood === "question" || (PUTS.test(masked) && speaksForOthers(toWords(masked)));
}

function withoutJson(text: string): string {
  return text.replace(/\{.*$/s, "");
}

/** JSON at the end of a sentence: "merge this into the requester: {...}". */
function findInline(message: Message): readonly Data[] {
  return ownSentences(message).flatMap(({ text, start }): readonly Data[] => {
    const open = text.indexOf("{");
    const close = open <= 0 ? undefined : findBalance(text, open);
    if (close === undefined || !/^[\s.,;)`]*(?:please|thanks|bitte|por favor|merci)?[\s.!]*$/iu.test(text.slice(close)))
      return [];
    return [toBlock(message, "json", start + open, start + close)];
  });
}

/** Lines of YAML below a line that ends in a colon. */
function findLoose(message: Message): readonly Data[] {
  const { text } = message;
  const lines = text.split("\n");
  const starts = lines.map((_, at) => lines.slice(0, at).join("\n").length + (at === 0 ? 0 : 1));
  const heading = lines.findIndex(
    (line, at) => (/\S\s.*[:：]\s*$/u.test(line) && !/^\s*-/.test(line)) || isAboveNested(lines, at),
  );
  if (heading < 0) return [];
  let first = heading + 1;
  while (lines[first]?.trim() === "") first += 1;
  let end = first;
  while (end < lines.length && LOOSE.test(lines[end] ?? "")) end += 1;
  const isWhole = lines.slice(end).every((line) => line.trim() === "");
  const isBlock = end - first >= LINES || (end - first === 1 && FLOW.test(lines[first] ?? ""));
  if (!isBlock || !isWhole) return [];
  return [toBlock(message, "yaml", starts[first] ?? 0, (starts[end - 1] ?? 0) + (lines[end - 1] ?? "").length)];
}

/** Tells whether an empty line and nothing but indented YAML of several levels stand below a line: "can you apply this?" */
function isAboveNested(lines: readonly string[], at: number): boolean {
  const below = lines.slice(at + 2).filter((line) => line.trim() !== "");
  const widths = new Set(below.map((line) => /^ */.exec(line)?.[0].length ?? 0));
  const isSentence = /^\S.*[?？.]\s*$/u.test(lines[at] ?? "");
  return (
    isSentence &&
    lines[at + 1]?.trim() === "" &&
    widths.size > 1 &&
    !widths.has(0) &&
    below.every((line) => LOOSE.test(line))
  );
}

/** A part of a message as a block of its own. */
export function toBlock({ text }: Message, language: string, start: number, end: number): Data {
  const line = text.slice(0, start).split("\n").length;
  return {
    kind: "data",
    form: "fenced",
    language,
    text: text.slice(start, end),
    line,
    isApplied: false,
    isOffered: true,
    start,
    end,
  };
}
