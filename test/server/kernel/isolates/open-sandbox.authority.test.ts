import { assert, asyncProperty, string } from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../server/store/store.ts";
import { jsonValues } from "../../../helpers/json-values.ts";
import { answering, toHandler, toTool } from "./program.ts";
import { useSandbox } from "./use-sandbox.ts";

const { run, fail, sandbox } = useSandbox();

/** Everything a handler finds on `globalThis`. */
const GLOBALS = `AggregateError Array ArrayBuffer AsyncDisposableStack BigInt BigInt64Array BigUint64Array Boolean DataView Date
  DisposableStack Error EvalError Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl
  Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String SuppressedError Symbol
  SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakSet decodeURI
  decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape`;

/** Source of a function that lists every object and function that can be reached from some. */
const REACH = `function reach(roots) {
  const seen = new Set(roots);
  for (const value of seen) {
    const found = [Reflect.getPrototypeOf(value)];
    for (const key of Reflect.ownKeys(value)) {
      const property = Reflect.getOwnPropertyDescriptor(value, key);
      found.push(property.value, property.get, property.set);
    }
    for (let holder = value; holder !== null; holder = Reflect.getPrototypeOf(holder))
      for (const key of Reflect.ownKeys(holder)) try { found.push(value[key]) } catch {}
    for (const one of found) if (Object(one) === one) seen.add(one);
  }
  return [...seen];
}`;

describe("[D8] a handler", () => {
  test("finds what the language has, and nothing else", async () => {
    const found = await run(`return Reflect.ownKeys(globalThis).map(String)
      .filter((name) => name === "undefined" || globalThis[name] !== undefined).sort()`);
    expect(found).toEqual(GLOBALS.split(/\s+/).sort());
  });

  test("reaches nothing of the process around it, from wherever it starts", async () => {
    const body = `const errors = [];
      for (const attempt of [() => ctx.progress("x"), () => null.x, () => ctx.fail(1), () => new Date(), () => decodeURI("%"), () => new Array(-1)])
        try { attempt() } catch (error) { errors.push(error) }
      try { await ctx.state.get(1n) } catch (error) { errors.push(error) }
      const promise = ctx.session.get(); const response = await ctx.fetch("https://a/");
      const samples = [async () => {}, function* () {}, async function* () {}, [][Symbol.iterator](), ctx.fail("CONFLICT", "x"), response, promise];
      const names = new Set();
      for (const value of reach([globalThis, ctx, input, ...errors, ...samples])) {
        try { names.add(typeof value === "function" ? value.name : value.constructor.name) } catch {}
      }
      return [...names];`;
    const names = await run(toHandler(body, REACH), {
      ...answering({ status: 200, headers: {}, body: "" }),
      input: {},
    });
    expect(names).toContain("generate");
    const foreign =
      "process require module Reference ExternalCopy Callback Isolate Context Module Script Buffer Dereference NativeModule";
    expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(`^(?:${foreign.replaceAll(" ", "|")})$`)]));
  });

  test.for([
    "eval('1')",
    "(0, eval)('1')",
    "new Function('return 1')",
    "Function('return 1')",
    "(() => {}).constructor('return this')",
    "(async () => {}).constructor('return this')",
    "(function* () {}).constructor('return this')",
    "(async function* () {}).constructor('return this')",
    "ctx.log.info.constructor('return this')",
    "Reflect.construct(Function, ['return this'])",
    "new (class extends Function {})('return this')",
    "Reflect.construct(Object, [], Function).constructor('return this')",
  ])("makes no code of text: %s", async (code) => {
    const { cause } = await fail(`return ${code}`);
    expect(cause).toMatch(/^TypeError: Code cannot be made from a string here\./);
  });

  test.for([
    "Error.prepareStackTrace = (error, sites) => sites",
    "Error.stackTraceLimit = 1_000",
    "globalThis.shared = 1",
    "globalThis.Promise = class {}",
    "JSON.stringify = () => '[]'",
    "Promise.prototype.then = () => {}",
    "Object.prototype.toJSON = () => 1",
    "Array.prototype[0] = 1",
    "({}).__proto__.polluted = 1",
    "Object.setPrototypeOf(Array.prototype, {})",
    "shared = 1",
    "ctx.log.info.caller",
    "(() => {}).caller",
  ])("cannot: %s", async (code) => {
    expect((await fail(code)).cause).toMatch(/^(?:Type|Reference)Error/);
  });

  test("may shadow what it inherits, as programs do", async () => {
    const body = `class Odd extends Error { constructor() { super("odd"); this.name = "Odd"; this.message += "!" } }
      const counts = {}; for (const word of ["constructor", "toString", "a"]) counts[word] = (Object.hasOwn(counts, word) ? counts[word] : 0) + 1;
      const odd = new Odd(); odd.toString = () => "mine"; const list = [1, 2]; list.map = 1;
      function Old() {} Old.prototype = Object.create(Array.prototype); Old.prototype.constructor = Old;
      return [odd.name, odd.message, odd instanceof Error, String(odd), counts, list.map, new Old() instanceof Old,
        (() => {}) instanceof Function, new Date(0) instanceof Date, class extends Date {}.name]`;
    expect(await run(body)).toEqual([
      "Odd",
      "odd!",
      true,
      "mine",
      { constructor: 1, toString: 1, a: 1 },
      1,
      true,
      true,
      true,
      "",
    ]);
  });
});

