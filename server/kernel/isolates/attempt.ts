import { CairnError } from "../../errors.ts";
import type { Json } from "../../store/store.ts";
import type { Run } from "./run.ts";
import type { Returned } from "./sandbox.ts";
import type { GuestEvent, Said } from "./wire.ts";

/** Requests of a call that may wait for their answers; the isolate refuses more, so more is a lie. */
const MAX_ASKED = 256;
/** Errors of syscalls that are remembered for a call, in case its handler passes one on. */
const MAX_ANSWERED = 100;

/** One try of a run, in one isolate. */
export interface Attempt {
  readonly id: number;
  readonly run: Run;
  /** True once anything of it was sent. */
  started: boolean;
  /** Its requests; most attempts make none. */
  syscalls: Syscalls | undefined;
  /** Settles once its writes without an answer are staged; absent: it made none. */
  staging: Promise<unknown> | undefined;
}

export interface Syscalls {
  /** Requests that wait for their answers. */
  readonly asked: Set<number>;
  /** Errors that requests were answered with, in case the handler passes one on. */
  readonly answered: Map<number, CairnError>;
}

/** Notes that an attempt makes a request. @throws INTERNAL_ERROR for more at once than an honest isolate makes. */
export function noteAsked(attempt: Attempt, syscall: number): Syscalls {
  const syscalls = (attempt.syscalls ??= { asked: new Set(), answered: new Map() });
  if (syscalls.asked.size >= MAX_ASKED) throw new CairnError("INTERNAL_ERROR", "An isolate asks for too much.");
  syscalls.asked.add(syscall);
  return syscalls;
}

/** Carries out a request. Resolves with the text of the item that answers it; an error is put into `answered`. */
export async function carryOut(
  { id, run }: Attempt,
  { answered }: Syscalls,
  { syscall, name, args }: GuestEvent & { readonly kind: "ask" },
): Promise<string> {
  try {
    const value = await run.call.syscall(name, args);
    return withTime(id, run, value === undefined ? ["answer", id, syscall] : ["answer", id, syscall, value]);
  } catch (cause) {
    const error = toCairnError(name, cause);
    if (answered.size >= MAX_ANSWERED) answered.delete(Math.min(...answered.keys()));
    answered.set(syscall, error);
    // A handler may pass on to its caller all that it gets.
    const message = error.row.exposed ? error.message : error.row.meaning;
    return withTime(id, run, ["refuse", id, syscall, error.name, message]);
  }
}

/** The text of an item, after one that sets the call's own clock, where it has one. */
function withTime(id: number, { call: { clock } }: Run, item: Json): string {
  const text = JSON.stringify(item);
  return clock === undefined ? text : `["time",${id},${clock()}],${text}`;
}

/** Carries out a note. Nobody waits for it, so its failure is nobody's. */
export async function carryOutNote({ run }: Attempt, { name, args }: Said<"tell">) {
  await Promise.try(() => run.call.syscall(name, args)).catch(() => undefined);
}

/** Carries out a write that its handler does not wait for: where it fails, so does the call. */
export function stage(attempt: Attempt, { name, args }: Said<"stage">): void {
  const { run } = attempt;
  const staged = Promise.try(() => run.call.syscall(name, args)).catch((error) =>
    run.reject(toCairnError(name, error)),
  );
  attempt.staging = attempt.staging === undefined ? staged : Promise.all([attempt.staging, staged]);
}

/** Ends the run well, once what it staged is: a write that is refused comes first. */
export function finish({ run, staging }: Attempt, value: Returned): void {
  if (staging === undefined) run.resolve(value);
  else void staging.then(() => run.resolve(value));
}

function toCairnError(name: string, cause: unknown): CairnError {
  return cause instanceof CairnError ? cause : new CairnError("INTERNAL_ERROR", `\`${name}\` failed.`, { cause });
}
