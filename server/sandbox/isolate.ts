import { CairnError } from "../errors.ts";
import type { Program } from "../versions/version.ts";
import { carryOut, carryOutNote } from "./carry-out.ts";
import { neverSettles, toError, toLoadError } from "./failures.ts";
import type { Run } from "./run.ts";
import { type Frame, type GuestEvent, readEvents, toLine } from "./wire.ts";

/** Items that enter an isolate together, at most; how many at first; and their length together. */
const MAX_BATCH = 64;
const FIRST_BATCH = 8;
const MAX_BATCH_LENGTH = 2 ** 20;
/** Milliseconds that an entry should take: what one call uses, all others of its entry wait for. */
const GOOD_ENTRY = 10;
/** Requests of a call that may wait for their answers; the isolate refuses more, so more is a lie. */
const MAX_ASKED = 256;

/** One try of a run, in one isolate. */
export interface Attempt {
  readonly id: number;
  readonly run: Run;
  /** Whether anything of it was sent. */
  started: boolean;
  readonly asked: Set<number>;
  readonly answered: Map<number, CairnError>;
}

/** An isolate in a host, as the main process sees it: who is in it, what goes in next, and what came out. */
export interface Isolate {
  readonly id: number;
  readonly program: Program;
  /** How loading the program went; "lost" when the isolate was, first. */
  readonly loaded: Promise<"open" | "lost" | CairnError>;
  readonly attempts: ReadonlyMap<number, Attempt>;
  admit(run: Run): void;
  /** Takes the run out of it; what it still does there is not heard. */
  release(attempt: Attempt): void;
  /** Those whose items are in the isolate at this moment, also if they were released meanwhile. */
  executing(): readonly Attempt[];
  /** Takes out and returns the runs that have not entered yet. */
  withdraw(): readonly Run[];
  hear(frame: Frame): void;
  /** It is no more. Everybody is out; `reason` is why its program could not be loaded, where that was the cause. */
  lose(reason?: CairnError): void;
  isLoading(): boolean;
  /** Nobody is in it, and nothing runs. */
  isIdle(): boolean;
  /** Milliseconds since everybody who waited could enter; 0 while nothing runs. */
  busyFor(): number;
  hasWaiting(): boolean;
  /** Lets time pass, and answers whether the present entry, or loading, is over its limit by more than `grace`. */
  age(milliseconds: number, grace: number): boolean;
}

export interface IsolateOptions {
  readonly id: number;
  readonly program: Program;
  readonly loadLimit: number;
  readonly now: () => number;
  /** Asks for a line, which may be empty, when this turn of the event loop is over. */
  readonly send: (compose: () => string) => void;
  /** An entry was stopped because it took too long; `suspects` entered and did not end, though they may be released. */
  readonly onStopped: (suspects: readonly Attempt[]) => void;
  /** Nobody is in it any more, and nothing runs; or its program cannot be loaded. */
  readonly onVacant: () => void;
}

interface Item {
  readonly attempt?: Attempt;
  readonly cpu: number;
  readonly text: string;
}

interface Batch {
  readonly attempts: ReadonlySet<Attempt>;
  readonly size: number;
  readonly cpu: number;
}

