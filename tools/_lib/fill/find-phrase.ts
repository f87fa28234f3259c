import { isStopWord } from "../language/stop-words.ts";
import { type Token, tokenise } from "../language/tokenise.ts";
import { type Found, GONE, type Span } from "./draft.ts";
import type { Role } from "./role.ts";

/** Characters of a name, and places at which a lead is tried: a message made of leads would take for ever otherwise. */
const NAME_LIMIT = 120;
const TRIES = 8;
/** Words that end the name of a place, a person or a thing. */
const BREAKS =
  /^(?:in|on|at|for|from|to|into|by|with|without|within|about|near|around|yet|first|end|later|all|every|then|and|or|but|if|when|while|that|saying|says|please|using|be|is|are|was|will|like|as|right|there|this|next|last|during|after|before|until|till|since|between|throughout|over|every|each|should|would|could|can|do|does)$/;
const SENTENCE_END = new RegExp(
  String.raw`(?<!\b(?:St|Ste|Mt|Ft|Dr|Mr|Mrs|Ms))[.](?=\s|$)|[!?](?=\s|$)|[;:()\n${GONE}]`,
  "u",
);
const NAME = String.raw`\p{Lu}[\p{L}\p{M}'’.-]*`;
const LINK = String.raw`(?:de|da|do|dos|del|di|du|la|le|les|of|the|upon|am|van|von|der|den)`;
const RUN = new RegExp(String.raw`${NAME}(?:,?\s+(?:${LINK}\s+)*${NAME})*`, "gu");
/** Words between an order and what it is about: "look up the ...". */
const PARTICLES = /^(?:up|for|out|me|us|the|an?|my|this|following|please)$/;
const JOINT = /^\s*(?:,|&|\band\b|\bor\b)\s*$/i;
/** "A joke" is a thing, "joke" might be a name. */
const INDEFINITE = /(?<!\p{L})(?:an?|some|any|my|your)\s+$/iu;
/** Verbs that sentences begin with, and with a capital letter. */
const ORDERS =
  /^(?:add|book|calculate|check|compare|compute|convert|create|delete|draw|fetch|find|forecast|list|look|lookup|make|open|play|print|read|remind|remove|search|send|set|start|stop|translate|update|write)$/;

/** Finds the phrase behind the first lead that has one, of several named in order of preference. */
export function findLedPhrase(
  rest: string,
  leads: readonly string[],
  role: Role,
  others: readonly string[],
): Found | undefined {
  const found = leads.flatMap((lead) => findAfter(rest, lead, role, others));
  if (role !== "place" && role !== "person") return found[0];
  const names = found.filter(({ value }) => /\p{L}/u.test(String(value)));
  return names.find(({ value }) => /^\p{Lu}/u.test(String(value))) ?? names[0];
}

/** A run of words with capital letters, which in English is a name unless it only begins the sentence. */
export function findNames(rest: string, known: ReadonlySet<string>): Found[] {
  return Array.from(rest.matchAll(RUN), ({ 0: run, index }) => {
    const tokens = tokenise(run);
    const first = tokens.findIndex(({ word, stem }) => !isStopWord(word) && !known.has(stem) && !ORDERS.test(word));
    const last = tokens.findLastIndex(({ word, stem }) => !isStopWord(word) && !known.has(stem));
    const [from, to] = [tokens[first], tokens[last]];
    return from && to && from.start <= to.start ? toFound(rest, index + from.start, index + to.end) : [];
  }).flat();
}

