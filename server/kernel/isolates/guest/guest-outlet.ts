/** The ways out of the isolate; `ask` and `tell` take JSON text. */
export interface CallOutlet {
  ask<T>(name: string, args: string): Promise<T>;
  tell(name: string, args: string): void;
  /** Sends a write that needs no answer; false where there is no room for it, so that it has to be asked for. */
  stage(name: string, args: string): boolean;
  now(): number;
  isAborted(): boolean;
  onAbort(listener: () => void): void;
}

/** Notes of one call in all, and their length together; what is over is dropped. */
const MAX_NOTES = 1_000;
const MAX_NOTE_LENGTH = 2 ** 20;

/** Writes of one call that may go without an answer, and their length together: a flood of them has to wait for the main process. */
const MAX_STAGED = 64;
const MAX_STAGED_LENGTH = 2 ** 16;

/** Counts of what one call has said without an answer. */
export interface Unanswered {
  notes: number;
  noteLength: number;
  staged: number;
  stagedLength: number;
}

/** Takes one event as JSON text. */
type Emit = (event: string) => void;

export function createUnanswered(): Unanswered {
  return { notes: 0, noteLength: 0, staged: 0, stagedLength: 0 };
}

/** Emits a note of a call. */
export function tell(said: Unanswered, id: number, name: string, args: string, emit: Emit): void {
  if (said.notes > MAX_NOTES) return;
  said.notes += 1;
  said.noteLength += args.length;
  if (said.notes > MAX_NOTES || said.noteLength > MAX_NOTE_LENGTH) {
    said.notes = MAX_NOTES + 1;
    emit(`["tell",${id},"log",{"level":"warning","message":"The call wrote too much; the rest is dropped."}]`);
  } else {
    emit(`["tell",${id},"${name}",${args}]`);
  }
}

/** Emits a write of a call; false where it has to be asked for. */
export function stage(said: Unanswered, id: number, name: string, args: string, emit: Emit): boolean {
  if (said.staged >= MAX_STAGED || said.stagedLength + args.length > MAX_STAGED_LENGTH) return false;
  said.staged += 1;
  said.stagedLength += args.length;
  emit(`["stage",${id},"${name}",${args}]`);
  return true;
}
