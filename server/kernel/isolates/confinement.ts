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

/** Something that needs a program's isolate to itself: a call, or that the program be loaded. */
export interface Occupant {
  readonly program: Program;
  /** A call that the one which has the isolate may be waiting for: it must not wait for that one's end. */
  readonly isNested: boolean;
  isOver(): boolean;
  enter(isolate: Isolate): void;
}

/**
 * Where offenders run: processes apart from everybody else's, each with one occupant at a time, so that what one does to its
 * process falls back on nobody. Offenders take turns: one whose calls wait goes to the end after each.
 */
export interface Confinement {
  /** Throws UNAVAILABLE when too many wait already. */
  add(occupant: Occupant): void;
  has(process: SandboxProcess): boolean;
  /** Nobody is in the isolate of one of its processes any more. */
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
  isolate: Isolate | undefined;
  /** Whether somebody is in it. */
  taken: boolean;
  /** Milliseconds since somebody was. */
  idle: number;
}

export function createConfinement({ start, dismiss }: ConfinementOptions): Confinement {
  const cells = new Map<SandboxProcess, Cell>();
  /** By the programs' owners, in the order in which they have their turns. */
  const queues = new Map<string, Occupant[]>();
  /** Milliseconds that owners still have to wait. */
  const resting = new Map<string, number>();

  return {
    add(occupant) {
      const owner = ownerOf(occupant.program);
      const taken = occupant.isNested ? findTaken(owner) : undefined;
      if (taken !== undefined) return join(...taken, occupant);
      const queue = (queues.get(owner) ?? []).filter((other) => !other.isOver());
      if (queue.length >= MAX_WAITING) {
        throw unavailable(
          "This version's handlers lately brought others down, so its calls run one at a time; too many wait.",
        );
      }
      queue.push(occupant);
      queues.set(owner, queue);
      serve();
    },
    has: (process) => cells.has(process),
    leave(process, isolate) {
      const cell = cells.get(process);
      if (cell?.isolate !== isolate) return process.close(isolate);
      if (isolate.isLoading()) close(process, cell);
      cell.taken = false;
      cell.idle = 0;
      serve();
    },
    lose(process, isEnded) {
      const cell = cells.get(process);
      if (cell?.isolate !== undefined) resting.set(ownerOf(cell.isolate.program), REST);
      if (isEnded) cells.delete(process);
      else if (cell !== undefined) Object.assign(cell, { isolate: undefined, taken: false, idle: 0 });
      serve();
    },
    age(milliseconds) {
      for (const [process, cell] of cells) {
        if (cell.taken) continue;
        cell.idle += milliseconds;
        if (cell.idle <= PATIENCE) continue;
        cells.delete(process);
        dismiss(process);
      }
      for (const [owner, left] of resting) {
        if (left > milliseconds) resting.set(owner, left - milliseconds);
        else resting.delete(owner);
      }
      serve();
    },
    waiting: () => queues.values().reduce((sum, queue) => sum + queue.length, 0),
  };

  function serve(): void {
    for (const [owner, queue] of queues) {
      while (queue[0]?.isOver() === true) queue.shift();
      const [first] = queue;
      if (first === undefined) queues.delete(owner);
      else if (!resting.has(owner) && findTaken(owner) === undefined) {
        const found = findFree(first.program);
        if (found === undefined) return;
        queue.shift();
        // To the end of the order.
        queues.delete(owner);
        if (queue.length > 0) queues.set(owner, queue);
        occupy(...found, first);
      }
    }
  }

  function occupy(process: SandboxProcess, cell: Cell, occupant: Occupant): void {
    if (cell.isolate?.program.key !== occupant.program.key) close(process, cell);
    const isolate = (cell.isolate ??= process.open(occupant.program));
    occupant.enter(isolate);
    cell.taken = !isolate.isIdle();
    cell.idle = 0;
  }

  function close(process: SandboxProcess, cell: Cell): void {
    if (cell.isolate !== undefined) process.close(cell.isolate);
    cell.isolate = undefined;
  }

  /** Beside the one that waits for it, and in its isolate where they have one program. */
  function join(process: SandboxProcess, { isolate }: Cell, occupant: Occupant): void {
    const { program } = occupant;
    occupant.enter(isolate?.program.key === program.key ? isolate : process.open(program));
  }

  function findTaken(owner: string): [SandboxProcess, Cell] | undefined {
    return [...cells].find(([, { taken, isolate }]) => taken && isolate && ownerOf(isolate.program) === owner);
  }

  /** The cell that has the program, one that is empty, a new one, or the one that was left longest ago. */
  function findFree({ key }: Program): [SandboxProcess, Cell] | undefined {
    const free = [...cells].filter(([, { taken }]) => !taken).sort(([, one], [, other]) => other.idle - one.idle);
    const own =
      free.find(([, { isolate }]) => isolate?.program.key === key) ?? free.find(([, { isolate }]) => !isolate);
    if (own !== undefined || cells.size >= MAX_CELLS) return own ?? free[0];
    const process = start();
    const cell: Cell = { isolate: undefined, taken: false, idle: 0 };
    cells.set(process, cell);
    return [process, cell];
  }
}
