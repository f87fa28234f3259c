/** Form in which a global is used: as a function, after `new`, with a member, alone, or as a function without an argument. */
export type GlobalForm = "call" | "new" | "member" | "alone" | "empty";

interface ForeignGlobal {
  readonly form: GlobalForm;
  /** Remedy: a sentence without its end. */
  readonly advice: string;
}

const SLEEP = "use `await ctx.sleep(milliseconds)`";
const FETCH = "use `ctx.fetch`, which needs `fetch` under `uses` and the host under `egress`";
const PLAIN = "`ctx.fetch` takes and returns plain objects";
const IMPORT = "write `import ... from` with a relative path at the top of the file";
const BYTES = "use `Uint8Array`, with `TextEncoder`, `TextDecoder`, `btoa` and `atob`";
const NO_FOLDER = "a version has no folder: put the text into a module below `tools/`";
const NO_PAGE = "a handler has no page";
const KEEP = "keep data with `ctx.state`";
const CLOCK = "use `ctx.now()`, which needs `clock` under `uses`";
const ALONE = "a handler has no thread or channel beside it; call another tool with `ctx.tools.call`";
const HEARS_NOTHING = "a handler has no events: call functions, and `ctx.signal.onAbort` for the end of the call";
const STREAM = "`ctx.fetch` returns a body whole, and a handler returns its output whole";
const ASK = "ask with `ctx.elicit`, in a tool with `interactive: true`";
const LINES = "write lines with `console.log` or `ctx.log`";
const NO_MEMORY = "handlers see neither shared memory nor the collection of garbage";

/** Globals of Node.js and browsers, and members of globals, that handlers do not have, and what to use in their place. */
const FOREIGN: Readonly<Record<string, ForeignGlobal>> = {
  fetch: { form: "call", advice: FETCH },
  XMLHttpRequest: { form: "new", advice: FETCH },
  WebSocket: { form: "new", advice: `a handler keeps no connection; ${FETCH}` },
  EventSource: { form: "new", advice: `a handler keeps no connection; ${FETCH}` },
  Headers: { form: "new", advice: PLAIN },
  Request: { form: "new", advice: PLAIN },
  Response: { form: "new", advice: PLAIN },
  FormData: { form: "new", advice: "use `URLSearchParams`, and its text as the body" },
  Blob: { form: "new", advice: BYTES },
  setTimeout: { form: "call", advice: SLEEP },
  setInterval: { form: "call", advice: SLEEP },
  setImmediate: { form: "call", advice: "use `queueMicrotask`" },
  clearTimeout: { form: "call", advice: SLEEP },
  clearInterval: { form: "call", advice: SLEEP },
  process: {
    form: "member",
    advice: "a handler sees nothing of the process; put settings into its parameters (`ctx.params`) or its input",
  },
  require: { form: "call", advice: IMPORT },
  module: { form: "member", advice: "write `export default`" },
  Buffer: { form: "member", advice: BYTES },
  __dirname: { form: "alone", advice: NO_FOLDER },
  __filename: { form: "alone", advice: NO_FOLDER },
  performance: { form: "member", advice: CLOCK },
  localStorage: { form: "member", advice: KEEP },
  sessionStorage: { form: "member", advice: KEEP },
  indexedDB: { form: "member", advice: KEEP },
  document: { form: "member", advice: NO_PAGE },
  window: { form: "member", advice: `${NO_PAGE}; use \`globalThis\`` },
  navigator: { form: "member", advice: NO_PAGE },
  Deno: { form: "member", advice: "use `ctx`" },
  Bun: { form: "member", advice: "use `ctx`" },
  WebAssembly: { form: "member", advice: "write it in TypeScript, or call it as a service with `ctx.fetch`" },
  global: { form: "member", advice: "use `globalThis`" },
  self: { form: "member", advice: "use `globalThis`" },
  exports: { form: "member", advice: "write `export default`" },
  clearImmediate: { form: "call", advice: "use `queueMicrotask`" },
  File: { form: "new", advice: BYTES },
  FileReader: { form: "new", advice: BYTES },
  caches: { form: "member", advice: KEEP },
  alert: { form: "call", advice: ASK },
  confirm: { form: "call", advice: ASK },
  prompt: { form: "call", advice: ASK },
  requestAnimationFrame: { form: "call", advice: SLEEP },
  requestIdleCallback: { form: "call", advice: SLEEP },
  DOMException: { form: "new", advice: "use `Error`, with a `name`" },
  URLPattern: { form: "new", advice: "use `URL` and a regular expression" },
  Atomics: { form: "member", advice: NO_MEMORY },
  "Date.now": { form: "alone", advice: CLOCK },
  "new Date()": { form: "empty", advice: "use `new Date(ctx.now())`, which needs `clock` under `uses`" },
  "Math.random": { form: "alone", advice: "use `ctx.random()`, which needs `random` under `uses`" },
  ...ofAll(["Event", "EventTarget", "CustomEvent", "MessageEvent", "CloseEvent", "ErrorEvent"], HEARS_NOTHING),
  ...ofAll(["Worker", "SharedWorker", "MessageChannel", "MessagePort", "BroadcastChannel"], ALONE),
  ...ofAll(["ReadableStream", "WritableStream", "TransformStream"], STREAM),
  ...ofAll(["ReadableStreamDefaultReader", "ReadableStreamBYOBReader", "ReadableStreamBYOBRequest"], STREAM),
  ...ofAll(["ReadableStreamDefaultController", "ReadableByteStreamController"], STREAM),
  ...ofAll(["WritableStreamDefaultWriter", "WritableStreamDefaultController"], STREAM),
  ...ofAll(["TransformStreamDefaultController", "ByteLengthQueuingStrategy", "CountQueuingStrategy"], STREAM),
  ...ofAll(["TextEncoderStream", "TextDecoderStream", "CompressionStream", "DecompressionStream"], STREAM),
  ...ofAll(["Performance", "PerformanceEntry", "PerformanceMark", "PerformanceMeasure", "PerformanceObserver"], CLOCK),
  ...ofAll(["PerformanceObserverEntryList", "PerformanceResourceTiming"], CLOCK),
  ...ofAll(["Navigator"], NO_PAGE),
  ...ofAll(["Crypto", "CryptoKey", "SubtleCrypto"], "use `crypto.subtle`"),
  ...ofAll(["SharedArrayBuffer", "WeakRef", "FinalizationRegistry"], NO_MEMORY),
  ...ofAll(["console.time", "console.timeEnd", "console.timeLog"], CLOCK, "call"),
  ...ofAll(["console.count", "console.countReset", "console.dirxml", "console.clear"], LINES, "call"),
};

function ofAll(
  names: readonly string[],
  advice: string,
  form: GlobalForm = "new",
): Readonly<Record<string, ForeignGlobal>> {
  return Object.fromEntries(names.map((name) => [name, { form, advice }]));
}

export const FOREIGN_GLOBALS: ReadonlyMap<string, ForeignGlobal> = new Map(Object.entries(FOREIGN));

/** Advice for what V8 says of a global that is not there, such as `fetch is not defined`; empty for anything else. */
export function adviseOn(message: string): string {
  const [, path = ""] = /(?:^|\s)([\w$.]+) is not (?:defined|a function|a constructor)\.?$/.exec(message) ?? [];
  const name = path.replace(/^(?:globalThis|window|self|global)\./, "");
  const isGlobal = /is not defined/.test(message) || name !== path || name.includes(".");
  const found = isGlobal ? FOREIGN_GLOBALS.get(name) : undefined;
  return found === undefined ? "" : `: ${found.advice}`;
}
