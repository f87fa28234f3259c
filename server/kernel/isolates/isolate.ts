import { CairnError } from "../../errors.ts";
import type { Program } from "../../versions/version.ts";
import { assertMayAsk, type Attempt, type Item, pack, syscallsOf } from "./attempt.ts";
import { carryOut, carryOutNote } from "./carry-out.ts";
import { createDeclarations } from "./declarations.ts";
import { neverSettles, toError, toLoadError, unavailable } from "./failures.ts";
import type { Run } from "./run.ts";
import { createSlots, type Slots } from "./slots.ts";
import { toStartItem } from "./start-item.ts";
import { type Frame, type GuestEvent, OPEN_LIMIT, readEvents, toLine, toWallLimit } from "./wire.ts";

/** Items that enter an isolate together, at most, and how many at first. */
const MAX_BATCH = 64;
const FIRST_BATCH = 8;
/** Milliseconds that an entry should take: what one call uses, all others of its entry wait for. */
const GOOD_ENTRY = 10;

/** An isolate in a host, as the main process sees it: who is in it, what goes in next, and what came out. */
export interface Isolate {
  readonly id: number;
  readonly program: Program;
  /** How loading the program went; "lost" when the isolate was, first. */
  readonly loaded: Promise<"open" | "lost" | CairnError>;
  readonly attempts: Pick<Slots<Attempt>, "all" | "size">;
  admit(run: Run): void;
  /** Takes the run out of it; what it still does there is not heard. */
  release(attempt: Attempt): void;
  /** The same, for who knows the number of the attempt only. */
  dismiss(attempt: number): void;
  /** Those whose items are in the isolate at this moment, also if they were released meanwhile. */
  executing(): readonly Attempt[];
  /** Takes out and returns the runs that have not entered yet. */
  withdraw(): readonly Run[];
  hear(frame: Frame): void;
  /** It is no more. Everybody is out; `reason` is why its program could not be loaded, where that was the cause. */
  lose(reason?: CairnError): void;
  isLoading(): boolean;
  /** Whether something runs in it, loading included. */
  isBusy(): boolean;
  /** Nobody is in it, and nothing runs. */
  isIdle(): boolean;
  /** Calls that ended in it by themselves, however they came out. */
  completed(): number;
  /** Milliseconds since everybody who waited could enter; 0 while nothing runs. */
  busyFor(): number;
  hasWaiting(): boolean;
  /** Lets time pass, and answers whether the present entry, or loading, is over its limit by the clock by more than `grace`. */
  age(milliseconds: number, grace: number): boolean;
}

export interface IsolateOptions {
  readonly id: number;
  readonly program: Program;
  readonly now: (program: Program) => number;
  /** Asks for a line, which may be empty, when this turn of the event loop is over. */
  readonly send: (compose: () => string) => void;
  /** An entry was stopped because it took too long; `suspects` entered and did not end, though they may be released. */
  readonly onStopped: (suspects: readonly Attempt[]) => void;
  /** Nobody is in it any more, and nothing runs; or its program cannot be loaded. */
  readonly onVacant: () => void;
}

interface Batch {
  readonly attempts: readonly Attempt[];
  readonly size: number;
  readonly cpu: number;
}

