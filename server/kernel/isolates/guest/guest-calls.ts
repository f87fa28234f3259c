import type { Context } from "../../../host-api.ts";
import type { ToolFacts } from "../sandbox.ts";
import { type CallFacts, createContext } from "./guest-context.ts";
import { type Asked, createAborted, createAnswered, noteAsked, toFailure, toUnwritable } from "./guest-errors.ts";
import { isLonger } from "./guest-json.ts";
import { type CallOutlet, createUnanswered, stage, tell, type Unanswered } from "./guest-outlet.ts";
import { findReply } from "./guest-reply.ts";

/** Requests of one call that may wait for their answer at once, and the length of their arguments together. */
const MAX_WAITING = 256;
const MAX_WAITING_LENGTH = 2 ** 23;
/** Requests of a call after which it has to ask for its writes: with what so many read, writes could touch too many keys, and an answer says so. */
const MAX_ASKED_BEFORE = 8;

/** Calls at once; their ids, divided by it, leave their places. The main process counts the same way. */
const PLACES = 2 ** 16;

/** Events that leave the isolate when control does, each after a comma. Has no prototype that could be tampered with. */
export interface Outbox {
  events: string;
}

export interface Calls {
  /** `payload` is the bytes that a result may have as JSON. */
  declare(tool: number, handler: unknown, facts: ToolFacts, payload: number): void;
  /** `time` begins a clock of the call's own, in milliseconds since 1970; absent: it sees that of each entry. */
  start(id: number, tool: number, input: unknown, facts: CallFacts, time?: number): void;
  setTime(id: number, time: number): void;
  answer(id: number, syscall: number, value: unknown): void;
  refuse(id: number, syscall: number, name: string, message: string): void;
  /** Aborts a call that no caller waits for: its waits fail, and it can ask for nothing. */
  abort(id: number): void;
  /** `ctx` of the call that the last item was for; undefined before any. */
  current(): Context | undefined;
}

interface Tool {
  readonly handler: unknown;
  readonly facts: ToolFacts;
  readonly payload: number;
}

interface Call {
  readonly id: number;
  readonly payload: number;
  /** Made when there is something to wait for, as most calls wait for nothing. */
  waiting: Record<number, Waiting> | undefined;
  onAbort: (() => void)[] | undefined;
  live: boolean;
  aborted: boolean;
  asked: number;
  waitingCount: number;
  waitingLength: number;
  /** Made when it first says something without an answer. */
  unanswered: Unanswered | undefined;
  context: Context | undefined;
  time: number | undefined;
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly length: number;
  readonly asked: Asked;
}

interface State {
  /** By the places that their ids end with: calls come and go too fast for a table. */
  readonly calls: (Call | undefined)[];
  readonly tools: Record<number, Tool>;
  /** Takes one event as JSON text. */
  readonly emit: (event: string) => void;
  /** Milliseconds since 1970, as of the present entry. */
  readonly now: () => number;
  /** The call that the last item was for. */
  current: Call | undefined;
}

/**
 * The calls that run in this isolate. `emit` takes one event as JSON text; `now` is the time of the present entry.
 *
 * Arrays are walked by index and records have no prototype: a handler may have replaced what `Array.prototype` does.
 */
export function createCalls(emit: (event: string) => void, now: () => number): Calls {
  const state: State = { calls: [], tools: Object.create(null), emit, now, current: undefined };
  return {
    declare(tool, handler, facts, payload) {
      state.tools[tool] = { handler, facts: Object.freeze(facts), payload };
    },
    start(id, number, input, facts, time) {
      const tool = state.tools[number];
      if (tool !== undefined) start(state, toCall(id, tool.payload, time), tool, input, facts);
    },
    setTime(id, time) {
      const call = find(state, id);
      if (call !== undefined) call.time = time;
    },
    answer: (id, syscall, value) => take(state, id, syscall)?.resolve(value as never),
    refuse(id, syscall, name, message) {
      const waiting = take(state, id, syscall);
      waiting?.reject(createAnswered(syscall, name, message, waiting.asked));
    },
    abort(id) {
      const call = find(state, id);
      if (call !== undefined) abort(state, call);
    },
    current: () => state.current?.context,
  };
}

