import { describe, expect, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import type { Json } from "../../../../server/store/store.ts";
import { useArtifacts } from "./use-artifacts.ts";

const { run } = useArtifacts();

/** Milliseconds; the limits of a run end all of these far earlier. */
const PATIENCE = 60_000;

/** What an attempt may come to: the name of an error, or a value. */
type Contained = readonly [title: string, source: string, ...ends: readonly (string | { readonly value: Json })[]];

const FAILED = "ARTIFACT_FAILED";
const value = (of: Json) => ({ value: of });
const body = (code: string) => `export default async function (input, ctx) { ${code} }`;
const returned = (code: string) => body(`return ${code}`);

/** Code that would be made of text. */
const CODE: readonly Contained[] = [
  ["the constructor of a function", returned("(() => {}).constructor('return process')()"), FAILED],
  ["the constructor of the constructor of `this`", body("return this.constructor.constructor('return 1')()"), FAILED],
  ["the constructor of a function of `ctx`", returned("ctx.log.info.constructor('return process')()"), FAILED],
  ["of `ctx.artifacts.ask`", returned("ctx.artifacts.ask.constructor.constructor('return globalThis')()"), FAILED],
  ["of an async function", returned("(async () => {}).constructor('return 1')()"), FAILED],
  ["of a generator", returned("(function* () {}).constructor('yield 1')().next()"), FAILED],
  ["of an async generator", returned("(async function* () {}).constructor('yield 1')().next()"), FAILED],
  ["of a class", returned("(class {}).constructor('return 1')()"), FAILED],
  [
    "of an error of the host",
    body("try { await ctx.state.get(['a']) } catch (e) { return e.constructor.constructor('return process')() }"),
    FAILED,
  ],
  [
    "of a promise of the host",
    body("return ctx.artifacts.ask('x', {}).constructor.constructor('return process')()"),
    FAILED,
  ],
  ["of the array of a call", returned("[].at.constructor('return this')()"), FAILED],
  ["Reflect.construct of Function", returned("Reflect.construct(Function, ['return process'])()"), FAILED],
  [
    "Reflect.construct through a new target",
    returned("Reflect.construct(Object, [], Function).constructor('return 1')()"),
    FAILED,
  ],
  ["a subclass of Function", returned("new (class extends Function {})('return this')()"), FAILED],
  ["a bound constructor", returned("Function.bind(null, 'return process')()()"), FAILED],
  ["a proxy around Function", returned("new Proxy(Function, {})('return process')()"), FAILED],
  ["eval", returned("eval('1')"), FAILED],
  ["indirect eval", returned("(0, eval)('this')"), FAILED],
  ["eval by another name", returned("globalThis['ev' + 'al']('1')"), FAILED],
  ["a getter that is made of text", returned("Object.prototype.__defineGetter__.constructor('return 1')()"), FAILED],
  ["a timer that takes text", returned("setTimeout('1')"), FAILED],
];

/** What the machine around it has. */
const REACH: readonly Contained[] = [
  [
    "the names of a process",
    returned("[typeof process, typeof require, typeof module, typeof Buffer, typeof global, typeof Deno, typeof Bun]"),
    value(Array<string>(7).fill("undefined")),
  ],
  [
    "the names of a network",
    returned(
      "[typeof fetch, typeof XMLHttpRequest, typeof WebSocket, typeof EventSource, typeof navigator, typeof Request]",
    ),
    value(Array<string>(6).fill("undefined")),
  ],
  [
    "timers",
    returned("[typeof setTimeout, typeof setInterval, typeof setImmediate, typeof requestAnimationFrame]"),
    value(Array<string>(4).fill("undefined")),
  ],
  [
    "clocks",
    returned("[typeof performance, typeof Temporal, typeof scheduler]"),
    value(Array<string>(3).fill("undefined")),
  ],
  ["Date.now", returned("Date.now()"), "FORBIDDEN"],
  ["new Date", returned("new Date().getTime()"), "FORBIDDEN"],
  ["a date through its constructor", returned("new (new Date(0).constructor)().getTime()"), "FORBIDDEN"],
  ["a date through Intl", returned("new Intl.DateTimeFormat().format()"), "FORBIDDEN"],
  ["Math.random", returned("Math.random()"), "FORBIDDEN"],
  [
    "shared memory",
    returned("[typeof SharedArrayBuffer, typeof Atomics, typeof WebAssembly]"),
    value(Array<string>(3).fill("undefined")),
  ],
  [
    "shared memory of WebAssembly",
    returned("new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer"),
    FAILED,
  ],
  ["a WebAssembly module", returned("new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))"), FAILED],
  [
    "garbage collection",
    returned("[typeof gc, typeof WeakRef, typeof FinalizationRegistry]"),
    value(Array<string>(3).fill("undefined")),
  ],
  [
    "what embeds it",
    returned(
      "[typeof ivm, typeof _ivm, typeof Reference, typeof ExternalCopy, typeof Isolate, typeof enter, typeof install]",
    ),
    value(Array<string>(7).fill("undefined")),
  ],
  [
    "copies and channels",
    returned("[typeof MessageChannel, typeof BroadcastChannel, typeof Worker, typeof ShadowRealm]"),
    value(Array<string>(4).fill("undefined")),
  ],
  ["a clone of what shares memory or code", returned("structuredClone(() => process)"), FAILED],
  [
    "the functions of the host behind URLs and digests",
    returned(
      "Object.getOwnPropertyNames(globalThis).concat(typeof URL, typeof crypto).filter((name) => name.startsWith('cairn:'))",
    ),
    value([]),
  ],
  ["syntax of the engine", returned("%GetHeapUsage()"), FAILED],
  ["dynamic import", returned("import('node:fs')"), FAILED],
  ["dynamic import of a data URL", returned("import('data:text/javascript,export default 1')"), FAILED],
  ["dynamic import of itself", returned("import('./artifact.js')"), FAILED],
  ["import.meta", returned("import.meta.url"), FAILED],
  ["a static import", `import fs from "node:fs"; ${returned("1")}`, FAILED],
  ["a static import of the guest", `import { enter } from "./guest.ts"; ${returned("1")}`, FAILED],
  ["a static import by an absolute path", `import x from "/etc/passwd"; ${returned("1")}`, FAILED],
  ["a static import with attributes", `import x from "./artifact.js" with { type: "json" }; ${returned("1")}`, FAILED],
  ["an export from elsewhere", `export * from "node:child_process"; ${returned("1")}`, FAILED],
  ["network of the host API", returned("ctx.fetch('https://example.com/')"), "FORBIDDEN"],
  ["files of the host API", returned("ctx.fs.read('run', '/etc/passwd')"), "FORBIDDEN"],
  ["commands of the host API", returned("ctx.exec.run('run', ['id'])"), "FORBIDDEN"],
  ["state of the handler that runs it", returned("ctx.state.scan([])"), "FORBIDDEN"],
  ["lineage of the handler that runs it", returned("ctx.lineage.read()"), "FORBIDDEN"],
  ["tools of the version", returned("ctx.tools.call('artifact_delete', {})"), "FORBIDDEN"],
  [
    "the caller's person",
    returned("ctx.elicit('q', { message: 'password?', schema: { type: 'object', properties: {} } })"),
    "FORBIDDEN",
  ],
  ["who calls", returned("ctx.principal()"), "FORBIDDEN"],
  [
    "a conversation, to look its logs up",
    returned("ctx.call.conversationId"),
    value("00000000-0000-0000-0000-000000000000"),
  ],
  ["what it was not granted", returned("ctx.artifacts.ask('state.set', { key: ['a'], value: 1 })"), "FORBIDDEN"],
  ["a grant by a name that every object has", returned("ctx.artifacts.ask('constructor', {})"), "FORBIDDEN"],
];

/** Errors and stacks. */
const STACKS: readonly Contained[] = [
  [
    "call sites",
    body(
      "Error.prepareStackTrace = (_, sites) => sites.map((site) => String(site.getThis())); return new Error('x').stack",
    ),
    FAILED,
  ],
  ["a longer stack", body("Error.stackTraceLimit = 1e9; return new Error('x').stack"), FAILED],
  ["paths in stacks", body("return /server|node_modules|isolated|file:/.test(new Error('x').stack)"), value(false)],
  [
    "paths in captured stacks",
    body("const holder = {}; Error.captureStackTrace(holder); return /node_modules|isolated|file:/.test(holder.stack)"),
    value(false),
  ],
  ["the function that called", body("return (function f() { return f.caller })()"), FAILED],
  ["arguments.callee", body("return (function () { return arguments.callee })()"), FAILED],
  [
    "errors at the end of the stack",
    body("let got; (function f() { try { f() } catch (e) { got ??= e.constructor === RangeError } })(); return got"),
    value(true),
  ],
  [
    "the host at the end of the stack",
    body(
      "const names = new Set(); (function f() { try { f() } catch { try { ctx.log.info('x') } catch (e) { names.add(e.constructor === RangeError || e instanceof Error) } } })(); return [...names].every(Boolean)",
    ),
    value(true),
  ],
  ["an error that is no error", body("throw { get stack() { throw 1 }, get name() { throw 2 } }"), FAILED],
  [
    "a proxy as error",
    body("throw new Proxy({}, { get() { throw 1 }, has() { throw 2 }, getPrototypeOf() { throw 3 } })"),
    FAILED,
  ],
  ["an error with a message without end", body("throw new Error('x'.repeat(1e7))"), FAILED],
  ["an error with the name of another", body("throw Object.assign(new Error('x'), { name: 'FORBIDDEN' })"), FAILED],
  ["a name that no program may raise", body("throw ctx.fail('UNAUTHENTICATED', 'x')"), FAILED],
  ["null", body("throw null"), FAILED],
  ["a symbol", body("throw Symbol('x')"), FAILED],
];

/** What everything inherits from, and what the isolate does with its own. */
const PROTOTYPES: readonly Contained[] = [
  ["a member of every object", body("Object.prototype.polluted = 1; return ({}).polluted ?? null"), FAILED],
  ["__proto__", body("({}).__proto__.polluted = 1; return 1"), FAILED],
  ["a `then` of every object", body("Object.prototype.then = (r) => r(1); return {}"), FAILED],
  ["a `toJSON` of every object", body("Object.prototype.toJSON = () => 'forged'; return { a: 1 }"), FAILED],
  [
    "an index of every array",
    body("Object.defineProperty(Array.prototype, 0, { set() { throw 1 } }); return [1]"),
    FAILED,
  ],
  ["another JSON", body("JSON.stringify = () => '1'; return { a: 1 }"), FAILED],
  ["another Promise", body("globalThis.Promise = class {}; return 1"), FAILED],
  ["another `then` of promises", body("Promise.prototype.then = () => {}; return 1"), FAILED],
  [
    "another `call`",
    body("Function.prototype.call = () => { throw 1 }; await ctx.log.info('x'); return 1"),
    value(1),
    FAILED,
  ],
  [
    "another iterator of arrays",
    body("Array.prototype[Symbol.iterator] = function* () { yield 'forged' }; ctx.log.info('x'); return [1, 2]"),
    value([1, 2]),
    FAILED,
  ],
  ["another `map` of arrays", body("Array.prototype.map = () => 'forged'; return [1, 2]"), value([1, 2]), FAILED],
  ["another prototype of arrays", body("Object.setPrototypeOf(Array.prototype, { 0: 1 }); return []"), FAILED],
  ["a setter on `ctx`", body("Object.defineProperty(ctx, 'log', { value: 1 }); return 1"), FAILED],
  ["the prototype of `ctx`", body("Object.getPrototypeOf(ctx).fetch = () => 1; return 1"), FAILED],
  ["private members of `ctx`", body("return Reflect.ownKeys(ctx).length"), value(0)],
  [
    "another species",
    body("class A extends Array { static get [Symbol.species]() { throw 1 } } return [...new A(1, 2)]"),
    value([1, 2]),
  ],
  [
    "names in the module's namespace",
    `export const then = (r) => r("forged"); export const enter = 1; ${returned("1")}`,
    value(1),
  ],
  ["a default export that is none", "export default { run() {} }", FAILED],
  [
    "a default export behind a proxy",
    "export default new Proxy(function () {}, { apply: () => 'proxied' })",
    value("proxied"),
  ],
  ["no default export", "export const run = 1", FAILED],
];

/** What comes back. */
const RESULTS: readonly Contained[] = [
  ["a result without end", returned("'x'.repeat(300_000)"), "RESULT_TOO_LARGE"],
  ["a result of large characters", returned("'\\u{1F600}'.repeat(70_000)"), "RESULT_TOO_LARGE"],
  ["a result without end, in memory", returned("'x'.repeat(2 ** 28)"), "RESULT_TOO_LARGE", "MEMORY_LIMIT", FAILED],
  [
    "a result without bottom",
    body("let deep = []; for (let i = 0; i < 1e6; i += 1) deep = [deep]; return deep"),
    "OUTPUT_INVALID",
    "MEMORY_LIMIT",
  ],
  ["a cycle", body("const a = {}; a.a = a; return a"), "OUTPUT_INVALID"],
  ["a BigInt", returned("1n"), "OUTPUT_INVALID"],
  ["a `toJSON` that throws", returned("({ toJSON() { throw new Error('x') } })"), "OUTPUT_INVALID"],
  ["a `toJSON` that never ends", returned("({ toJSON() { for (;;); } })"), "CPU_LIMIT"],
  ["a getter that never ends", returned("({ get a() { for (;;); } })"), "CPU_LIMIT"],
  ["a `then` that never calls back", returned("({ then() {} })"), "NEVER_SETTLES"],
  ["a `then` that calls back twice", returned("({ then(r) { r(1); r(2) } })"), value(1)],
  ["a proxy that throws", returned("new Proxy({}, { ownKeys() { throw new Error('x') } })"), "OUTPUT_INVALID"],
  [
    "events in a string",
    returned(`'"],["done",1,"forged"],["tell",1,"log",{}]'`),
    value('"],["done",1,"forged"],["tell",1,"log",{}]'),
  ],
  ["line breaks in a string", returned("'\\n\\r\\u2028\\u2029left 1 0 '"), value("\n\r\u2028\u2029left 1 0 ")],
  ["half a character", returned("'\\ud800'"), value("\ud800")],
  [
    "a key called __proto__",
    returned('JSON.parse(\'{"__proto__":{"a":1}}\')'),
    value(JSON.parse('{"__proto__":{"a":1}}') as Json),
  ],
  ["a rejection that nobody handles", body("Promise.reject(new Error('x')); return 1"), value(1), FAILED],
  ["work after the end", body("(async () => { for (;;) await null })(); return 1"), value(1), "CPU_LIMIT"],
];

/** Processor, memory and time. */
const RESOURCES: readonly Contained[] = [
  ["a loop", body("for (;;);"), "CPU_LIMIT"],
  ["a loop that catches", body("for (;;) try { for (;;); } catch {} finally { continue }"), "CPU_LIMIT"],
  ["a loop of microtasks", body("for (;;) await null"), "CPU_LIMIT"],
  [
    "a loop of promises",
    body("(function f() { Promise.resolve().then(f) })(); await new Promise(() => {})"),
    "CPU_LIMIT",
  ],
  ["a regular expression that backtracks", returned("/^(a+)+$/.test('a'.repeat(40) + 'b')"), "CPU_LIMIT"],
  [
    "a regular expression that backtracks in replace",
    returned("('a'.repeat(40) + 'b').replace(/^(a|aa)+$/, '')"),
    "CPU_LIMIT",
  ],
  [
    "a regular expression with lookbehind",
    returned("/(?<=^(a+)+)b/.test('a'.repeat(40) + 'c')"),
    "CPU_LIMIT",
    value(false),
  ],
  ["a comparison that never ends", returned("[1, 2].sort(() => { for (;;); })"), "CPU_LIMIT"],
  ["a conversion that never ends", returned("`${{ [Symbol.toPrimitive]() { for (;;); } }}`"), "CPU_LIMIT"],
  ["a trap that never ends", returned("'a' in new Proxy({}, { has() { for (;;); } })"), "CPU_LIMIT"],
  [
    "a power without end",
    returned("String(7n ** (7n ** 9n)).length"),
    "CPU_LIMIT",
    FAILED,
    "MEMORY_LIMIT",
    "CPU_LIMIT",
  ],
  ["a sum over holes", returned("Array(2 ** 32 - 1).indexOf(1)"), "CPU_LIMIT", value(-1)],
  ["a promise that nothing settles", body("await new Promise(() => {})"), "NEVER_SETTLES"],
  ["objects without end", body("const all = []; for (;;) all.push({ a: [all.length] })"), "MEMORY_LIMIT", "CPU_LIMIT"],
  [
    "strings without end",
    body("let text = 'ab'; const all = []; for (;;) { text += text; all.push(text.at(-1), [...text]) }"),
    "MEMORY_LIMIT",
    FAILED,
    "CPU_LIMIT",
  ],
  [
    "keys without end",
    body("const map = new Map(); for (let i = 0; ; i += 1) map.set(`key ${i}`, [i])"),
    "MEMORY_LIMIT",
    "CPU_LIMIT",
  ],
  [
    "buffers without end",
    body("const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))"),
    "MEMORY_LIMIT",
    "CPU_LIMIT",
  ],
  ["one buffer that is too large", returned("new ArrayBuffer(2 ** 36)"), "MEMORY_LIMIT", FAILED],
  [
    "a buffer that grows",
    body(
      "const b = new ArrayBuffer(1, { maxByteLength: 2 ** 31 }); b.resize(2 ** 31 - 1); new Uint8Array(b).fill(1); return 1",
    ),
    "MEMORY_LIMIT",
    FAILED,
    "CPU_LIMIT",
  ],
  ["an array that is too large", returned("new Array(2 ** 27).fill({})"), "MEMORY_LIMIT", FAILED, "CPU_LIMIT"],
  ["a join that is too large", returned("Array(2 ** 28).join('abc').length"), "MEMORY_LIMIT", FAILED, "CPU_LIMIT"],
  ["functions without end", body("const all = []; for (;;) all.push(() => all)"), "MEMORY_LIMIT", "CPU_LIMIT"],
  [
    "generators without end",
    body("const all = []; for (;;) { const g = (function* () { yield [all] })(); g.next(); all.push(g) }"),
    "MEMORY_LIMIT",
    "CPU_LIMIT",
  ],
  ["a stack without end", body("return (function f() { return f() + 1 })()"), FAILED],
  ["a stack of promises", body("const f = async () => { await f() }; await f()"), FAILED, "MEMORY_LIMIT", "CPU_LIMIT"],
  [
    "logs without end",
    body("for (let i = 0; i < 1e5; i += 1) ctx.log.info('x'.repeat(100)); return 1"),
    value(1),
    "CPU_LIMIT",
    "MEMORY_LIMIT",
    "CPU_LIMIT",
  ],
  [
    "questions without end",
    body(
      "const all = []; for (let i = 0; i < 1e4; i += 1) all.push(ctx.artifacts.ask('x', {})); await Promise.all(all)",
    ),
    FAILED,
  ],
  ["questions that are too large", body("await ctx.artifacts.ask('x', 'x'.repeat(1e7))"), FAILED, "MEMORY_LIMIT"],
];

/** What does so much that a busy machine may end it by the processor limit, before it comes to what else would. */
const HEAVY = /without end|without bottom|too large|that grows|end of the stack|stack of promises|over holes/;

const TABLES = { CODE, REACH, STACKS, PROTOTYPES, RESULTS, RESOURCES };

async function toEnd(source: string): Promise<Json | undefined | { readonly error: string; readonly message: string }> {
  try {
    return { value: (await run(source, { asks: ["x"], tenant: "hostile" })) ?? null };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return { error: error.name, message: error.message };
  }
}

describe.each<[string, readonly Contained[]]>(Object.entries(TABLES))("[D8] an artifact's attempts: %s", (_, table) => {
  test.for<Contained>(table)("%s", { timeout: PATIENCE }, async ([title, source, ...ends]) => {
    const neighbour = run("export default (n) => n + 1", { input: 1, tenant: "neighbour" });
    const end = await toEnd(source);
    const likely = HEAVY.test(title) ? [...ends, "CPU_LIMIT"] : ends;
    // Of the processor a busy machine may give it less than its limit in the seconds that it has by the clock.
    const allowed = likely.includes("CPU_LIMIT") ? [...likely, "TIME_LIMIT"] : likely;
    const expected: unknown[] = allowed.map((one) =>
      typeof one === "string" ? { error: one, message: expect.any(String) } : one,
    );
    expect(expected).toContainEqual(end);
    expect(JSON.stringify(end).length).toBeLessThan(4_000);
    expect(JSON.stringify(end)).not.toMatch(/node_modules|isolated-vm|file:\/\/|\/server\//);
    expect(await neighbour).toBe(2);
  });
});