export function createIsolate(options: IsolateOptions): Isolate {
  const { id, program, send } = options;
  const attempts = createSlots<Attempt>();
  const loading = Promise.withResolvers<"open" | "lost" | CairnError>();
  let open = false;
  let queue: Item[] = [];
  let batch: Batch | undefined;
  let batchSize = FIRST_BATCH;
  const declare = createDeclarations((cpu, text) => push({ cpu, text }));
  let unanswered = 0;
  let completed = 0;
  let age = 0;
  let waited = 0;

  const isolate: Isolate = {
    id,
    program,
    loaded: loading.promise,
    attempts,
    admit(run) {
      const { tool, limits } = run.call;
      const number = attempts.nextId();
      if (number === undefined) throw unavailable(`\`${tool.name}\` is called too often at once.`);
      const attempt: Attempt = { id: number, run, started: false, syscalls: undefined };
      const start = toStartItem(number, declare(tool, limits), run.call);
      attempts.add(attempt);
      run.isolate = isolate;
      run.attempt = number;
      push({ attempt, cpu: limits.cpu, text: start });
    },
    release(attempt) {
      if (!remove(attempt)) return;
      queue = queue.filter((item) => item.attempt !== attempt);
      if (attempt.started) push({ cpu: attempt.run.call.limits.cpu, text: `["abort",${attempt.id}]` });
      rest();
    },
    dismiss(number) {
      const attempt = attempts.get(number);
      if (attempt !== undefined) isolate.release(attempt);
    },
    executing: () => [...(batch?.attempts ?? [])],
    withdraw() {
      const unsent = attempts.all().filter((attempt) => !attempt.started && remove(attempt));
      queue = queue.filter(({ attempt }) => attempt === undefined || attempts.get(attempt.id) === attempt);
      return unsent.map(({ run }) => run);
    },
    hear(frame) {
      if (frame.verb === "opened") {
        open = true;
        loading.resolve("open");
        send(compose);
        rest();
      } else if (frame.verb === "refused") {
        const reason = toLoadError(frame.body);
        const runs = attempts.all().map(({ run }) => run);
        isolate.lose(reason);
        for (const run of runs) run.reject(reason);
        options.onVacant();
      } else {
        leave(frame);
      }
    },
    lose(reason) {
      loading.resolve(reason ?? "lost");
      queue = [];
      for (const attempt of attempts.all()) remove(attempt);
    },
    isLoading: () => !open,
    isBusy: () => !open || batch !== undefined,
    isIdle: () => open && batch === undefined && attempts.size === 0,
    completed: () => completed,
    busyFor: () => waited,
    hasWaiting: () => queue.some(({ attempt }) => attempt?.started === false),
    age(milliseconds, grace) {
      if (open && batch === undefined) return false;
      age += milliseconds;
      if (batch !== undefined) waited += milliseconds;
      return age > (batch === undefined ? OPEN_LIMIT : toWallLimit(batch.cpu)) + grace;
    },
  };
  send(() => toLine("open", id, program.memory, JSON.stringify([...program.modules])));
  return isolate;

  function push(item: Item): void {
    queue.push(item);
    send(compose);
  }

  function compose(): string {
    const first = queue[0];
    if (!open || batch !== undefined || first === undefined) return "";
    const { entering, left, size, text } = pack(queue, batchSize);
    queue = left;
    batch = { attempts: entering, size, cpu: first.cpu };
    age = 0;
    if (left.length === 0) waited = 0;
    return `enter ${id} ${first.cpu} [${options.now(program)}${text}]\n`;
  }

  function leave({ verb, number: milliseconds, body }: Frame): void {
    if (batch === undefined) throw new CairnError("INTERNAL_ERROR", `Nothing was in isolate ${id} to leave it.`);
    const { attempts: entered, size } = batch;
    const stopped = verb === "stopped";
    if (stopped || milliseconds > GOOD_ENTRY) batchSize = Math.max(1, batchSize >> 1);
    else if (size === batchSize) batchSize = Math.min(MAX_BATCH, batchSize * 2);

    const events = readEvents(body);
    const suspects = stopped
      ? entered.filter(({ id: call }) => !events.some((event) => event.call === call && isEnd(event)))
      : [];
    for (const event of events) {
      const attempt = attempts.get(event.call);
      // What a stopped call asked for last is not done for it: it may run again, and then asks again.
      if (attempt !== undefined && !suspects.includes(attempt)) take(attempt, event);
    }
    batch = undefined;
    if (queue.length === 0) waited = 0;
    if (stopped) options.onStopped(suspects);
    send(compose);
    rest();
  }

  function take(attempt: Attempt, event: GuestEvent): void {
    const { run } = attempt;
    if (event.kind === "ask") {
      assertMayAsk(attempt);
      void answer(attempt, event);
    } else if (event.kind === "tell") {
      void carryOutNote(run.call, event);
    } else {
      remove(attempt);
      completed += 1;
      if (event.kind === "done") run.resolve(event.value);
      else run.reject(toError(run.call, event.failure, attempt.syscalls?.answered));
    }
  }

  async function answer(attempt: Attempt, event: GuestEvent & { readonly kind: "ask" }): Promise<void> {
    const { asked, answered } = syscallsOf(attempt);
    asked.add(event.syscall);
    unanswered += 1;
    const text = await carryOut(attempt.id, attempt.run.call, answered, event);
    if (attempts.get(attempt.id) !== attempt || !asked.delete(event.syscall)) return;
    unanswered -= 1;
    push({ attempt, cpu: attempt.run.call.limits.cpu, text });
  }

  function remove(attempt: Attempt): boolean {
    if (!attempts.remove(attempt)) return false;
    attempt.run.isolate = undefined;
    unanswered -= attempt.syscalls?.asked.size ?? 0;
    return true;
  }

  /** What there is to notice once nothing runs. */
  function rest(): void {
    if (!open || batch !== undefined) return;
    if (attempts.size === 0) options.onVacant();
    else if (queue.length === 0 && unanswered === 0) {
      // Only an answer could have anything in there go on.
      for (const { run } of attempts.all()) run.reject(neverSettles(run.call));
    }
  }
}

function isEnd({ kind }: GuestEvent): boolean {
  return kind === "done" || kind === "fail";
}
