import type { Program } from "../../versions/version.ts";
import { unavailable } from "./failures.ts";
import type { Isolate } from "./isolate.ts";
import { ownerOf } from "./offenders.ts";
import type { SandboxProcess } from "./sandbox-process.ts";

/** Processes for offenders, however many of those there are. */
const MAX_CELLS = 2;
/** Calls of one offender that may wait. */
const MAX_WAITING = 100;
/** Milliseconds for which a process is kept that nobody needs. */
const PATIENCE = 10_000;
/** Milliseconds that an offender waits after a loss: starting its next process over and over would take a processor. */
const REST = 1_000;

/** Something that needs a program's isolate to itself: a call, or the loading of the program. */
export interface Occupant {
  readonly program: Program;
  /** A call for which the one that has the isolate may be waiting: it must not wait for the end of that one. */
  readonly isNested: boolean;
  isOver(): boolean;
  enter(isolate: Isolate): void;
}

/**
 * Processes for offenders, apart from all others, each with one occupant at a time: what an occupant does to its process
 * harms nobody else. Offenders take turns: one whose calls wait goes to the end after each.
 */
export interface Confinement {
  /** Throws UNAVAILABLE when too many wait already. */
  add(occupant: Occupant): void;
  has(process: SandboxProcess): boolean;
  /** Records that an isolate has left one of its processes. */
  leave(process: SandboxProcess, isolate: Isolate): void;
  /** One of its processes is no more, or the isolate in it. */
  lose(process: SandboxProcess, isEnded: boolean): void;
  /** Lets time pass: what nobody needs is ended. */
  age(milliseconds: number): void;
  waiting(): number;
}

export interface ConfinementOptions {
  readonly start: () => SandboxProcess;
  readonly dismiss: (process: SandboxProcess) => void;
}

interface Cell {
  readonly process: SandboxProcess;
  isolate: Isolate | undefined;
  /** True while somebody is in it. */
  taken: boolean;
  /** Milliseconds since somebody was. */
  idle: number;
}

interface State extends ConfinementOptions {
  readonly cells: Map<SandboxProcess, Cell>;
  /** By the programs' owners, in the order in which they have their turns. */
  readonly queues: Map<string, Occupant[]>;
  /** Milliseconds that owners still have to wait. */
  readonly resting: Map<string, number>;
}

export function createConfinement(options: ConfinementOptions): Confinement {
  const state: State = { ...options, cells: new Map(), queues: new Map(), resting: new Map() };
  const { cells, queues } = state;
  return {
    add: (occupant) => add(state, occupant),
    has: (process) => cells.has(process),
    leave: (process, isolate) => leave(state, process, isolate),
    lose: (process, isEnded) => lose(state, process, isEnded),
    age(milliseconds) {
      endIdle(state, milliseconds);
      letRest(state, milliseconds);
      serve(state);
    },
    waiting: () => queues.values().reduce((sum, queue) => sum + queue.length, 0),
  };
}

function add(state: State, occupant: Occupant): void {
  const { queues } = state;
  const owner = ownerOf(occupant.program);
  const taken = occupant.isNested ? findTaken(state, owner) : undefined;
  if (taken !== undefined) return join(taken, occupant);
  const queue = (queues.get(owner) ?? []).filter((other) => !other.isOver());
  if (queue.length >= MAX_WAITING) {
    throw unavailable(
      "This version's handlers lately brought others down, so its calls run one at a time; too many wait.",
    );
  }
  queue.push(occupant);
  queues.set(owner, queue);
  serve(state);
}

function leave(state: State, process: SandboxProcess, isolate: Isolate): void {
  const cell = state.cells.get(process);
  if (cell?.isolate !== isolate) return process.close(isolate);
  if (isolate.isLoading()) closeIsolate(cell);
  cell.taken = false;
  cell.idle = 0;
  serve(state);
}

function lose(state: State, process: SandboxProcess, isEnded: boolean): void {
  const { cells, resting } = state;
  const cell = cells.get(process);
  if (cell?.isolate !== undefined) resting.set(ownerOf(cell.isolate.program), REST);
  if (isEnded) cells.delete(process);
  else if (cell !== undefined) Object.assign(cell, { isolate: undefined, taken: false, idle: 0 });
  serve(state);
}

/** Lets those enter whose turn it is, as long as there are cells. */
function serve(state: State): void {
  const { queues, resting } = state;
  for (const [owner, queue] of queues) {
    while (queue[0]?.isOver() === true) queue.shift();
    const [first] = queue;
    if (first === undefined) queues.delete(owner);
    else if (!resting.has(owner) && findTaken(state, owner) === undefined) {
      const cell = findFree(state, first.program);
      if (cell === undefined) return;
      queue.shift();
      // To the end of the order.
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      occupy(cell, first);
    }
  }
}

function occupy(cell: Cell, occupant: Occupant): void {
  if (cell.isolate?.program.key !== occupant.program.key) closeIsolate(cell);
  const isolate = (cell.isolate ??= cell.process.open(occupant.program));
  occupant.enter(isolate);
  cell.taken = !isolate.isIdle();
  cell.idle = 0;
}

/** Lets an occupant enter beside the one that waits for it, and into its isolate where they have one program. */
function join({ process, isolate }: Cell, occupant: Occupant): void {
  const { program } = occupant;
  occupant.enter(isolate?.program.key === program.key ? isolate : process.open(program));
}

function closeIsolate(cell: Cell): void {
  if (cell.isolate !== undefined) cell.process.close(cell.isolate);
  cell.isolate = undefined;
}

function findTaken({ cells }: State, owner: string): Cell | undefined {
  return cells.values().find(({ taken, isolate }) => taken && isolate && ownerOf(isolate.program) === owner);
}

/** The cell that has the program, one that is empty, a new one, or the one that was left longest ago. */
function findFree({ cells, start }: State, { key }: Program): Cell | undefined {
  const free = [...cells.values()].filter(({ taken }) => !taken).sort((one, other) => other.idle - one.idle);
  const own = free.find(({ isolate }) => isolate?.program.key === key) ?? free.find(({ isolate }) => !isolate);
  if (own !== undefined || cells.size >= MAX_CELLS) return own ?? free[0];
  const process = start();
  const cell: Cell = { process, isolate: undefined, taken: false, idle: 0 };
  cells.set(process, cell);
  return cell;
}

function endIdle({ cells, dismiss }: State, milliseconds: number): void {
  for (const [process, cell] of cells) {
    if (cell.taken) continue;
    cell.idle += milliseconds;
    if (cell.idle <= PATIENCE) continue;
    cells.delete(process);
    dismiss(process);
  }
}

function letRest({ resting }: State, milliseconds: number): void {
  for (const [owner, left] of resting) {
    if (left > milliseconds) resting.set(owner, left - milliseconds);
    else resting.delete(owner);
  }
}
