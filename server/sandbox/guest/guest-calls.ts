import type { Context } from "../../host-api.ts";
import type { SyscallName } from "../syscall-kinds.ts";
import { type CallFacts, createContext } from "./guest-context.ts";
import { createAnswered, toFailure, toUnwritable } from "./guest-errors.ts";
import { isLonger } from "./guest-json.ts";

/** Requests of one call that may wait for their answer at once, and the length of their arguments together. */
const MAX_WAITING = 256;
const MAX_WAITING_LENGTH = 2 ** 23;
/** Notes of one call in all, and their length together; what is over is dropped. */
const MAX_NOTES = 1_000;
const MAX_NOTE_LENGTH = 2 ** 20;

/** What leaves the isolate when control does: events, each after a comma. Has no prototype that could be tampered with. */
export interface Outbox {
  events: string;
}

export interface Calls {
  start(id: number, handler: unknown, input: unknown, facts: StartFacts): void;
  answer(id: number, syscall: number, value: unknown): void;
  refuse(id: number, syscall: number, name: string, message: string): void;
  forget(id: number): void;
}

export interface StartFacts extends CallFacts {
  /** Bytes of the result, as JSON. */
  readonly payload: number;
}

interface Call {
  readonly id: number;
  readonly payload: number;
  readonly waiting: Record<number, Waiting>;
  live: boolean;
  asked: number;
  waitingCount: number;
  waitingLength: number;
  notes: number;
  noteLength: number;
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly length: number;
}

/**
 * The calls that run in this isolate. `emit` takes one event as JSON text; `now` is the time of the present entry.
 *
 * Arrays are walked by index and records have no prototype: a handler may have replaced what `Array.prototype` does.
 */
export function createCalls(emit: (event: string) => void, now: () => number): Calls {
  const calls: Record<number, Call> = Object.create(null);

  function ask<T>(call: Call, name: SyscallName, args: string): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (!call.live) throw new Error(`\`ctx\` of a call that is over cannot be used for \`${name}\`.`);
      if (call.waitingCount >= MAX_WAITING || call.waitingLength + args.length > MAX_WAITING_LENGTH) {
        throw new RangeError(
          `At most ${MAX_WAITING} requests with arguments of ${MAX_WAITING_LENGTH} characters may wait at once: await some.`,
        );
      }
      call.asked += 1;
      call.waitingCount += 1;
      call.waitingLength += args.length;
      call.waiting[call.asked] = { resolve, reject, length: args.length };
      emit(`["ask",${call.id},${call.asked},"${name}",${args}]`);
    });
  }

  function tell(call: Call, name: SyscallName, args: string): void {
    if (!call.live || call.notes > MAX_NOTES) return;
    call.notes += 1;
    call.noteLength += args.length;
    if (call.notes > MAX_NOTES || call.noteLength > MAX_NOTE_LENGTH) {
      call.notes = MAX_NOTES + 1;
      emit(`["tell",${call.id},"log",{"level":"warning","message":"The call wrote too much; the rest is dropped."}]`);
    } else {
      emit(`["tell",${call.id},"${name}",${args}]`);
    }
  }

  function end(call: Call, event: string): void {
    if (!call.live) return;
    forget(call.id);
    emit(event);
  }

  function forget(id: number): void {
    const call = calls[id];
    if (call === undefined) return;
    call.live = false;
    delete calls[id];
  }

  function take(id: number, syscall: number): Waiting | undefined {
    const call = calls[id];
    const waiting = call?.waiting[syscall];
    if (call === undefined || waiting === undefined) return undefined;
    delete call.waiting[syscall];
    call.waitingCount -= 1;
    call.waitingLength -= waiting.length;
    return waiting;
  }

  return {
    start(id, handler, input, facts) {
      const waiting: Record<number, Waiting> = Object.create(null);
      const counts = { live: true, asked: 0, waitingCount: 0, waitingLength: 0, notes: 0, noteLength: 0 };
      const call: Call = { id, payload: facts.payload, waiting, ...counts };
      calls[id] = call;
      const context = createContext(facts, {
        ask: (name, args) => ask(call, name, args),
        tell: (name, args) => tell(call, name, args),
        now,
      });
      void run(handler, input, context).then(
        (result) => end(call, toDone(call, result)),
        (error: unknown) => end(call, `["fail",${call.id},${toFailure(error)}]`),
      );
    },
    answer: (id, syscall, value) => take(id, syscall)?.resolve(value as never),
    refuse: (id, syscall, name, message) => take(id, syscall)?.reject(createAnswered(syscall, name, message)),
    forget,
  };
}

async function run(handler: unknown, input: unknown, context: Context): Promise<unknown> {
  if (typeof handler !== "function") throw new TypeError("The tool's module has no function as its default export.");
  return handler(input, context);
}

function toDone(call: Call, result: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(result);
  } catch (error) {
    return `["fail",${call.id},${toUnwritable(error)}]`;
  }
  if (text === undefined) return `["done",${call.id}]`;
  return isLonger(text, call.payload) ? `["fail",${call.id},"large"]` : `["done",${call.id},${text}]`;
}
