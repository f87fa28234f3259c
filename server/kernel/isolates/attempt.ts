import { CairnError } from "../../errors.ts";
import type { Run } from "./run.ts";

/** Requests of a call that may wait for their answers; the isolate refuses more, so more is a lie. */
const MAX_ASKED = 256;
/** Characters of the items that enter an isolate together, unless it is one item. */
const MAX_LENGTH = 2 ** 20;

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

/** Items that enter an isolate together: `text` is each after a comma. */
export interface Packed {
  readonly entering: readonly Attempt[];
  readonly left: Item[];
  readonly size: number;
  readonly text: string;
}

/**
 * Takes items from the front of `queue`, at most so many, which enter together. They have one limit, since one holds for all
 * of an entry; and a call that cannot be repeated shares its entry with none that could end it.
 */
export function pack(queue: readonly Item[], most: number): Packed {
  const [first] = queue;
  const left: Item[] = [];
  const entering: Attempt[] = [];
  let text = "";
  let size = 0;
  for (const item of queue) {
    const { attempt } = item;
    const fits = size < most && item.cpu === first?.cpu && text.length + item.text.length <= MAX_LENGTH;
    if ((!fits && item !== first) || !mayShare(entering[0], attempt)) {
      left.push(item);
      continue;
    }
    text += `,${item.text}`;
    size += 1;
    if (attempt === undefined) continue;
    attempt.started = true;
    entering.push(attempt);
  }
  return { entering, left, size, text };
}

function mayShare(first: Attempt | undefined, other: Attempt | undefined): boolean {
  if (first === undefined || other === undefined || first === other) return true;
  return !first.run.call.isFinal() && !other.run.call.isFinal();
}
