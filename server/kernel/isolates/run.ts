import { CairnError } from "../../errors.ts";
import { cancelled } from "./failures.ts";
import type { Returned, SandboxCall } from "./sandbox.ts";

/** A call on its way through the sandbox, whatever isolates it has to be tried in. Ends once. */
export interface Run {
  readonly id: number;
  readonly call: SandboxCall;
  readonly result: Promise<Returned>;
  /** Number of times that it was lost with an isolate. */
  losses: number;
  /**
   * Isolate of the run, with the number of its attempt there. A closure that removes it would have V8 keep all calls
   * alive until a full collection.
   */
  isolate: { dismiss(attempt: number): void } | undefined;
  attempt: number;
  isOver(): boolean;
  resolve(value: Returned): void;
  reject(error: CairnError): void;
}

/** Starts the clock of `call`. It ends early when its time is over or its signal aborts. */
export function createRun(call: SandboxCall, id: number, onEnd: (run: Run) => void): Run {
  const { limits, signal, tool } = call;
  let over = false;
  const { promise, resolve, reject } = Promise.withResolvers<Returned>();
  const run: Run = {
    id,
    call,
    result: promise,
    losses: 0,
    isolate: undefined,
    attempt: 0,
    isOver: () => over,
    resolve(value) {
      if (end()) resolve(value);
    },
    reject(error) {
      if (end()) reject(error);
    },
  };
  const expire = () =>
    run.reject(new CairnError("TIME_LIMIT", `\`${tool.name}\` took longer than its time limit of ${limits.time} ms.`));
  const abort = () => run.reject(cancelled(call));
  const timer = setTimeout(expire, limits.time);
  signal?.addEventListener("abort", abort);
  return run;

  function end(): boolean {
    if (over) return false;
    over = true;
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    run.isolate?.dismiss(run.attempt);
    onEnd(run);
    return true;
  }
}
