import { createRefusal } from "./guest-errors.ts";

/** Shared memory, agents and garbage collection to observe, and a second engine outside the heap limit. */
const REMOVED = ["WebAssembly", "SharedArrayBuffer", "Atomics", "WeakRef", "FinalizationRegistry"];

/**
 * Takes clock, randomness, code made of strings and what is in `REMOVED` from the realm, and fixes the rest: a handler
 * can neither give its successors another `Promise` nor put a property on every object. Runs before any handler's code.
 *
 * Prototypes whose properties programs shadow by assignment (`error.name = ...`) are sealed instead of frozen, because
 * assigning over an inherited read-only property throws. What runs in this folder afterwards keeps away from them.
 */
export function closeRealm(): void {
  for (const name of REMOVED) Reflect.deleteProperty(globalThis, name);
  // Functions of the host that no part of the platform took.
  for (const name of Object.keys(globalThis)) if (name.startsWith("cairn:")) Reflect.deleteProperty(globalThis, name);
  // What V8 itself declares cannot be deleted.
  Reflect.set(globalThis, "gc", undefined);
  removeClock();
  removeRandomness();
  removeCodeFromStrings();
  fix();
}

function removeClock(): void {
  const TimelessDate = new Proxy(Date, {
    apply() {
      throw needsClock("Date()");
    },
    construct(target, args, newTarget) {
      if (args.length === 0) throw needsClock("new Date()");
      return Reflect.construct(target, args, newTarget);
    },
  });
  replace(Date, "now", () => {
    throw needsClock("Date.now()");
  });
  replace(Date.prototype, "constructor", TimelessDate);
  replace(globalThis, "Date", TimelessDate);

  // Without a date these two format the present.
  const { prototype } = Intl.DateTimeFormat;
  const { get: format } = Object.getOwnPropertyDescriptor(prototype, "format") ?? {};
  const { formatToParts } = prototype;
  Object.defineProperty(prototype, "format", {
    get(this: Intl.DateTimeFormat) {
      const bound = Reflect.apply(format ?? refuseCode, this, []);
      return (date?: Date | number) => {
        if (date === undefined) throw needsClock("format()");
        return bound(date);
      };
    },
  });
  replace(prototype, "formatToParts", function (this: Intl.DateTimeFormat, date?: Date | number) {
    if (date === undefined) throw needsClock("formatToParts()");
    return Reflect.apply(formatToParts, this, [date]);
  });
}

function needsClock(what: string): Error {
  return createRefusal(`\`${what}\` is not there: use \`ctx.now()\`, which needs \`clock\` in the tool's \`uses\`.`);
}

function removeRandomness(): void {
  replace(Math, "random", () => {
    throw createRefusal("`Math.random()` is not there: use `ctx.random()`, which needs `random` in the tool's `uses`.");
  });
}

/** Removes the ways from text to code: a version's behaviour is in its commit, so text from run time is never code. */
function removeCodeFromStrings(): void {
  replace(globalThis, "eval", refuseCode);
  for (const { constructor, prototype } of functionKinds()) {
    const Refused = function () {
      refuseCode();
    };
    Object.defineProperty(Refused, "name", { value: constructor.name });
    Object.defineProperty(Refused, "prototype", { value: prototype, writable: false });
    replace(prototype, "constructor", Refused);
    if (constructor.name === "Function") replace(globalThis, "Function", Refused);
  }
}

function refuseCode(): never {
  throw new TypeError("Code cannot be made from a string here.");
}

function functionKinds() {
  const samples = [() => {}, async () => {}, function* () {}, async function* () {}];
  return samples.map((sample) => ({
    constructor: sample.constructor,
    prototype: Reflect.getPrototypeOf(sample) ?? {},
  }));
}

function fix(): void {
  const errors = [
    Error,
    AggregateError,
    EvalError,
    RangeError,
    ReferenceError,
    SuppressedError,
    SyntaxError,
    TypeError,
  ];
  const assignable = new Set<object>([Object.prototype, Function.prototype, Array.prototype, URIError.prototype]);
  for (const { prototype } of errors) assignable.add(prototype);
  // A frozen prototype would cost regular expressions V8's fast path; nothing in this folder uses any.
  assignable.add(RegExp.prototype);
  const reachable: unknown[] = [
    globalThis,
    ...functionKinds().map(({ prototype }) => prototype),
    [][Symbol.iterator](),
    ""[Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    "".matchAll(/(?:)/g),
    Iterator.from({ next: () => ({ done: true, value: undefined }) }),
    [].values().map(String),
    new Intl.Segmenter().segment(""),
  ];
  const seen = new Set<unknown>();
  for (const value of reachable) {
    if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) continue;
    seen.add(value);
    if (assignable.has(value)) Object.seal(value);
    else Object.freeze(value);
    reachable.push(Reflect.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const property = Reflect.getOwnPropertyDescriptor(value, key);
      reachable.push(property?.value, property?.get, property?.set);
    }
  }
}

function replace(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: false, configurable: true });
}