export function createIsolate(options: IsolateOptions): Isolate {
  const { id, program, send } = options;
  const attempts = new Map<number, Attempt>();
  const loading = Promise.withResolvers<"open" | "lost" | CairnError>();
  let open = false;
  let queue: Item[] = [];
  let batch: Batch | undefined;
  let batchSize = FIRST_BATCH;
  let lastId = 0;
  let unanswered = 0;
  let age = 0;
  let waited = 0;

  const isolate: Isolate = {
    id,
    program,
    loaded: loading.promise,
    attempts,
    admit(run) {
      const { handler, input, info, params, grants, seed, limits } = run.call;
      lastId += 1;
      const attempt: Attempt = { id: lastId, run, started: false, asked: new Set(), answered: new Map() };
      const facts = { info, params, grants, seed, payload: limits.payload };
      const text = JSON.stringify(["start", attempt.id, handler, input, facts]);
      attempts.set(attempt.id, attempt);
      run.leave = () => isolate.release(attempt);
      push({ attempt, cpu: limits.cpu, text });
    },
    release(attempt) {
      if (!remove(attempt)) return;
      queue = queue.filter((item) => item.attempt !== attempt);
      if (attempt.started) push({ cpu: attempt.run.call.limits.cpu, text: `["forget",${attempt.id}]` });
      rest();
    },
    executing: () => [...(batch?.attempts ?? [])],
    withdraw() {
      const unsent = [...attempts.values()].filter((attempt) => !attempt.started && remove(attempt));
      queue = queue.filter(({ attempt }) => attempt === undefined || attempts.has(attempt.id));
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
        const runs = [...attempts.values()].map(({ run }) => run);
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
      for (const attempt of attempts.values()) remove(attempt);
    },
    isLoading: () => !open,
    isIdle: () => open && batch === undefined && attempts.size === 0,
    busyFor: () => waited,
    hasWaiting: () => queue.some(({ attempt }) => attempt?.started === false),
    age(milliseconds, grace) {
      if (open && batch === undefined) return false;
      age += milliseconds;
      if (batch !== undefined) waited += milliseconds;
      return age > (batch?.cpu ?? options.loadLimit) + grace;
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
    // One limit holds for all of an entry, so only calls that have the same share one.
    const chosen: Item[] = [];
    const left: Item[] = [];
    let length = 0;
    for (const item of queue) {
      length += item.text.length;
      const fits = chosen.length < batchSize && item.cpu === first.cpu && length <= MAX_BATCH_LENGTH;
      (fits || item === first ? chosen : left).push(item);
    }
    queue = left;
    const entering = chosen.flatMap(({ attempt }) => attempt ?? []);
    for (const attempt of entering) attempt.started = true;
    batch = { attempts: new Set(entering), size: chosen.length, cpu: first.cpu };
    age = 0;
    if (left.length === 0) waited = 0;
    const items = chosen.map(({ text }) => text).join(",");
    return toLine("enter", id, first.cpu, `[${options.now()},${items}]`);
  }

  function leave({ verb, number: milliseconds, body }: Frame): void {
    if (batch === undefined) throw new CairnError("INTERNAL_ERROR", `Nothing was in isolate ${id} to leave it.`);
    const { attempts: entered, size } = batch;
    const stopped = verb === "stopped";
    if (stopped || milliseconds > GOOD_ENTRY) batchSize = Math.max(1, batchSize >> 1);
    else if (size === batchSize) batchSize = Math.min(MAX_BATCH, batchSize * 2);

    const events = readEvents(body);
    const over = new Set(events.filter(isEnd).map(({ call }) => call));
    for (const event of events) {
      const attempt = attempts.get(event.call);
      // What a stopped call asked for last is not done for it: it may run again, and then asks again.
      if (attempt !== undefined && !(stopped && entered.has(attempt) && !over.has(event.call))) take(attempt, event);
    }
    batch = undefined;
    if (queue.length === 0) waited = 0;
    if (stopped) options.onStopped([...entered].filter(({ id: call }) => !over.has(call)));
    send(compose);
    rest();
  }

  function take(attempt: Attempt, event: GuestEvent): void {
    const { run } = attempt;
    if (event.kind === "ask") {
      if (attempt.asked.size >= MAX_ASKED) throw new CairnError("INTERNAL_ERROR", `Isolate ${id} asks for too much.`);
      void answer(attempt, event);
    } else if (event.kind === "tell") {
      void carryOutNote(run.call, event);
    } else {
      remove(attempt);
      if (event.kind === "done") run.resolve(event.value);
      else run.reject(toError(run.call, event.failure, attempt.answered));
    }
  }

  async function answer(attempt: Attempt, event: GuestEvent & { readonly kind: "ask" }): Promise<void> {
    attempt.asked.add(event.syscall);
    unanswered += 1;
    const text = await carryOut(attempt.id, attempt.run.call, attempt.answered, event);
    if (!attempts.has(attempt.id) || !attempt.asked.delete(event.syscall)) return;
    unanswered -= 1;
    push({ attempt, cpu: attempt.run.call.limits.cpu, text });
  }

  function remove(attempt: Attempt): boolean {
    if (!attempts.delete(attempt.id)) return false;
    attempt.run.leave = undefined;
    unanswered -= attempt.asked.size;
    return true;
  }

  /** What there is to notice once nothing runs. */
  function rest(): void {
    if (!open || batch !== undefined) return;
    if (attempts.size === 0) options.onVacant();
    else if (queue.length === 0 && unanswered === 0) {
      // Only an answer could have anything in there go on.
      for (const { run } of attempts.values()) run.reject(neverSettles(run.call));
    }
  }
}

function isEnd({ kind }: GuestEvent): boolean {
  return kind === "done" || kind === "fail";
}
