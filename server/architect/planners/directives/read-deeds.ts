import { findApplication, isScope, onlyApplies } from "../../message/find-application.ts";
import { maskQuotations } from "../../message/find-quotations.ts";
import type { Data, Segment, Sentence } from "../../message/message.ts";
import { readMessage } from "../../message/read-message.ts";
import type { Attachment, Feedback } from "../plan.ts";
import type { Ground } from "../planner.ts";
import { refuse } from "../../guard/refuse.ts";
import type { Block, Deed, Phrase } from "./phrase.ts";
import { explainsEnd } from "./politeness.ts";
import { mayAct, type Operand, type Reader, understand, understandBlock, type Understood } from "./understand.ts";

/** Deeds that a message asks for, in its order. */
export interface ReadDeeds {
  readonly deeds: readonly Deed[];
  /** Text of the message that no phrase explains; "" where they explain all of it. */
  readonly rest: string;
}

const MESSAGE = 20_000;
const SHOWN = 200;
/** Words with which a sentence may change what others say. */
const DOUBT =
  /[?]|n['\u2019]t\b|\b(?:not|no|never|nor|neither|without|wrong|bad|broken|instead|reject|avoid|undo|revert|why|what|how|if|unless|except|exceptions?|but|only|also|however|careful)\b/i;

/** Words with which a sentence that introduces something takes part of an order back. */
const EXCEPTION = /\b(?:unless|except|exceptions?|but|only|instead|however|careful|without|if)\b/i;

/** Undefined where the message says nothing of what the phrases say. Throws refusals. */
export function readDeeds(
  { message, attachments }: Feedback,
  ground: Ground,
  phrases: readonly Phrase[],
): ReadDeeds | undefined {
  const text = message.slice(0, MESSAGE).toWellFormed();
  const { segments } = readMessage(text);
  if (explainsEnd(segments.flatMap((one) => (one.kind === "sentence" ? [one.text] : [])))) return undefined;
  const reader: Reader = { ground, phrases, attachments: readAttachments(attachments) };
  const parts = understandParts(reader, segments);
  // Perhaps it is YAML from its first line to its last.
  const isForeign = parts.every(({ segment, found }) => segment.kind === "sentence" && found.kind === "unknown");
  const understood = isForeign ? [understandBlock(reader, { language: "yaml", text })] : describeDiffs(parts);
  for (const one of understood) if (one.kind === "refused") throw one.error;
  const deeds = understood.flatMap((one) => (one.kind === "deeds" ? one.deeds : []));
  const unknown = understood.filter((one) => one.kind === "unknown");
  if (deeds.length === 0 && !unknown.some(({ isPart }) => isPart)) return undefined;
  if (message.length > MESSAGE) {
    throw refuse(`The message has more than ${MESSAGE} characters.`, "Send it in parts, or attach what is long.");
  }
  return { deeds, rest: unknown[0]?.rest ?? "" };
}

/** Begins the reason why nothing is done of a message that is understood in part. */
export const PARTLY = "Only a part of the message is understood";

/** Refuses a message that is understood in part. */
export function halfUnderstood(rest: string): Error {
  const reason = `${PARTLY}; this is not: "${toLine(rest)}". Nothing of it is done.`;
  return refuse(
    reason,
    "Leave that part out, send it by itself, or say it in one of the sentences of docs/architect.md.",
  );
}

/** Meaning of a segment. */
interface Part {
  readonly segment: Segment;
  readonly found: Understood;
  /** True if a diff says all about it. */
  readonly isDiff: boolean;
}

const POLITE: Understood = { kind: "polite" };

/** Sentences first: a block that one of them takes says nothing by itself. Other data counts only where it is applied. */
function understandParts(reader: Reader, segments: readonly Segment[]): readonly Part[] {
  const taken = new Set<Segment>();
  const parts = segments.map((segment, index): Part => {
    if (segment.kind === "data") return { segment, found: POLITE, isDiff: segment.language === "diff" };
    const target = findTarget(segments, index);
    const operand = toOperand(segment, target);
    const found = understandOwn(reader, segment, target, operand, segments[index + 1]);
    if (target !== undefined && operand?.isUsed === true && found.kind !== "unknown") taken.add(target);
    return { segment, found, isDiff: operand?.isUsed === true && operand.block.language === "diff" };
  });
  return parts.map((part) => {
    const { segment } = part;
    if (segment.kind === "sentence" || !segment.isApplied || taken.has(segment)) return part;
    return { ...part, found: understandBlock(reader, toBlock(segment)) };
  });
}

function understandOwn(
  reader: Reader,
  sentence: Sentence,
  target: Data | undefined,
  operand: Operand | undefined,
  next: Segment | undefined,
): Understood {
  const { text, introduces } = sentence;
  if (introduces && !EXCEPTION.test(text)) return POLITE;
  if (introduces || !mayAct(text)) return { kind: "unknown", rest: text, isPart: false };
  if (target !== undefined && operand === undefined) {
    const reason = `It is not clear whether \`${toLine(text)}\` is about the block in line ${target.line}.`;
    const accepted =
      'Say "apply this change:" right above the only block that is meant, or "apply these changes:" above several, and nothing that takes it back.';
    return { kind: "refused", error: refuse(reason, accepted) };
  }
  const found = understand(reader, text, operand);
  const masked = maskQuotations(text);
  if (found.kind === "unknown" && (isScope(masked) || (operand?.isApplied === true && onlyApplies(masked))))
    return POLITE;
  // What it says to do stands below, in sentences.
  const isHeading = next?.kind === "sentence" && isApplication(sentence) && /:\s*$/.test(text);
  return isHeading && found.kind !== "deeds" ? POLITE : found;
}

/** The data next to a sentence that it may be about; of one that says to apply something, what that is. */
function findTarget(segments: readonly Segment[], index: number): Data | undefined {
  const next = segments[index + 1];
  const below = next?.kind === "data" && next.form !== "comment" && next.form !== "introduced" ? next : undefined;
  if (!isApplication(segments[index])) return below;
  const after = segments.slice(index + 1).find((segment) => segment.kind === "data");
  const before = segments.slice(0, index).findLast((segment) => segment.kind === "data");
  const above = segments[index - 1];
  const near = [below, above?.kind === "data" ? above : undefined, after, before];
  return near.find((data) => data?.isApplied === true) ?? below;
}

/** Undefined also where a sentence says to apply what is not clear. */
function toOperand(sentence: Sentence, target: Data | undefined): Operand | undefined {
  if (target === undefined) return undefined;
  const isApplied = isApplication(sentence);
  return isApplied && !target.isApplied ? undefined : { block: toBlock(target), isApplied, isUsed: false };
}

function isApplication(segment: Segment | undefined): boolean {
  return (
    segment?.kind === "sentence" &&
    ["order", "wish"].includes(findApplication(maskQuotations(segment.text), segment.mood)?.kind ?? "")
  );
}

function toBlock({ language, text }: Data): Block {
  return { language, text };
}

/** Describes diffs by the sentences beside them, in place of their own descriptions. */
function describeDiffs(parts: readonly Part[]): readonly Understood[] {
  const acting = parts.flatMap(({ found, isDiff }) => (found.kind === "deeds" ? [{ deeds: found.deeds, isDiff }] : []));
  const tells = ({ segment, found }: Part) =>
    found.kind === "unknown" && segment.kind === "sentence" && segment.mood === "report" && !DOUBT.test(segment.text);
  const told = parts.filter(tells).flatMap(({ found }) => (found.kind === "unknown" ? [toLine(found.rest)] : []));
  if (told.length === 0 || acting.length === 0 || !acting.every(({ isDiff }) => isDiff)) {
    return parts.map(({ found }) => found);
  }
  const others = parts.filter((part) => part.found.kind !== "deeds" && !tells(part)).map(({ found }) => found);
  const deed: Deed = async (bench) => {
    for (const line of told) bench.say(line);
    const quiet = { ...bench, say: () => undefined };
    for (const one of acting.flatMap(({ deeds }) => deeds)) await one(quiet);
  };
  return [...others, { kind: "deeds", deeds: [deed] }];
}

/** On one line, and not too long to be shown. */
function toLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…`.toWellFormed() : line;
}

/** Reads attachments as blocks of text. */
function readAttachments(attachments: readonly Attachment[]): readonly Block[] {
  return attachments.map(({ uri, mediaType, text }) => ({ language: toLanguage(uri, mediaType, text), text }));
}

function toLanguage(uri: string, mediaType: string, text: string): string {
  if (/^\s*(?:diff --git a\/|--- (?:a\/|\/dev\/null))/.test(text)) return "diff";
  if (/^\s*[[{]/.test(text) || /json/.test(mediaType) || uri.endsWith(".json")) return "json";
  if (/yaml/.test(mediaType) || /\.ya?ml$/.test(uri)) return "yaml";
  return /diff|patch/.test(mediaType) || /\.(?:diff|patch)$/.test(uri) ? "diff" : "text";
}