function toCall(id: number, payload: number, time: number | undefined): Call {
  return {
    id,
    payload,
    waiting: undefined,
    onAbort: undefined,
    live: true,
    aborted: false,
    asked: 0,
    waitingCount: 0,
    waitingLength: 0,
    unanswered: undefined,
    context: undefined,
    time,
  };
}

function start(state: State, call: Call, { handler, facts }: Tool, input: unknown, callFacts: CallFacts): void {
  put(state, call);
  state.current = call;
  call.context = createContext(facts, callFacts, () => toOutlet(state, call));
  run(handler, input, call.context).then(
    (result) => end(state, call, toDone(call, result)),
    (error: unknown) => end(state, call, `["fail",${call.id},${toFailure(error)}]`),
  );
}

function toOutlet(state: State, call: Call): CallOutlet {
  return {
    ask: (name, args) => ask(state, call, name, args),
    tell(name, args) {
      if (call.live) tell((call.unanswered ??= createUnanswered()), call.id, name, args, state.emit);
    },
    stage: (name, args) =>
      call.live &&
      call.asked <= MAX_ASKED_BEFORE &&
      stage((call.unanswered ??= createUnanswered()), call.id, name, args, state.emit),
    now: () => call.time ?? state.now(),
    isAborted: () => call.aborted,
    onAbort(listener) {
      if (call.aborted) return tryTo(listener);
      call.onAbort ??= [];
      call.onAbort[call.onAbort.length] = listener;
    },
  };
}

function ask<T>(state: State, call: Call, name: string, args: string): Promise<T> {
  const asked = noteAsked(ask);
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
    call.waiting ??= Object.create(null) as Record<number, Waiting>;
    call.waiting[call.asked] = { resolve, reject, length: args.length, asked };
    state.emit(`["ask",${call.id},${call.asked},"${name}",${args}]`);
  });
}

/** Takes out the request that is being answered; undefined when nobody waits for the answer. */
function take(state: State, id: number, syscall: number): Waiting | undefined {
  const call = find(state, id);
  const waiting = call?.waiting?.[syscall];
  if (call?.waiting === undefined || waiting === undefined) return undefined;
  state.current = call;
  delete call.waiting[syscall];
  call.waitingCount -= 1;
  call.waitingLength -= waiting.length;
  return waiting;
}

function abort(state: State, call: Call): void {
  forget(state, call);
  state.current = call;
  call.aborted = true;
  for (let at = 0; at < (call.onAbort?.length ?? 0); at += 1) tryTo(call.onAbort?.[at]);
  for (let syscall = 1; syscall <= call.asked; syscall += 1) call.waiting?.[syscall]?.reject(createAborted());
}

function end(state: State, call: Call, event: string): void {
  if (!call.live) return;
  forget(state, call);
  state.emit(event);
}

function put({ calls }: State, call: Call): void {
  const place = call.id % PLACES;
  while (calls.length <= place) calls[calls.length] = undefined;
  calls[place] = call;
}

function find({ calls }: State, id: number): Call | undefined {
  const call = calls[id % PLACES];
  return call?.id === id ? call : undefined;
}

function forget({ calls }: State, call: Call): void {
  call.live = false;
  calls[call.id % PLACES] = undefined;
}

async function run(handler: unknown, input: unknown, context: object): Promise<unknown> {
  if (typeof handler !== "function") throw new TypeError("The tool's module has no function as its default export.");
  return handler(input, context);
}

/** Calls a listener of a call for which nobody waits any more, so that nobody could hear that it throws. */
function tryTo(listener: (() => void) | undefined): void {
  try {
    listener?.();
  } catch {
    // See above.
  }
}

function toDone(call: Call, result: unknown): string {
  const reply = findReply(result);
  let text: string | undefined;
  try {
    text = JSON.stringify(reply === undefined ? result : reply.output);
  } catch (error) {
    return `["fail",${call.id},${toUnwritable(error)}]`;
  }
  if (reply !== undefined) text = `${text ?? "null"},${reply.content}`;
  if (text === undefined) return `["done",${call.id}]`;
  return isLonger(text, call.payload) ? `["fail",${call.id},"large"]` : `["done",${call.id},${text}]`;
}
