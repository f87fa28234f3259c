import { define } from "../guest-host.ts";

const ERRORS: Readonly<Record<string, ErrorConstructor>> = {
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

/** A deep copy with cycles, as the HTML standard copies values of the language. Nothing is transferred. */
define("structuredClone", (value: unknown): unknown => clone(value, new Map()));

function clone(value: unknown, known: Map<object, object>): unknown {
  if (typeof value === "function" || typeof value === "symbol") throw createCloneError(value);
  if (typeof value !== "object" || value === null) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const keep = <Copy extends object>(copy: Copy): Copy => {
    known.set(value, copy);
    return copy;
  };
  if (Array.isArray(value)) return copyMembers(value, keep(Object.assign([], { length: value.length })), known);
  if (value instanceof Date) return keep(new Date(value.getTime()));
  if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
  if (value instanceof ArrayBuffer) return keep(value.slice(0));
  if (ArrayBuffer.isView(value)) return keep(cloneView(value, known));
  if (value instanceof Map) {
    const copy = keep(new Map());
    for (const [key, member] of value) copy.set(clone(key, known), clone(member, known));
    return copy;
  }
  if (value instanceof Set) {
    const copy = keep(new Set());
    for (const member of value) copy.add(clone(member, known));
    return copy;
  }
  if (value instanceof Error) return cloneError(value, keep, known);
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) throw createCloneError(value);
  return copyMembers(value, keep({}), known);
}

function copyMembers(value: object, copy: object, known: Map<object, object>): object {
  for (const key of Object.keys(value)) {
    const member = clone(Reflect.get(value, key), known);
    Object.defineProperty(copy, key, { value: member, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

function cloneView(view: ArrayBufferView, known: Map<object, object>): object {
  const buffer = clone(view.buffer, known) as ArrayBuffer;
  if (view instanceof DataView) return new DataView(buffer, view.byteOffset, view.byteLength);
  const kind = view.constructor as new (buffer: ArrayBuffer, offset: number, length: number) => object;
  return new kind(buffer, view.byteOffset, (view as Uint8Array).length);
}

function cloneError(error: Error, keep: <Copy extends object>(copy: Copy) => Copy, known: Map<object, object>): object {
  const copy = keep(new (ERRORS[error.name] ?? Error)(error.message));
  Object.defineProperty(copy, "stack", { value: error.stack, writable: true, configurable: true });
  if ("cause" in error) {
    const cause = clone(error.cause, known);
    Object.defineProperty(copy, "cause", { value: cause, writable: true, configurable: true });
  }
  return copy;
}

function createCloneError(value: unknown): Error {
  const what = typeof value === "object" ? "An object of this kind" : `A ${typeof value}`;
  const error = new Error(`${what} cannot be cloned.`);
  Object.defineProperty(error, "name", { value: "DataCloneError", writable: true, configurable: true });
  return error;
}
