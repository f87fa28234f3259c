import { CairnError } from "../../errors.ts";
import { isObject } from "../../is-object.ts";
import type { Json } from "../../store/store.ts";
import type { Ground } from "../planner.ts";
import { isPolite, trimSentence } from "./politeness.ts";
import type { Block, Deed, Phrase, Said } from "./phrase.ts";
import { readData, readJson } from "./read-literal.ts";
import { findLiterals, type Literals } from "./literals.ts";
import type { Segment } from "./split-message.ts";

/** What a segment of a message comes to. */
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

/** Signs of a clause, with those in the places of quoted texts: no pattern sees more. */
const CLAUSE = 400;
const SENTENCE = 2_000;
const CLAUSES = 12;
const CONNECTED = /(,? and then |,? then |,? and also |, and | and |, )/;
const VERB = /^(\w+) /;

export function understand(reader: Reader, segment: Segment, literals: Literals): Understood {
  const { text, block } = segment;
  if (text === "") return block === undefined ? { kind: "polite" } : understandBlock(reader, block);
  if (text.length > SENTENCE) return unknown(text, literals);
  const literal = literals.find(text);
  if (literal !== undefined && block === undefined && typeof literal.value === "object") {
    return understandBlock(reader, { language: "json", text: literal.source });
  }
  const core = trimSentence(text);
  const whole = understandSentence(reader, core, literals, block);
  if (whole !== undefined || block === undefined) return whole ?? unknown(text, literals);
  if (describes(text, block)) {
    const below = understandBlock(reader, block);
    const said = core.replace(/[:.\s]+$/, "");
    if (below.kind === "deeds") return { kind: "deeds", deeds: [describe(`${said}.`, below.deeds)] };
  }
  // The sentence may have nothing to do with what stands below it.
  const parts = [
    understandSentence(reader, core, literals, undefined) ?? unknown(text, literals),
    understandBlock(reader, block),
  ];
  return combine(parts);
}

/** Words that may take back what stands below them, or ask about it. */
const DOUBT =
  /[?]|n['\u2019]t\b|\b(?:not|no|never|nor|neither|without|wrong|bad|broken|instead|reject|avoid|undo|revert|why|what|how|if|unless|except|but|only|also)\b/i;

/** Whether words above a diff say what it is for, and nothing else that would have to be done. */
function describes(text: string, { language, text: below }: Block): boolean {
  const isDiff = /^(?:diff|patch)$/.test(language) || /^(?:diff --git |--- )/.test(below);
  return isDiff && !DOUBT.test(text);
}

/** Says of deeds what the sender says of them, instead of what they would say of themselves. */
function describe(text: string, deeds: readonly Deed[]): Deed {
  return async (bench) => {
    bench.say(text);
    const quiet = { ...bench, say: () => undefined };
    for (const deed of deeds) await deed(quiet);
  };
}

/** A block by itself: whatever a phrase makes of a block without words, or a list of directives. */
export function understandBlock(reader: Reader, block: Block): Understood {
  const direct = attempt(reader, "", noLiterals, block);
  if (direct !== undefined) return direct;
  const data = ["", "json", "yaml", "yml"].includes(block.language) ? readData(block.text) : undefined;
  const list: readonly Json[] = Array.isArray(data) ? data : data === undefined ? [] : [data];
  if (list.length > 0 && list.every((item) => isObject(item) || typeof item === "string")) {
    return combine(list.map((item) => understandItem(reader, item)));
  }
  return { kind: "unknown", rest: block.text, isPart: false };
}

/** A mapping is the sentence that its keys and values make in their order. */
function understandItem(reader: Reader, item: Json): Understood {
  if (typeof item === "string") {
    const { texts, literals } = findLiterals([item]);
    return understand(reader, { text: texts[0] ?? "" }, literals);
  }
  const members = isObject(item) ? Object.entries(item) : [];
  const asValues = members.flatMap(([key, value]) => [key.replaceAll("_", " "), JSON.stringify(value)]);
  const asWords = members.flatMap(([key, value]) => [
    key.replaceAll("_", " "),
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  for (const words of [asValues, asWords]) {
    const { texts, literals } = findLiterals([words.join(" ")]);
    const found = understandSentence(reader, texts[0] ?? "", literals, undefined);
    if (found !== undefined) return found;
  }
  return { kind: "unknown", rest: JSON.stringify(item), isPart: false };
}

/** Undefined: nothing of it is understood. */
function understandSentence(
  reader: Reader,
  text: string,
  literals: Literals,
  block: Block | undefined,
): Understood | undefined {
  if (isPolite(text)) return block === undefined ? { kind: "polite" } : undefined;
  const whole = attempt(reader, text, literals, block);
  if (whole?.kind === "deeds") return whole;
  const pieces = text.split(CONNECTED);
  if (pieces.length === 1 || pieces.length > 2 * CLAUSES) return whole;
  return understandClauses(reader, pieces, literals, block) ?? whole;
}

/** The longest clauses that are understood, one after the other; a verb holds on: "set a to 1 and b to 2". */
function understandClauses(
  reader: Reader,
  pieces: readonly string[],
  literals: Literals,
  block: Block | undefined,
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
        const found = isPolite(form) ? polite : attempt(reader, form, literals, isLast ? block : undefined);
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

function attempt(
  { ground, phrases, attachments }: Reader,
  text: string,
  literals: Literals,
  block: Block | undefined,
): Understood | undefined {
  if (text.length > CLAUSE) return undefined;
  let refused: Understood | undefined;
  for (const { pattern, read } of phrases) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const group = (name: string) => match.groups?.[name] ?? "";
    const said: Said = {
      ground,
      attachments,
      ...(block === undefined ? {} : { block }),
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

function toName(text: string, literals: Literals): string {
  const words = text.replaceAll(/\uE000\d+\uE001/g, (sign) => String(literals.find(sign)?.value ?? ""));
  return words
    .trim()
    .replace(/^(?:the|a|an|its|our|my|your|this|that) /i, "")
    .replace(/(?:'s|’s)$/, "");
}

function toValue(text: string, literals: Literals): Json | undefined {
  const word = text.trim();
  const literal = literals.find(word);
  // In backquotes stands what is meant to the letter, whatever it is.
  if (literal !== undefined) return literal.source.startsWith("`") ? bare(String(literal.value)) : literal.value;
  return /^[^\s\uE000\uE001]+$/.test(word) ? bare(word) : undefined;
}

function bare(word: string): Json {
  const number = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i.test(word) ? Number(word) : Number.NaN;
  if (Number.isFinite(number)) return number;
  if (word === "true" || word === "false" || word === "null") return readJson(word) ?? null;
  return word;
}

function toValues(text: string, literals: Literals): readonly Json[] | undefined {
  const words = text.split(/,? and |,? or |, /).map((word) => toValue(word, literals));
  return words.every((value) => value !== undefined) ? words : undefined;
}
