import { CairnError } from "../errors.ts";
import type { Run } from "./run.ts";

/** Requests of a call that may wait for their answers; the isolate refuses more, so more is a lie. */
const MAX_ASKED = 256;

/** One try of a run, in one isolate. */
export interface Attempt {
  readonly id: number;
  readonly run: Run;
  /** Whether anything of it was sent. */
  started: boolean;
  /** What it asked for; most attempts ask for nothing. */
  syscalls: Syscalls | undefined;
}

export interface Syscalls {
  /** Requests that wait for their answers. */
  readonly asked: Set<number>;
  /** Errors that requests were answered with, in case the handler passes one on. */
  readonly answered: Map<number, CairnError>;
}

export function syscallsOf(attempt: Attempt): Syscalls {
  return (attempt.syscalls ??= { asked: new Set(), answered: new Map() });
}

/** Something that waits to enter an isolate. */
export interface Item {
  /** Whose it is, if it is anybody's: it leaves with them. */
  readonly attempt?: Attempt;
  /** Milliseconds that its entry may take. */
  readonly cpu: number;
  readonly text: string;
}

export function assertMayAsk({ syscalls }: Attempt): void {
  if (syscalls !== undefined && syscalls.asked.size >= MAX_ASKED) {
    throw new CairnError("INTERNAL_ERROR", "An isolate asks for too much.");
  }
}
