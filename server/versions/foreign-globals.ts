/** How a global is written where it is used: as a function, after `new`, with a member, or alone. */
export type GlobalForm = "call" | "new" | "member" | "alone";

interface ForeignGlobal {
  readonly form: GlobalForm;
  /** What to do instead; a sentence without its end. */
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

/** Globals of Node.js and browsers that handlers do not have, and what to use in their place. */
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
  performance: { form: "member", advice: "use `ctx.now()`, which needs `clock` under `uses`" },
  localStorage: { form: "member", advice: KEEP },
  sessionStorage: { form: "member", advice: KEEP },
  indexedDB: { form: "member", advice: KEEP },
  document: { form: "member", advice: NO_PAGE },
  window: { form: "member", advice: `${NO_PAGE}; use \`globalThis\`` },
  navigator: { form: "member", advice: NO_PAGE },
  Deno: { form: "member", advice: "use `ctx`" },
  Bun: { form: "member", advice: "use `ctx`" },
  WebAssembly: { form: "member", advice: "write it in TypeScript, or call it as a service with `ctx.fetch`" },
};

export const FOREIGN_GLOBALS: ReadonlyMap<string, ForeignGlobal> = new Map(Object.entries(FOREIGN));

/** Advice for what V8 says of a global that is not there, such as `fetch is not defined`; empty for anything else. */
export function adviseOn(message: string): string {
  const [, name = ""] = /(?:^|\s|\.)([\w$]+) is not (?:defined|a function|a constructor)\.?$/.exec(message) ?? [];
  const isGlobal = /is not defined/.test(message) || /\b(?:globalThis|window|self|global)\.[\w$]+ is not/.test(message);
  const found = isGlobal ? FOREIGN_GLOBALS.get(name) : undefined;
  return found === undefined ? "" : `: ${found.advice}`;
}
