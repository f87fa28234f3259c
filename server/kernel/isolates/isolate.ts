import { CairnError } from "../../errors.ts";
import type { Program } from "../../versions/version.ts";
import { type Attempt, carryOut, carryOutNote, finish, noteAsked, stage, type Syscalls } from "./attempt.ts";
import { needsOneCall } from "./platform.ts";
import { createDeclarations, createEntries, type DirectEntry, type Entries } from "./entries.ts";
import { type Item, MAX_SIZE, toStartItem } from "./entries.ts";
import { neverSettles, toError, toLoadError, unavailable } from "./failures.ts";
import type { Run } from "./run.ts";
import { createSlots, type Slots } from "./slots.ts";
import { type Frame, type GuestEvent, readEvents, toLine } from "./wire.ts";

/** An isolate in a host, as the main process sees it: who is in it, what enters next, and what came out. */
export interface Isolate {
  readonly id: number;
  readonly program: Program;
  /** Result of loading the program; "lost" when the isolate was lost first. */
  readonly loaded: Promise<"open" | "lost" | CairnError>;
  readonly attempts: Pick<Slots<Attempt>, "all" | "size">;
  admit(run: Run): void;
  /** Takes the run out of it; what it still does there is not heard. */
  release(attempt: Attempt): void;
  /** Releases the attempt of this number. */
  dismiss(attempt: number): void;
  /** Those whose items are in the isolate at this moment, also if they were released meanwhile. */
  executing(): readonly Attempt[];
  /** Takes out and returns the runs that have not entered yet. */
  withdraw(): readonly Run[];
  hear(frame: Frame): void;
  /** Takes everybody out, as it is no more; `reason` is why its program could not be loaded, where that was the cause. */
  lose(reason?: CairnError): void;
  isLoading(): boolean;
  /** True while something runs in it, loading included. */
  isBusy(): boolean;
  /** Checks that no call is in the isolate, and nothing runs. */
  isIdle(): boolean;
  /** Calls that ended in it by themselves, however they came out. */
  completed(): number;
  /** Milliseconds since everybody who waited could enter; 0 while nothing runs. */
  busyFor(): number;
  hasWaiting(): boolean;
  /** Lets time pass, and answers whether the present entry, or loading, is over its limit by the clock by more than `grace`. */
  age(milliseconds: number, grace: number): boolean;
  /** The direct entry that is under way. */
  direct(): DirectEntry | undefined;
}

export interface IsolateOptions {
  readonly id: number;
  readonly program: Program;
  readonly now: (program: Program) => number;
  /** The next number for direct entries of the host, which carries them out in that order; undefined: it may have none. */
  readonly nextOrder: (program: Program) => number | undefined;
  /** Asks for a line, which may be empty, when this turn of the event loop is over. */
  readonly send: (compose: () => string) => void;
  /** An entry was stopped because it took too long; `suspects` entered and did not end, though they may be released. */
  readonly onStopped: (suspects: readonly Attempt[], wasDirect: boolean) => void;
  /** Reports that the last call has left and nothing runs, or that its program cannot be loaded. */
  readonly onVacant: () => void;
}

interface State {
  readonly options: IsolateOptions;
  readonly attempts: Slots<Attempt>;
  readonly entries: Entries;
  readonly loading: PromiseWithResolvers<"open" | "lost" | CairnError>;
  /** Makes the line of the next entry. One function, however often it is handed to `send`. */
  readonly compose: () => string;
  /** True once the program is loaded. */
  isOpen: boolean;
  /** Requests whose answers are not in the isolate's queue yet. */
  unanswered: number;
  completed: number;
}

export function createIsolate(options: IsolateOptions): Isolate {
  const { id, program, send } = options;
  const attempts = createSlots<Attempt>();
  const entries = createEntries(needsOneCall(program.modules) ? 1 : MAX_SIZE);
  const loading = Promise.withResolvers<"open" | "lost" | CairnError>();
  const compose = () => composeEntry(state);
  const state: State = { options, attempts, entries, loading, compose, isOpen: false, unanswered: 0, completed: 0 };
  const declare = createDeclarations((item) => push(state, item));

  const isolate: Isolate = {
    id,
    program,
    loaded: loading.promise,
    attempts,
    admit(run) {
      const { tool, limits } = run.call;
      const number = attempts.nextId();
      if (number === undefined) throw unavailable(`\`${tool.name}\` is called too often at once.`);
      const attempt: Attempt = { id: number, run, started: false, syscalls: undefined, staging: undefined };
      const text = toStartItem(number, declare(tool, limits), run.call);
      attempts.add(attempt);
      run.isolate = isolate;
      run.attempt = number;
      push(state, { attempt, cpu: limits.cpu, text });
    },
    release: (attempt) => release(state, attempt),
    dismiss(number) {
      const attempt = attempts.get(number);
      if (attempt !== undefined) release(state, attempt);
    },
    executing: () => [...(entries.inside() ?? [])],
    withdraw() {
      const unsent = attempts.all().filter((attempt) => !attempt.started && remove(state, attempt));
      entries.keep(({ attempt }) => attempt === undefined || attempts.get(attempt.id) === attempt);
      return unsent.map(({ run }) => run);
    },
    hear: (frame) => hear(state, frame),
    lose: (reason) => lose(state, reason),
    isLoading: () => !state.isOpen,
    isBusy: () => !isResting(state),
    isIdle: () => isResting(state) && attempts.size === 0,
    completed: () => state.completed,
    busyFor: entries.waited,
    hasWaiting: entries.hasUnstarted,
    age: (milliseconds, grace) => !isResting(state) && entries.age(milliseconds, grace),
    direct: entries.direct,
  };
  send(() => toLine("open", id, program.memory, JSON.stringify([...program.modules])));
  return isolate;
}

