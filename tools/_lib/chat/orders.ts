import {
  FILLER,
  hasFiniteVerb,
  isConditional,
  isDeferred,
  isNegated,
  isReported,
  isTakenBack,
  isVerbForm,
  POLITE,
} from "../language/mood.ts";
import { fold, type Token, tokenise } from "../language/tokenise.ts";
import { toRole } from "../fill/role.ts";
import { extractDates } from "../time/extract-dates.ts";
import type { ToolProfile } from "./tool-profile.ts";

/** A sentence without the words before its request. */
interface Sentence {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** True for "please ..." and "can you ...": a request, whatever follows. */
  readonly polite: boolean;
  /** True where a verb for tools leads to the name of one: "run notes.add". */
  readonly run: boolean;
}

/** Characters of a sentence that are read for what they order. */
const LIMIT = 600;
const RUN =
  /^(?:(?:run|call|execute|invoke|starte|führe|ejecuta|exécute|lance)\s+(?:(?:the|das|den|die|el|la|le)\s+)?|执行|运行|调用)\s*(?=[a-z0-9]+[._])/iu;
/** Words inside a name: "create me a new ticket", "add to my notes". */
const GAPS = new Set("a an the my our this new another me us to".split(" "));
/** Words behind a name that lead to its arguments, or say nothing. */
const JOINTS = new Set(
  "with for to from of in on at by as due using until till into and please now thanks bitte aus ausführen jetzt ejecutar ahora ya exécuter maintenant".split(
    " ",
  ),
);
/** Words and signs that lead to the text of a value, which no longer says what is to be done. */
const CONTENT =
  /[:：{[=]|(?<![\p{L}\p{N}])(?:that|saying|titled|called|named|with the (?:text|title|subject|message))(?![\p{L}\p{N}])/iu;
const TOPIC = /(?<![\p{L}\p{N}])(?:about|regarding)(?![\p{L}\p{N}])/iu;
const LEADS = /(?<![\p{L}\p{N}])(?:with|for|to|from|on|in|at|by|as|due|of)(?![\p{L}\p{N}])/iu;
const QUOTED = /"[^"]*"|“[^”]*”|«[^»]*»|\x60[^\x60]*\x60|„[^“”]*[“”]|(?<=\s)'[^']+'(?=\s|$)/gu;
/** Identifiers, numbers, paths and addresses: nothing but values look like them. */
const VALUE = /[\p{L}_-]*\p{N}[^\s,;]*|[\p{L}\p{N}]+[_./@-][\p{L}\p{N}][^\s,;]*|\uFFFC+/gu;

/**
 * The tools that a message orders by their names, in the imperative or as a request, and at once. A report, a judgement, a heading, a
 * question, a condition, a quotation or a plan names a tool, too, but orders nothing. `message` has to be as it was written: a translation
 * leaves out the words that show which is which.
 */
export function findOrdered(message: string, profiles: readonly ToolProfile[]): readonly ToolProfile[] {
  const bare = hideQuotes(message);
  if (isTakenBack(bare)) return [];
  const sentences = splitSentences(bare);
  const read = sentences.map(readSentence);
  const at = read.findIndex((sentence) => profiles.some((profile) => isOrder(sentence, profile)));
  const order = read[at];
  if (!order) return [];
  const before = sentences.slice(0, at);
  // What a colon leads to is a value, to the end of the message.
  const after = CONTENT.test(order.text) ? [] : sentences.slice(at + 1);
  const isOpen = [...before, ...after].some((one) => isReported(one) || isConditional(one)) || after.some(isNegated);
  return isOpen ? [] : profiles.filter((profile) => isOrder(order, profile));
}

export function isOrdered(message: string, profile: ToolProfile): boolean {
  return findOrdered(message, [profile]).length > 0;
}

/** Checks that a message says something of what it names, and wants nothing done: "artifact create failed". */
export function isStatement(message: string): boolean {
  return splitSentences(hideQuotes(message)).some((sentence) => {
    const { text, polite } = readSentence(sentence);
    const frame = toFrame(text);
    const [, ...behind] = tokenise(frame);
    return !polite && (hasFiniteVerb(frame) || behind.some(({ word }) => word.endsWith("ed") && isVerbForm(word)));
  });
}

function isOrder({ text, tokens, polite, run }: Sentence, profile: ToolProfile): boolean {
  const name = findName(text, tokens, profile, run);
  if (name === undefined) return false;
  const isQuestion = /[?？]\s*$/.test(text);
  if ((isQuestion && !polite) || /[:：]\s*$/.test(text)) return false;
  const whole = toFrame(text.slice(name.end));
  const frame = whole.slice(0, TOPIC.exec(whole)?.index);
  if (isNegated(frame) || isReported(frame) || isConditional(whole) || isAttributed(text)) return false;
  const dated = profile.fields.some(({ kind }) => kind === "date" || kind === "date-time");
  if (!dated && isDeferred(frame)) return false;
  const hasText = profile.fields.some((field) => field.kind === "text");
  if (!name.plain && isBlank(frame, text.slice(name.end)))
    return !isQuestion && !isDefinition(text.slice(name.end), profile);
  if (!hasText || (!polite && !name.plain)) return holdsOnlyValues(frame, profile, dated);
  const [first] = tokenise(frame);
  const isSubject = first !== undefined && isVerbForm(first.word) && !isOwn(first, profile);
  return !isSubject && !hasFiniteVerb(frame.slice(0, LEADS.exec(frame)?.index));
}

/** Checks that nothing but a text follows a name: "can you git_commit?" asks whether it can be done at all. */
function isBlank(frame: string, behind: string): boolean {
  return !/[\p{L}\p{N}\uFFFC]/u.test(frame) && !/^\s*[[{=]/.test(behind);
}

/** "Git commit: a history" says what something is, unless the tool takes a text that may be anything. */
function isDefinition(behind: string, profile: ToolProfile): boolean {
  const text = /^\s*[:：](?<text>.*)$/su.exec(behind)?.groups?.["text"];
  const isFree = profile.fields.some((field) => field.kind === "text" && /^(?:content|topic)$/.test(toRole(field)));
  return text !== undefined && !isFree && !holdsOnlyValues(text, profile, false);
}

/** "..., she said": what is handed on is in the last part. */
function isAttributed(text: string): boolean {
  const [first = "", ...parts] = text.slice(0, /[:：]/.exec(text)?.index).split(/[,—–]\s*/u);
  return first !== "" && isReported(parts.at(-1) ?? "");
}

/** "Create ticket", "git commit" and names as they are spelt may begin anything: only values may follow them. */
function holdsOnlyValues(frame: string, profile: ToolProfile, dated: boolean): boolean {
  const undated = dated
    ? extractDates(frame, 0, 0).reduce((text, { start, end }) => hide(text, start, end), frame)
    : frame;
  return tokenise(undated.replaceAll(VALUE, " ")).every((token) => JOINTS.has(token.word) || isOwn(token, profile));
}

/** Checks that a word is one of the names of the tool's fields, or one of their choices. */
function isOwn({ word, stem }: Token, { fields }: ToolProfile): boolean {
  return fields.some(
    ({ words, choices, items }) =>
      words.some((own) => own === word || own === stem || `${own}s` === word) ||
      [...choices, ...(items?.choices ?? [])].some((choice) => fold(String(choice)) === word),
  );
}

/**
 * Finds the name that a sentence begins with, word by word and in no other form than the tool's: "created" and "tickets" name nothing. It is
 * plain where an article shows the imperative.
 */
function findName(
  text: string,
  tokens: readonly Token[],
  { info, names }: ToolProfile,
  run: boolean,
): { readonly end: number; readonly plain: boolean } | undefined {
  if (fold(text).startsWith(fold(info.name)) && !/^[\p{L}\p{N}_-]/u.test(text.slice(info.name.length)))
    return { end: info.name.length, plain: false };
  if (tokens[0]?.start !== 0) return undefined;
  for (const name of names) {
    const last = followName(tokens, name);
    const said = text.slice(0, last?.end ?? 0);
    if (last !== undefined && /^[\p{L}\p{M}\s_.-]*$/u.test(said) && (!run || said.includes("_")))
      return { end: last.end, plain: last.gaps > 0 };
  }
  return undefined;
}

/** Goes along a name, and says where it ends and how many small words are between its own. */
function followName(
  tokens: readonly Token[],
  name: readonly Token[],
): { readonly end: number; readonly gaps: number } | undefined {
  let [at, gaps, end] = [0, 0, 0];
  for (const { stem, word } of name) {
    while (at > 0 && GAPS.has(tokens[at]?.word ?? "")) [at, gaps] = [at + 1, gaps + 1];
    const token = tokens[at];
    if (token === undefined || token.stem !== stem || token.word.length > word.length) return undefined;
    [at, end] = [at + 1, token.end];
  }
  return { end, gaps };
}

function readSentence(sentence: string): Sentence {
  let text = sentence.slice(0, LIMIT).trim();
  let polite = false;
  for (let before = ""; before !== text;) {
    before = text;
    const request = POLITE.exec(text)?.[0] ?? "";
    polite ||= request !== "";
    text = text.slice(request.length);
    text = text.slice(FILLER.exec(text)?.[0].length ?? 0);
  }
  const verb = RUN.exec(text)?.[0] ?? "";
  text = text.slice(verb.length);
  return { text, tokens: tokenise(text), polite, run: verb !== "" };
}

/** Sentences, and what follows a comma where it is a request: "it broke, please ...". */
function splitSentences(message: string): readonly string[] {
  return message
    .split(/(?<=[.!?;。！？；])\s+|\n+/u)
    .flatMap((sentence) =>
      sentence
        .split(/(?<=[,，])\s*/u)
        .reduce<readonly string[]>(
          (parts, part) =>
            parts.length === 0 || POLITE.test(part)
              ? [...parts, part]
              : [...parts.slice(0, -1), `${parts.at(-1)} ${part}`],
          [],
        ),
    )
    .filter((sentence) => sentence.trim() !== "");
}

/** The words before those that are a text. */
function toFrame(text: string): string {
  return text.slice(0, CONTENT.exec(text)?.index);
}

function hideQuotes(message: string): string {
  return message.replaceAll(QUOTED, (quoted) => "\uFFFC".repeat(quoted.length));
}

function hide(text: string, start: number, end: number): string {
  return text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
}