function findAfter(rest: string, lead: string, role: Role, others: readonly string[]): Found[] {
  const speech = role === "content" ? String.raw`(?:(?:that|saying|says)\s+)?` : "";
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])${RegExp.escape(lead)}\s+${speech}`, "giu");
  const places = rest.matchAll(pattern).take(TRIES);
  return Array.from(places, ({ 0: words, index }) => readPhrase(rest, index + words.length, role, others) ?? []).flat();
}

function readPhrase(rest: string, start: number, role: Role, others: readonly string[]): Found | undefined {
  const stop = SENTENCE_END.exec(rest.slice(start));
  const named = role === "place" || role === "person" || role === "other";
  const limit = named ? start + NAME_LIMIT : rest.length;
  const clause = rest.slice(start, Math.min(limit, stop ? start + stop.index : rest.length));
  const tokens = tokenise(clause);
  const end = tokens.findIndex((token, index) => {
    if (others.includes(token.word)) return true;
    return named && (BREAKS.test(token.word) || isAside(clause, tokens, index));
  });
  const kept = end < 0 ? tokens : tokens.slice(0, end);
  return toPhrase(rest, start, kept, named);
}

/** Checks that the text behind a comma is not the rest of a name: "Paris, France" but "Paris, will it rain". */
function isAside(clause: string, tokens: readonly Token[], index: number): boolean {
  const [before, token] = [tokens[index - 1], tokens[index]];
  if (!before || !token || !clause.slice(before.end, token.start).includes(",")) return false;
  const following = tokens.slice(index);
  return !/^\p{Lu}/u.test(token.text) && (following.length > 2 || following.some(({ word }) => isStopWord(word)));
}

/** The words without articles before and fillers behind; for a name in lower case "the" is no part of it. */
function toPhrase(rest: string, start: number, tokens: readonly Token[], named: boolean): Found | undefined {
  const first = named ? tokens.findIndex(({ text, word }) => !isStopWord(word) || /^\p{Lu}/u.test(text)) : 0;
  const last = tokens.findLastIndex(({ word }) => !isStopWord(word));
  const [from, to] = [tokens[first], tokens[last]];
  if (!from || !to || to.start < from.start) return undefined;
  return toFound(rest, start + from.start, start + to.end);
}

export function toFound(rest: string, start: number, end: number): Found {
  return { start, end, value: rest.slice(start, end) };
}

/** Words of everyday sentences that name no place and no person. */
const PLAIN = new Set(
  `take bring wear pack dress expect expected likely possible probably maybe actually exactly currently still yet again soon later long far ahead
   early late within nice good bad better worse best fine okay place home house area data info information anything something nothing anybody somebody
   everything thing things lot kind sort time times joke song story news feel feels go goes going come comes make makes work bike walk run
   today tomorrow tonight`.split(/\s+/),
);

/** The longest stretch of words that say something and are not about the tool itself. */
export function findLeftover(rest: string, known: ReadonlySet<string>, isName = false): Found | undefined {
  let best: Span | undefined;
  let run: Span | undefined;
  for (const token of tokenise(rest)) {
    if (!isTelling(token, known) || (isName && isPlain(token)) || INDEFINITE.test(rest.slice(0, token.start)))
      run = undefined;
    else if (run && !/[^\s,.'’-]/.test(rest.slice(run.end, token.start))) run = { start: run.start, end: token.end };
    else run = token;
    // Of "paris and london" the first; the other is told apart later.
    if (run && best && run.start !== best.start && JOINT.test(rest.slice(best.end, run.start))) run = undefined;
    if (run && (!best || run.end - run.start > best.end - best.start)) best = run;
  }
  return best && toFound(rest, best.start, best.end);
}

/** Finds the text between the words about the tool that a message begins and ends with: "translate hello world". */
export function findRemainder(rest: string, known: ReadonlySet<string>): Found | undefined {
  const tokens = tokenise(rest);
  const body = tokens.findIndex((token) => isTelling(token, known));
  if (body < 0) return undefined;
  const about = tokens.slice(0, body).findLastIndex(({ word, stem }) => known.has(stem) || ORDERS.test(word));
  const begin = about < 0 ? body : about + 1;
  const first = tokens.slice(begin).find(({ word }) => !PARTICLES.test(word));
  const gone = first ? rest.indexOf(GONE, first.start) : -1;
  const last = tokens.findLast(
    ({ word, stem, end }) => (gone < 0 || end <= gone) && !isStopWord(word) && !known.has(stem),
  );
  return first && last && last.end > first.start ? toFound(rest, first.start, last.end) : undefined;
}

function isPlain({ text, word }: Token): boolean {
  return !/\p{L}/u.test(text) || (PLAIN.has(word) && !/^\p{Lu}/u.test(text));
}

function isTelling({ word, stem }: Token, known: ReadonlySet<string>): boolean {
  return !isStopWord(word) && !known.has(stem) && !ORDERS.test(word);
}