/** True when the program is loaded and nothing runs. */
function isResting({ isOpen, entries }: State): boolean {
  return isOpen && entries.inside() === undefined;
}

function push(state: State, item: Item): void {
  state.entries.push(item);
  state.options.send(state.compose);
}

function composeEntry({ options, entries, isOpen }: State): string {
  const { id, program } = options;
  const entry = isOpen ? entries.begin(() => options.nextOrder(program)) : undefined;
  if (entry === undefined) return "";
  return `${entry.isDirect ? "direct" : "enter"} ${id} ${entry.cpu} [${options.now(program)}${entry.text}]\n`;
}

function release(state: State, attempt: Attempt): void {
  if (!remove(state, attempt)) return;
  state.entries.keep((item) => item.attempt !== attempt);
  if (attempt.started) push(state, { cpu: attempt.run.call.limits.cpu, text: `["abort",${attempt.id}]` });
  rest(state);
}

function remove(state: State, attempt: Attempt): boolean {
  if (!state.attempts.remove(attempt)) return false;
  attempt.run.isolate = undefined;
  state.unanswered -= attempt.syscalls?.asked.size ?? 0;
  return true;
}

function lose(state: State, reason?: CairnError): void {
  state.loading.resolve(reason ?? "lost");
  state.entries.keep(() => false);
  for (const attempt of state.attempts.all()) remove(state, attempt);
}

function hear(state: State, frame: Frame): void {
  if (frame.verb === "opened") {
    state.isOpen = true;
    state.loading.resolve("open");
    state.options.send(state.compose);
    rest(state);
  } else if (frame.verb === "refused") {
    const reason = toLoadError(frame.body);
    const runs = state.attempts.all().map(({ run }) => run);
    lose(state, reason);
    for (const run of runs) run.reject(reason);
    state.options.onVacant();
  } else {
    leave(state, frame);
  }
}

/** Ends an entry: takes what happened in it, and lets the next one begin. */
function leave(state: State, { verb, number: milliseconds, body }: Frame): void {
  const { attempts, entries, options } = state;
  const entered = entries.inside();
  if (entered === undefined) {
    throw new CairnError("INTERNAL_ERROR", `Nothing was in isolate ${options.id} to leave it.`);
  }
  const isStopped = verb === "stopped";
  const events = readEvents(body);
  const suspects = isStopped
    ? entered.filter(({ id: call }) => !events.some((event) => event.call === call && isEnd(event)))
    : [];
  for (const event of events) {
    const attempt = attempts.get(event.call);
    // What a stopped call asked for last is not done for it: it may run again, and then asks again.
    if (attempt !== undefined && !suspects.includes(attempt)) take(state, attempt, event);
  }
  const wasDirect = entries.direct() !== undefined;
  entries.end(milliseconds, isStopped);
  if (isStopped) options.onStopped(suspects, wasDirect);
  options.send(state.compose);
  rest(state);
}

function take(state: State, attempt: Attempt, event: GuestEvent): void {
  const { run } = attempt;
  if (event.kind === "ask") {
    void answer(state, attempt, noteAsked(attempt, event.syscall), event);
  } else if (event.kind === "tell") {
    void carryOutNote(attempt, event);
  } else if (event.kind === "stage") {
    stage(attempt, event);
  } else {
    remove(state, attempt);
    state.completed += 1;
    if (event.kind === "done") finish(attempt, event.value);
    else run.reject(toError(run.call, event.failure, attempt.syscalls?.answered));
  }
}

async function answer(
  state: State,
  attempt: Attempt,
  syscalls: Syscalls,
  event: GuestEvent & { readonly kind: "ask" },
): Promise<void> {
  state.unanswered += 1;
  const text = await carryOut(attempt, syscalls, event);
  if (state.attempts.get(attempt.id) !== attempt || !syscalls.asked.delete(event.syscall)) return;
  state.unanswered -= 1;
  push(state, { attempt, cpu: attempt.run.call.limits.cpu, text });
}

/** Notices, once nothing runs, that nobody is in it any more, or that nobody in it can go on. */
function rest(state: State): void {
  const { attempts, entries, options, unanswered } = state;
  if (!isResting(state)) return;
  if (attempts.size === 0) options.onVacant();
  else if (entries.isEmpty() && unanswered === 0) {
    // Only an answer could have anything in there go on.
    for (const { run } of attempts.all()) run.reject(neverSettles(run.call));
  }
}

function isEnd({ kind }: GuestEvent): boolean {
  return kind === "done" || kind === "fail";
}
