import { toAlphabet, type Alphabet } from "./alphabet.ts";
import { type Automaton, toAutomaton } from "./automaton.ts";
import { readPattern } from "./read-pattern.ts";

/** Moves of automata looked at for one question, and for all that one comparison asks. */
const QUESTION_LIMIT = 50_000;
const MOVE_LIMIT = 250_000;
/** Lengths that are counted. */
const LENGTH_LIMIT = 300;

/** Texts that meet all of these. A length is a number of characters. */
export interface Texts {
  readonly patterns: readonly string[];
  /** Patterns that they do not match. */
  readonly not?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Condition of texts: a pattern, or least and largest length. */
export type TextRule = string | { readonly min: number; readonly max: number };

/** Answers about sets of texts, within a limit for all together. */
export interface Languages {
  /**
   * Finds a text of the set that breaks the rule, or without a rule any text. Null: there certainly is none. Undefined:
   * not decided. A text that is found is a guess where patterns are not looked into completely.
   */
  readonly find: (texts: Texts, rule?: TextRule) => string | null | undefined;
}

export function createLanguages(): Languages {
  const automata = new Map<string, Readable | undefined>();
  const answers = new Map<string, string | null | undefined>();
  let left = MOVE_LIMIT;
  return {
    find(texts, rule) {
      const key = JSON.stringify([texts, rule]);
      if (!answers.has(key)) answers.set(key, decide(texts, rule));
      return answers.get(key);
    },
  };

  function decide({ patterns, not = [], minLength = 0, maxLength = Infinity }: Texts, rule: TextRule | undefined) {
    const outer = typeof rule === "string" ? read(rule) : undefined;
    if (typeof rule === "string" && outer?.isExact !== true) return undefined;
    const own = patterns.flatMap((pattern) => read(pattern) ?? []);
    const opposite = not.flatMap((pattern) => read(pattern) ?? []).filter(({ isExact }) => isExact);
    const lengths = typeof rule === "object" ? rule : undefined;
    const numbers = [lengths?.min ?? 0, lengths?.max ?? 0].filter(Number.isFinite);
    if (left <= 0 || numbers.some((each) => each > LENGTH_LIMIT)) return undefined;
    const budget = { left: Math.min(left, QUESTION_LIMIT) };
    const before = budget.left;
    const found = search(
      {
        own: own.map(({ automaton }) => automaton),
        opposite: [...opposite.map(({ automaton }) => automaton), ...(outer === undefined ? [] : [outer.automaton])],
        // Where a length is too large to be counted, more texts are looked at than there are.
        min: minLength > LENGTH_LIMIT ? 0 : minLength,
        max: maxLength > LENGTH_LIMIT ? Infinity : maxLength,
        breaks: lengths,
      },
      budget,
    );
    left -= before - budget.left;
    return found;
  }

  function read(source: string): Readable | undefined {
    if (automata.has(source)) return automata.get(source);
    const pattern = readPattern(source);
    const automaton = pattern && toAutomaton(pattern.tree);
    const readable = pattern && automaton && { automaton, isExact: pattern.isExact };
    automata.set(source, readable);
    return readable;
  }
}

interface Readable {
  readonly automaton: Automaton;
  readonly isExact: boolean;
}

interface Budget {
  left: number;
}

interface Question {
  readonly own: readonly Automaton[];
  readonly opposite: readonly Automaton[];
  readonly min: number;
  readonly max: number;
  readonly breaks: { readonly min: number; readonly max: number } | undefined;
}

/** Sets of states that were met, one for each automaton, and the way to them. */
interface Station {
  readonly sets: readonly number[];
  readonly length: number;
  readonly before: Station | undefined;
  readonly character: string;
}

/** Searches the shortest text, breadth first. */
function search({ own, opposite, min, max, breaks }: Question, budget: Budget): string | null | undefined {
  const alphabet = toAlphabet([...own, ...opposite]);
  budget.left -= alphabet.cost;
  const runs = [...own, ...opposite].map((automaton) => createRun(automaton, alphabet, budget));
  const top = Math.max(min, max === Infinity ? 0 : max + 1, breaks?.min ?? 0, toTop(breaks?.max));
  const start: Station = { sets: runs.map(() => 0), length: 0, before: undefined, character: "" };
  const seen = new Set<string>();
  const queue = [start];
  for (const station of queue) {
    budget.left -= alphabet.characters.length;
    if (budget.left <= 0) return undefined;
    const { sets, length } = station;
    const isRight = sets.every((set, index) => runs[index]?.accepts(set) === index < own.length);
    const isBroken = breaks === undefined || length < breaks.min || length > breaks.max;
    if (isRight && isBroken && length >= min && length <= max) return toText(station);
    for (const [index, character] of alphabet.characters.entries()) {
      const next = sets.map((set, which) => runs[which]?.step(set, index) ?? 0);
      const count = Math.min(length + 1, top);
      const key = `${next.join()},${count}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const isLost = next.some((set, which) =>
        which < own.length ? runs[which]?.isDead(set) : runs[which]?.isTotal(set),
      );
      if (isLost || count > max) continue;
      queue.push({ sets: next, length: count, before: station, character });
    }
  }
  return null;
}

function toTop(max: number | undefined): number {
  return max === undefined || max === Infinity ? 0 : max + 1;
}

function toText(station: Station): string {
  const characters: string[] = [];
  for (let at: Station | undefined = station; at !== undefined; at = at.before) characters.unshift(at.character);
  return characters.join("");
}

/** The automaton made deterministic as far as it is walked: sets of its states have numbers, 0 for the start of the text. */
interface Run {
  readonly step: (set: number, character: number) => number;
  readonly accepts: (set: number) => boolean;
  /** True if no text that goes on from here is accepted. */
  readonly isDead: (set: number) => boolean;
  /** True if every text that goes on from here is accepted. */
  readonly isTotal: (set: number) => boolean;
}

function createRun({ moves, always, atStart, atEnd, alive }: Automaton, alphabet: Alphabet, budget: Budget): Run {
  const sets: (readonly number[])[] = [close([0], [always, atStart])];
  const ids = new Map<string, number>();
  const steps = new Map<number, number>();
  const accepted = new Map<number, boolean>();
  return {
    step(set, character) {
      const key = set * alphabet.characters.length + character;
      const known = steps.get(key);
      if (known !== undefined) return known;
      const targets = (sets[set] ?? []).flatMap((state) =>
        (moves[state] ?? []).flatMap(({ ranges, to }) => (alphabet.has(ranges, character) ? [to] : [])),
      );
      const next = close(targets, [always]).filter((state) => alive[state] === true);
      const text = next.join();
      const id = ids.get(text) ?? sets.length;
      if (id === sets.length) sets.push(next);
      ids.set(text, id);
      steps.set(key, id);
      return id;
    },
    accepts(set) {
      const known = accepted.get(set);
      if (known !== undefined) return known;
      const isAccepted = close(sets[set] ?? [], set === 0 ? [always, atEnd, atStart] : [always, atEnd]).includes(1);
      accepted.set(set, isAccepted);
      return isAccepted;
    },
    isDead: (set) => sets[set]?.length === 0,
    isTotal: (set) => sets[set]?.includes(1) === true,
  };

  /** All states that are reached without taking a character, in order. */
  function close(states: readonly number[], jumps: readonly (readonly (readonly number[])[])[]): readonly number[] {
    const found = new Set(states);
    // A set that grows while it is walked is walked to its new end.
    for (const state of found) for (const jump of jumps) for (const to of jump[state] ?? []) found.add(to);
    budget.left -= found.size + 1;
    return [...found].sort((a, b) => a - b);
  }
}
