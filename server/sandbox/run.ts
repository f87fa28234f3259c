import { CairnError } from "../errors.ts";
import type { Json } from "../store/store.ts";
import type { SandboxCall } from "./sandbox.ts";

/** A call on its way through the sandbox, whatever isolates it has to be tried in. Ends once. */
export interface Run {
  readonly call: SandboxCall;
  readonly result: Promise<Json | undefined>;
  /** How often it was lost with an isolate. */
  losses: number;
  /** Takes it out of the isolate it is in. */
  leave: (() => void) | undefined;
  isOver(): boolean;
  resolve(value: Json | undefined): void;
  reject(error: CairnError): void;
}

/** Starts the clock of `call`. It ends early when its time is over or its signal aborts. */
export function createRun(call: SandboxCall): Run {
  const { limits, signal, info } = call;
  let over = false;
  const { promise, resolve, reject } = Promise.withResolvers<Json | undefined>();
  const run: Run = {
    call,
    result: promise,
    losses: 0,
    leave: undefined,
    isOver: () => over,
    resolve(value) {
      if (end()) resolve(value);
    },
    reject(error) {
      if (end()) reject(error);
    },
  };
  const expire = () =>
    run.reject(new CairnError("TIME_LIMIT", `\`${info.tool}\` took longer than its time limit of ${limits.time} ms.`));
  const abort = () =>
    run.reject(new CairnError("UNAVAILABLE", `The call of \`${info.tool}\` was cancelled.`, { cause: signal?.reason }));
  const timer = setTimeout(expire, limits.time);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted === true) abort();
  return run;

  function end(): boolean {
    if (over) return false;
    over = true;
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    run.leave?.();
    return true;
  }
}
