import { CairnError } from "../../../errors.ts";
import { isObject } from "../../../json/is-object.ts";
import type { Json } from "../../../store/store.ts";
import type { Ground } from "../planner.ts";
import { findApplication } from "../../message/find-application.ts";
import { findMood, speaksForOthers, toWords } from "../../message/find-mood.ts";
import { maskQuotations, QUOTED } from "../../message/find-quotations.ts";
import { readMessage } from "../../message/read-message.ts";
import { splitFromTo, toCheckedDeed } from "./from-to.ts";
import { isPolite, trimSentence } from "./politeness.ts";
import type { Block, Deed, Phrase, Said } from "./phrase.ts";
import { readData } from "./read-literal.ts";
import { findLiterals, type Literals, toName, toValue, toValues } from "./literals.ts";

/** Meaning of a sentence or a block of a message. */
export type Understood =
  | { readonly kind: "deeds"; readonly deeds: readonly Deed[] }
  | { readonly kind: "refused"; readonly error: CairnError }
  | { readonly kind: "polite" }
  /** `isPart`: something beside the rest is understood. */
  | { readonly kind: "unknown"; readonly rest: string; readonly isPart: boolean };

export interface Reader {
  readonly ground: Ground;
  readonly phrases: readonly Phrase[];
  readonly attachments: readonly Block[];
}

/** The block next to a sentence, which may be about it. */
export interface Operand {
  readonly block: Block;
  /** True if a sentence orders to apply it; otherwise it is at most a value of the sentence. */
  readonly isApplied: boolean;
  /** True if the meaning of the sentence used it. */
  isUsed: boolean;
}

/** Signs of a clause, with those in the places of quoted texts: no pattern sees more. */
const CLAUSE = 400;
const SENTENCE = 2_000;
const CLAUSES = 12;
const CONNECTED = /(,? and then |,? then |,? and also |, and | and |, )/;
const VERB = /^(\w+) /;

/** A sentence that may be an order: what only tells something is understood where a phrase is made for it. */
export function understand(reader: Reader, text: string, operand?: Operand): Understood {
  if (text.length > SENTENCE) return { kind: "unknown", rest: text, isPart: false };
  const { text: signed, literals } = findLiterals(text);
  return understandSentence(reader, trimSentence(signed), literals, operand) ?? unknown(signed, literals);
}

/** Checks that a text may be an order of its author: some orders only describe. */
export function mayAct(text: string): boolean {
  const masked = maskQuotations(text);
  const mood = findMood(masked);
  return mood === "imperative" || (mood === "report" && !speaksForOthers(toWords(masked)));
}

/** A block by itself: a diff, a JSON Patch, a list of directives as YAML or JSON, or sentences. */
export function understandBlock(reader: Reader, block: Block): Understood {
  const direct = attempt(reader, "", noLiterals, { block, isApplied: true, isUsed: false });
  if (direct !== undefined) return direct;
  const isData = ["", "json", "yaml", "yml"].includes(block.language);
  const data = isData ? readData(block.text) : undefined;
  const list: readonly Json[] = Array.isArray(data) ? data : isObject(data) ? [data] : [];
  const items = list.every((item) => isObject(item) || typeof item === "string") ? list : [];
  const understood = combine(items.map((item) => understandItem(reader, item)));
  if (items.length > 0 && understood.kind !== "unknown") return understood;
  const told = isObject(data) ? undefined : understandText(reader, block.text);
  return told ?? (items.length > 0 ? understood : { kind: "unknown", rest: block.text, isPart: false });
}

/** Sentences in a block that is to be applied. What is quoted in it stays data, and all of the rest has to be orders. */
function understandText(reader: Reader, text: string): Understood | undefined {
  const { segments } = readMessage(text);
  const sentences = segments.filter((segment) => segment.kind === "sentence");
  if (sentences.length < segments.length || !sentences.every((sentence) => mayAct(sentence.text))) return undefined;
  return combine(sentences.map((sentence) => understand(reader, sentence.text)));
}

