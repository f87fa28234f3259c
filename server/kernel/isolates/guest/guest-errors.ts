import type { FailName } from "../../../host-api.ts";

const MAX_TEXT = 4_000;
const MAX_MESSAGE = 2_000;

/** Errors whose meaning the caller learns, with the tail of the `fail` event that tells it. */
const known = new WeakMap<object, string>();

/** An error that, when a handler throws it, ends the call under `name` with `message`; `details` is JSON text. */
export function createRaised(name: FailName, message: string, details?: string): Error {
  const tail = `"raised",${JSON.stringify(name)},${JSON.stringify(message)}`;
  return register(name, message, details === undefined ? tail : `${tail},${details}`);
}

/** Creates the error of a handler's requests after the caller stopped waiting. */
export function createAborted(): Error {
  return register("CANCELLED", "The call was given up.", `"thrown","the call was given up"`);
}

/**
 * Creates the error of a failed syscall for the handler; the main process has kept the original under the syscall's
 * number.
 */
export function createAnswered(syscall: number, name: string, message: string): Error {
  return register(name, message, `"syscall",${syscall}`);
}

/** The tail of the `fail` event for whatever came out of a handler. Does not throw, whatever getters or proxies it meets. */
export function toFailure(thrown: unknown): string {
  try {
    const tail = typeof thrown === "object" && thrown !== null ? known.get(thrown) : undefined;
    if (tail !== undefined) return tail;
    const text = describe(thrown);
    const kind = text.startsWith("RangeError: Array buffer allocation failed") ? "memory" : "thrown";
    return `"${kind}",${JSON.stringify(text)}`;
  } catch {
    return `"thrown","a value that cannot be described"`;
  }
}

/** The tail of the `fail` event for a result that JSON cannot carry. */
export function toUnwritable(thrown: unknown): string {
  const failure = toFailure(thrown);
  return failure.startsWith(`"thrown",`) ? failure.replace("thrown", "unwritable") : failure;
}

function register(name: string, message: string, tail: string): Error {
  const error = new Error(message);
  Object.defineProperty(error, "name", { value: name, writable: true, configurable: true });
  known.set(error, tail);
  return error;
}

/** Describes a thrown value for the log: name, message and stack where there are any. */
function describe(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return `${typeof thrown} ${String(thrown)}`.slice(0, MAX_TEXT);
  if (!("stack" in thrown)) return `object ${JSON.stringify(thrown)}`.slice(0, MAX_TEXT);
  const text = String(thrown);
  const stack = String(thrown.stack);
  // A long message must not push out the place it came from.
  const said = text.slice(0, MAX_MESSAGE);
  return `${said}${stack.startsWith(text) ? stack.slice(text.length) : `\n${stack}`}`.slice(0, MAX_TEXT);
}
