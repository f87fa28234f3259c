import { EMPTY, type Pattern, type Range } from "./read-pattern.ts";

/** States of an automaton, beyond which a pattern is not looked into. */
const STATE_LIMIT = 1_500;

/**
 * A non-deterministic automaton of the texts in which a pattern is found, as validators search it: anywhere between two
 * ends. State 0 is the first, state 1 the last, and both take any character.
 */
export interface Automaton {
  readonly moves: readonly (readonly Move[])[];
  /** Steps that take no character: always, only at the start of the text, only at its end. */
  readonly always: readonly (readonly number[])[];
  readonly atStart: readonly (readonly number[])[];
  readonly atEnd: readonly (readonly number[])[];
  /** States from which the last can still be reached behind the start of the text. */
  readonly alive: readonly boolean[];
}

interface Move {
  readonly ranges: readonly Range[];
  readonly to: number;
}

const ANY: readonly Range[] = [[0, 0x10ffff]];

/** Creates the automaton of a pattern; undefined where that has too many states. */
export function toAutomaton(pattern: Pattern): Automaton | undefined {
  const moves: Move[][] = [[{ ranges: ANY, to: 0 }], [{ ranges: ANY, to: 1 }]];
  const [always, atStart, atEnd]: [number[][], number[][], number[][]] = [
    [[], []],
    [[], []],
    [[], []],
  ];
  if (!add(pattern, 0, 1)) return undefined;
  return { moves, always, atStart, atEnd, alive: findAlive(moves, [always, atEnd]) };

  function addState(): number {
    for (const lists of [moves, always, atStart, atEnd]) lists.push([]);
    return moves.length - 1;
  }

  /** Adds what leads from one state to another by the pattern. */
  function add(part: Pattern, from: number, to: number): boolean {
    if (moves.length > STATE_LIMIT) return false;
    switch (part.kind) {
      case "set":
        moves[from]?.push({ ranges: part.ranges, to });
        return true;
      case "start":
        atStart[from]?.push(to);
        return true;
      case "end":
        atEnd[from]?.push(to);
        return true;
      case "choice":
        return part.parts.every((branch) => addApart(branch, from, to));
      case "sequence":
        return addSequence(part.parts, from, to);
      case "repeat":
        return addRepeat(part.part, part.min, part.max, from, to);
    }
  }

  /** With states of its own at both ends, so that a loop in it leads nowhere else. */
  function addApart(part: Pattern, from: number, to: number): boolean {
    const [first, last] = [addState(), addState()];
    always[from]?.push(first);
    always[last]?.push(to);
    return add(part, first, last);
  }

  function addSequence(parts: readonly Pattern[], from: number, to: number): boolean {
    let at = from;
    for (const part of parts) {
      const next = addState();
      if (!add(part, at, next)) return false;
      at = next;
    }
    always[at]?.push(to);
    return true;
  }

  function addRepeat(part: Pattern, min: number, max: number, from: number, to: number): boolean {
    let at = from;
    for (let count = 0; count < min; count++) {
      const next = addState();
      if (!addApart(part, at, next)) return false;
      at = next;
    }
    always[at]?.push(to);
    if (max === Infinity) {
      const loop = addState();
      always[at]?.push(loop);
      always[loop]?.push(to);
      return addApart(part, loop, loop);
    }
    for (let count = min; count < max; count++) {
      const next = addState();
      if (!addApart(part, at, next)) return false;
      always[next]?.push(to);
      at = next;
    }
    return add(EMPTY, at, to);
  }
}

function findAlive(
  moves: readonly (readonly Move[])[],
  jumps: readonly (readonly (readonly number[])[])[],
): readonly boolean[] {
  const before = moves.map((): number[] => []);
  for (const [from, list] of moves.entries()) {
    for (const { to } of list) before[to]?.push(from);
    for (const jump of jumps) for (const to of jump[from] ?? []) before[to]?.push(from);
  }
  const alive = moves.map(() => false);
  const todo = [1];
  for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
    if (alive[state] === true) continue;
    alive[state] = true;
    todo.push(...(before[state] ?? []));
  }
  return alive;
}