/** A mapping is the sentence that its keys and values make in their order. */
function understandItem(reader: Reader, item: Json): Understood {
  const rest = typeof item === "string" ? item : JSON.stringify(item);
  const members = isObject(item) ? Object.entries(item) : [];
  const asValues = members.flatMap(([key, value]) => [key.replaceAll("_", " "), JSON.stringify(value)]);
  const asWords = members.flatMap(([key, value]) => [
    key.replaceAll("_", " "),
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  for (const text of typeof item === "string" ? [item] : [asValues.join(" "), asWords.join(" ")]) {
    const { text: signed, literals } = findLiterals(text);
    const found = mayAct(text) ? understandSentence(reader, trimSentence(signed), literals, undefined) : undefined;
    if (found !== undefined) return found;
  }
  return { kind: "unknown", rest, isPart: false };
}

/** Undefined: nothing of it is understood. */
function understandSentence(
  reader: Reader,
  text: string,
  literals: Literals,
  operand: Operand | undefined,
): Understood | undefined {
  const whole = attemptOrPolite(reader, text, literals, operand);
  if (whole?.kind === "deeds" || whole?.kind === "polite") return whole;
  const pieces = text.split(CONNECTED);
  if (pieces.length === 1 || pieces.length > 2 * CLAUSES) return whole;
  return understandClauses(reader, pieces, literals, operand) ?? whole;
}

/** The longest clauses that are understood, one after the other; a verb holds on: "set a to 1 and b to 2". */
function understandClauses(
  reader: Reader,
  pieces: readonly string[],
  literals: Literals,
  operand: Operand | undefined,
): Understood | undefined {
  const known = new Map<string, Understood | undefined>();
  return from(0, undefined);

  function from(start: number, verb: string | undefined): Understood | undefined {
    if (start >= pieces.length) return { kind: "deeds", deeds: [] };
    const key = `${start} ${verb ?? ""}`;
    if (!known.has(key)) known.set(key, search(start, verb));
    return known.get(key);
  }

  function search(start: number, verb: string | undefined): Understood | undefined {
    let best: Understood | undefined;
    for (let end = pieces.length; end > start; end -= 2) {
      const clause = trimSentence(pieces.slice(start, end).join(""));
      const isLast = end >= pieces.length;
      const forms = verb === undefined ? [clause] : [clause, `${verb} ${clause}`];
      for (const form of forms) {
        const found = attemptOrPolite(reader, form, literals, isLast ? operand : undefined);
        const rest = found === undefined ? undefined : from(end + 1, VERB.exec(form)?.[1] ?? verb);
        if (found === undefined || rest === undefined) continue;
        const combined = combine([found, rest]);
        if (combined.kind === "deeds") return combined;
        best ??= combined;
      }
    }
    return best ?? (start === 0 ? undefined : unknown(pieces.slice(start).join(""), literals));
  }
}

/** Reads a sentence that may only say that a block is to be applied, which asks for nothing beyond the block. */
function attemptOrPolite(
  reader: Reader,
  text: string,
  literals: Literals,
  operand: Operand | undefined,
): Understood | undefined {
  if (isPolite(text)) return polite;
  const found = attempt(reader, text, literals, operand);
  if (found !== undefined || operand?.isApplied !== true) return found;
  return findApplication(text.replaceAll(/\uE000\d+\uE001/g, QUOTED), "imperative") === undefined ? undefined : polite;
}

function attempt(
  reader: Reader,
  text: string,
  literals: Literals,
  operand: Operand | undefined,
): Understood | undefined {
  if (text.length > CLAUSE) return undefined;
  const split = splitFromTo(text);
  const wanted = split && attemptPlain(reader, split.wanted, literals, operand);
  if (split === undefined || wanted?.kind !== "deeds") return attemptPlain(reader, text, literals, operand) ?? wanted;
  const presents = split.present.map((sentence) => attemptPlain(reader, sentence, literals, undefined));
  const present = presents.find((one) => one?.kind === "deeds");
  const from = toValue(split.from, literals) ?? literals.restore(split.from);
  return { kind: "deeds", deeds: wanted.deeds.map((deed) => toCheckedDeed(from, deed, present?.deeds[0])) };
}

function attemptPlain(
  { ground, phrases, attachments }: Reader,
  text: string,
  literals: Literals,
  operand: Operand | undefined,
): Understood | undefined {
  let refused: Understood | undefined;
  for (const { pattern, read } of phrases) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const group = (name: string) => match.groups?.[name] ?? "";
    const said: Said = {
      ground,
      attachments,
      block: () => {
        if (operand !== undefined) operand.isUsed = true;
        return operand?.block;
      },
      name: (name) => toName(group(name), literals),
      value: (name) => toValue(group(name), literals),
      values: (name) => toValues(group(name), literals),
    };
    try {
      const deed = read(said);
      if (deed !== undefined) return { kind: "deeds", deeds: [deed] };
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      refused ??= { kind: "refused", error };
    }
    if (operand !== undefined) operand.isUsed = false;
  }
  return refused;
}

/** Refusals outweigh: nothing of a message is done unless all of it can be. */
function combine(parts: readonly Understood[]): Understood {
  const refused = parts.find(({ kind }) => kind === "refused");
  if (refused !== undefined) return refused;
  const deeds = parts.flatMap((part) => (part.kind === "deeds" ? part.deeds : []));
  const rest = parts.find((part) => part.kind === "unknown");
  if (rest === undefined) return deeds.length === 0 ? polite : { kind: "deeds", deeds };
  return { ...rest, isPart: rest.isPart || deeds.length > 0 };
}

const polite: Understood = { kind: "polite" };
const noLiterals: Literals = { find: () => undefined, restore: (text) => text };

function unknown(text: string, literals: Literals): Understood {
  return { kind: "unknown", rest: literals.restore(text), isPart: false };
}
