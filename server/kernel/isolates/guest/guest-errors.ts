import type { FailName } from "../../../host-api.ts";
import { withoutOwnFrames } from "./guest-stacks.ts";

const MAX_TEXT = 4_000;
const MAX_MESSAGE = 2_000;
/** Causes of an error that are told. */
const MAX_CAUSES = 3;

/** Meaning of an error that the caller learns. */
interface Known {
  /** Tail of the `fail` event that tells it. */
  readonly tail: string;
  /** True if the stack follows it: the handler's author did not write the error. */
  readonly isPlaced: boolean;
}

const known = new WeakMap<object, Known>();

/** An error that, when a handler throws it, ends the call under `name` with `message`; `details` is JSON text. */
export function createRaised(name: FailName, message: string, details?: string): Error {
  const tail = `"raised",${JSON.stringify(name)},${JSON.stringify(message)}`;
  return register(name, message, { tail: details === undefined ? tail : `${tail},${details}`, isPlaced: false });
}

/** Creates the error for a handler that uses what its tool does not have. */
export function createRefusal(message: string): Error {
  return register("FORBIDDEN", message, { tail: `"refused",${JSON.stringify(message)}`, isPlaced: true });
}

/** Creates the error of a handler's requests after the caller stopped waiting. */
export function createAborted(): Error {
  return register("CANCELLED", "The call was given up.", { tail: `"thrown","the call was given up"`, isPlaced: false });
}

/**
 * Creates the error of a failed syscall for the handler; the main process has kept the original under the syscall's
 * number. Its stack is that of `asked`, because none leads from an answer to the handler.
 */
export function createAnswered(syscall: number, name: string, message: string, asked: Asked): Error {
  const error = register(name, message, { tail: `"syscall",${syscall}`, isPlaced: true });
  const stack = stackOf(asked);
  const from = stack.indexOf("\n    at ");
  const value = `${name}: ${message}${from < 0 ? "" : stack.slice(from)}`;
  return Object.defineProperty(error, "stack", { value, writable: true, configurable: true });
}

/** Place from which a syscall was asked. V8 makes text of it when it is first read, which is only for errors. */
export interface Asked {
  readonly stack?: string;
}

/** Notes the place from which `asker` was called. */
export function noteAsked(asker: (...given: never[]) => unknown): Asked {
  const asked: Asked = {};
  Error.captureStackTrace(asked, asker);
  return asked;
}

/** The tail of the `fail` event for whatever came out of a handler. Does not throw, whatever getters or proxies it meets. */
export function toFailure(thrown: unknown): string {
  try {
    const meaning = typeof thrown === "object" && thrown !== null ? known.get(thrown) : undefined;
    if (meaning?.isPlaced === false) return meaning.tail;
    if (meaning !== undefined) return `${meaning.tail},${JSON.stringify(stackOf(Object(thrown)))}`;
    const text = describe(thrown);
    const kind = text.startsWith("RangeError: Array buffer allocation failed") ? "memory" : "thrown";
    return `"${kind}",${JSON.stringify(text)}${kind === "thrown" ? describeCauses(thrown) : ""}`;
  } catch {
    return `"thrown","a value that cannot be described"`;
  }
}

/** The tail of the `fail` event for a result that JSON cannot carry. */
export function toUnwritable(thrown: unknown): string {
  const failure = toFailure(thrown);
  return failure.startsWith(`"thrown",`) ? failure.replace("thrown", "unwritable") : failure;
}

function register(name: string, message: string, meaning: Known): Error {
  const error = new Error(message);
  Object.defineProperty(error, "name", { value: name, writable: true, configurable: true });
  known.set(error, meaning);
  return error;
}

/** Returns the stack of an error; empty where a handler has put something unreadable there. */
function stackOf(error: { readonly stack?: unknown }): string {
  try {
    return withoutOwnFrames(String(error.stack)).slice(0, MAX_TEXT);
  } catch {
    return "";
  }
}

/** Describes the causes of a thrown value, outermost first, each after a comma. */
function describeCauses(thrown: unknown): string {
  let text = "";
  try {
    let value = thrown;
    for (let count = 0; count < MAX_CAUSES && value instanceof Error && value.cause !== undefined; count += 1) {
      value = value.cause;
      text += `,${JSON.stringify(describe(value))}`;
    }
  } catch {
    // The causes before it are enough.
  }
  return text;
}

/** Describes a thrown value for the log: name, message and stack where there are any. */
function describe(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return `${typeof thrown} ${String(thrown)}`.slice(0, MAX_TEXT);
  if (!("stack" in thrown)) return `object ${JSON.stringify(thrown)}`.slice(0, MAX_TEXT);
  const text = String(thrown);
  const stack = withoutOwnFrames(String(thrown.stack));
  // A long message must not push out the place it came from.
  const said = text.slice(0, MAX_MESSAGE);
  return `${said}${stack.startsWith(text) ? stack.slice(text.length) : `\n${stack}`}`.slice(0, MAX_TEXT);
}