describe("[D8] time and chance", () => {
  test.for<[string, string]>([
    ["Date.now()", "clock"],
    ["new Date()", "clock"],
    ["Date()", "clock"],
    ["Reflect.construct(Date, [])", "clock"],
    ["new (class extends Date {})()", "clock"],
    ["new (new Date(0).constructor)()", "clock"],
    ["new Intl.DateTimeFormat().format()", "clock"],
    ["new Intl.DateTimeFormat().formatToParts()", "clock"],
    ["Math.random()", "random"],
  ])("%s says that it takes `%s`", async ([code, use]) => {
    const { name, message } = await fail(`return ${code}`);
    expect([name, message]).toEqual(["FORBIDDEN", expect.stringContaining(`needs \`${use}\` in the tool's \`uses\``)]);
    expect(message).toContain(use === "clock" ? "`ctx.now()`" : "`ctx.random()`");
  });

  test("are the same on every machine where they are not the present", async () => {
    const body = `return [new Date(0).toISOString(), Date.parse("2026-01-01"), Date.UTC(2026), new Date(2026, 0).getTime(), String(new Date(0)),
      new Intl.DateTimeFormat("en").format(0), new Intl.DateTimeFormat().formatToParts(0).length, new Date(0).toLocaleString(),
      new (class extends Date {})(5).getTime(), new Date(new Date(7)).getTime(), Intl.DateTimeFormat().resolvedOptions().timeZone,
      new Intl.NumberFormat().resolvedOptions().locale]`;
    expect(await run(body)).toEqual([
      "1970-01-01T00:00:00.000Z",
      1767225600000,
      1767225600000,
      1767225600000,
      "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)",
      "1/1/1970",
      5,
      "1/1/1970, 12:00:00 AM",
      5,
      7,
      "UTC",
      "en-US",
    ]);
  });
});

describe("[D8] the isolate's own bookkeeping", () => {
  const honest = `const got = await ctx.state.get(["a", 1]);
    ctx.log.info("said", { got }); ctx.progress(1);
    let caught; try { await ctx.session.get() } catch (error) { caught = error.name + error.message }
    const response = await ctx.fetch("https://a/", { headers: { a: "b" } });
    return { got, caught, json: response.json(), random: ctx.random() > 0 }`;
  // Keeps to indexes and to what it took beforehand, so that it is not stopped by what it does.
  const VANDAL = `${REACH}
    const { defineProperty, deleteProperty, ownKeys, set } = Reflect;
    const evil = new Proxy(function () { throw new Error("evil") }, { get() { throw new Error("evil") } });
    const more = ["then", "toJSON", "get", "set", "value", "constructor", "0", "1", "length", "default", Symbol.iterator];
    function spoil(target, keys) {
      let changed = 0;
      for (let at = 0; at < keys.length; at += 1) for (let way = 0; way < 4; way += 1) try {
        if (way === 0 && defineProperty(target, keys[at], { __proto__: null, value: evil })) changed += 1;
        if (way === 1 && defineProperty(target, keys[at], { __proto__: null, get: evil, set: evil, configurable: true })) changed += 1;
        if (way === 2 && set(target, keys[at], evil)) changed += 1;
        if (way === 3 && deleteProperty(target, keys[at])) changed += 1;
      } catch {}
      return changed;
    }
    export function vandalise(ctx) {
      const targets = reach([globalThis, ctx, async function* () {}, [].values(), "".matchAll(/a/g), async () => {}]);
      let changed = 0;
      for (let at = 0; at < targets.length; at += 1) changed += spoil(targets[at], ownKeys(targets[at])) + spoil(targets[at], more);
      return changed;
    }`;

  test("survives a handler that changes whatever it can", async () => {
    const told: [string, Json][] = [];
    const syscall = async (name: string, args: Json) => {
      told.push([name, args]);
      if (name === "session.get") throw new Error("no");
      return name === "fetch" ? { status: 200, headers: {}, body: "[1]" } : { answered: 1 };
    };
    const program = toHandler(`if (input === "vandalise") return vandalise(ctx); ${honest}`, VANDAL);
    const changes = { syscall, tool: toTool({ clock: true, random: true, model: true }) };
    // A slow machine may have replaced an isolate in a test before this one.
    const { replaced } = sandbox().stats();
    const before = await run(program, changes);
    const toldBefore = told.splice(0);
    expect(before).toEqual({
      got: { answered: 1 },
      caught: "INTERNAL_ERRORSomething failed inside Cairn; the log holds the details.",
      json: [1],
      random: true,
    });
    expect(await run(program, { ...changes, input: "vandalise" })).toBeGreaterThan(50);
    expect(await run(program, changes)).toEqual(before);
    expect(told).toEqual(toldBefore);
    expect(sandbox().stats()).toMatchObject({ replaced });
  });

  test("keeps apart what calls say, whatever they say", async () => {
    const program = toHandler(
      "ctx.log.info(input.text, input.value); const got = await ctx.state.set([input.text], input.value); return [input, got]",
    );
    const law = asyncProperty(string({ unit: "binary" }), jsonValues(), async (text, value) => {
      const json: Json = JSON.parse(JSON.stringify(value));
      const told: unknown[] = [];
      const syscall = async (_: string, args: Json) => told.push(args);
      const other = run(program, { input: { text: "other", value: 1 }, ...answering("other") });
      const result = await run(program, { input: { text, value: json }, syscall });
      expect(result).toEqual([{ text, value: json }, 2]);
      expect(told).toEqual([
        { level: "info", message: text, data: json },
        { key: [text], value: json },
      ]);
      expect(await other).toEqual([{ text: "other", value: 1 }, "other"]);
    });
    await assert(law, { numRuns: process.env["CAIRN_LONG"] ? 5_000 : 150 });
  });
});
