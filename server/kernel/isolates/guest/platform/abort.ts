import { define } from "../guest-host.ts";

type Listener = (event: { readonly type: "abort"; readonly target: AbortSignal }) => void;

interface Options {
  readonly once?: boolean;
}

let mayConstruct = false;

/** Signal of an AbortController. Source: dom.spec.whatwg.org, without other events than `abort`. */
class AbortSignal {
  #aborted = false;
  #reason: unknown;
  readonly #listeners: { readonly listener: Listener; readonly once: boolean }[] = [];
  onabort: Listener | null = null;

  constructor() {
    if (!mayConstruct) throw new TypeError("Make an AbortSignal with `new AbortController()`.");
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  addEventListener(type: string, listener: Listener | null, options: Options | boolean = {}): void {
    if (type !== "abort" || typeof listener !== "function") return;
    if (this.#listeners.some((one) => one.listener === listener)) return;
    this.#listeners.push({ listener, once: typeof options === "object" && options.once === true });
  }

  removeEventListener(type: string, listener: Listener | null): void {
    const at = type === "abort" ? this.#listeners.findIndex((one) => one.listener === listener) : -1;
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  static abort(reason?: unknown): AbortSignal {
    const controller = new AbortController();
    controller.abort(reason);
    return controller.signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const controller = new AbortController();
    for (const signal of signals) {
      if (signal.aborted) controller.abort(signal.reason);
      else signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
    }
    return controller.signal;
  }

  /** Aborts `signal`, once; for its controller alone. */
  static trigger = (signal: AbortSignal, reason: unknown): void => {
    if (signal.#aborted) return;
    signal.#aborted = true;
    signal.#reason = reason ?? createAbortError();
    const event = Object.freeze({ type: "abort" as const, target: signal });
    for (const listener of [signal.onabort, ...signal.#listeners.map((one) => one.listener)]) listener?.(event);
    signal.#listeners.length = 0;
  };
}

const { trigger } = AbortSignal;
Reflect.deleteProperty(AbortSignal, "trigger");

class AbortController {
  readonly signal: AbortSignal;

  constructor() {
    mayConstruct = true;
    this.signal = new AbortSignal();
    mayConstruct = false;
  }

  abort(reason?: unknown): void {
    trigger(this.signal, reason);
  }
}

function createAbortError(): Error {
  const error = new Error("This operation was aborted.");
  Object.defineProperty(error, "name", { value: "AbortError", writable: true, configurable: true });
  return error;
}

define("AbortController", AbortController);
define("AbortSignal", AbortSignal);
