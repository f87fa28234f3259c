import { execFile } from "node:child_process";
import { builtinModules } from "node:module";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { FOREIGN_GLOBALS } from "../../../../../server/versions/manifests/handlers/foreign-globals.ts";
import { findForeignGlobals } from "../../../../../server/versions/manifests/handlers/find-foreign-globals.ts";
import { maskLiterals } from "../../../../../server/versions/manifests/handlers/mask-literals.ts";

const find = (code: string) =>
  findForeignGlobals("tools/a/b.ts", code).map(({ column, message }) => `${column} ${/`(.*?)`/.exec(message)?.[1]}`);

describe("a global that handlers do not have", () => {
  test.each([
    ["await fetch(url)", ["7 fetch"]],
    ["setTimeout(() => run({ a: 1 }), 5)", ["1 setTimeout"]],
    ["new WebSocket(url); new XMLHttpRequest()", ["5 WebSocket", "25 XMLHttpRequest"]],
    ["const { readFile } = require('fs')", ["22 require"]],
    ["process.env.KEY ?? Buffer?.from(a)", ["1 process", "20 Buffer"]],
    ["join(__dirname, 'a')", ["6 __dirname"]],
    ["if (fetch(a)) { b() }", ["5 fetch"]],
    ["const a = `${`${fetch('}')}`}`", ["17 fetch"]],
    ["await globalThis.fetch(url); new globalThis.Worker(a)", ["7 fetch", "34 Worker"]],
    ["global.a; self.b; exports.c = 1; caches.open(d)", ["1 global", "11 self", "19 exports", "34 caches"]],
    ["class A extends EventTarget {} a instanceof File", ["17 EventTarget", "45 File"]],
    ["new ReadableStream(); new CompressionStream('gzip')", ["5 ReadableStream", "27 CompressionStream"]],
    ["alert('a'); console.time('b')", ["1 alert", "13 console.time"]],
    ["a(Date.now()); times.map(Date.now)", ["3 Date.now", "26 Date.now"]],
    ["const a = new Date(); Date(); new Date;", ["15 new Date()", "23 new Date()", "35 new Date()"]],
    ["new Date(text) < new Date( )", ["22 new Date()"]],
    ["Math.random() + Math.max(1, globalThis.Math.random())", ["1 Math.random", "29 Math.random"]],
  ])("is found in %s", (code, uses) => expect(find(code)).toEqual(uses));

  test.each([
    "await ctx.fetch(url); this.#fetch(url)",
    "const { fetch } = ctx; await fetch(url)",
    "function fetch(a) { return a } fetch(1)",
    "const a = { async fetch(url) { return url } }; fetch(1)",
    "const load = (fetch) => fetch(1)",
    "import { process } from './process.ts'; process.run()",
    "if (typeof process !== 'undefined') process.exit()",
    "const process = steps; process.map(run)",
    "const a = 'fetch(url)'; /* process.env */ // require('fs')",
    "const a = /fetch(x)/.test(b)",
    "const a = `require('x') ${1} setTimeout(2)`",
    "({ process: 1, Buffer: 2 })",
    "prefetch(url); fetchAll(url); $fetch(url)",
    "new Date(text); new Date(0); new Date('2026-01-31'); new Date(`2026`); Date.parse(a); Date.UTC(1, 2)",
    "a instanceof Date; new Date /* of what was written down in the book of all hours */ (text); new Date /* of it */ ('2026-01-31')",
    "const a = 'Date.now()'; // Math.random() new Date()",
    "import { Date } from './date.ts'; Date.now(); new Date()",
    "const run = (Math) => Math.random()",
    "const { console } = ctx; console.time('a')",
    "class Date { static now() {} } Date.now()",
    "ctx.Date.now(); math.random(); Dates.now()",
    "globalThis.fetch?.(url); if (globalThis.fetch) go()",
    "const self = this; self.go()",
    "const list = ({ self }) => self.a; const a = { self: 1 }",
    "console.log(1); console.table(a)",
    "import { prompt } from './ask.ts'; prompt('a')",
  ])("is not seen in %s", (code) => expect(find(code)).toEqual([]));
});

test("every global of Node.js is one that handlers have, or is found", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "-p",
    "Object.getOwnPropertyNames(globalThis).join(' ')",
  ]);
  const language: readonly string[] = runInNewContext("Object.getOwnPropertyNames(globalThis)");
  const had =
    "URL URLSearchParams TextEncoder TextDecoder atob btoa crypto structuredClone AbortController AbortSignal queueMicrotask";
  const known = new Set([...language, ...builtinModules, ...had.split(" ")]);
  const others = stdout
    .trim()
    .split(" ")
    .filter((name) => !known.has(name) && !name.startsWith("node:"));
  expect(others.length).toBeGreaterThan(50);
  expect(others.filter((name) => !FOREIGN_GLOBALS.has(name))).toEqual([]);
});

describe("long code", () => {
  test.each([
    ["(/[", 1],
    ["=/a", 1],
    ["a/b;", 1],
    // Nothing closes them.
    ["fetch(", 0],
    // The first fifty, and how many more.
    ["fetch()", 51],
    ["(/\\", 1],
    ["`${", 1],
    ["{", 1],
    ["'", 1],
    ["/*", 1],
    [" /  ", 1],
    ["return/[", 1],
    ["(/[a]", 1],
    ["Date(", 0],
    ["new Date;", 51],
    ["Date.now(", 51],
    ["Math,(", 0],
    ["globalThis.", 1],
  ])("takes time that grows with the number of %s, and no faster", (part, problems) => {
    const head = problems === 0 && part !== "fetch(" ? "a()" : "fetch(1)";
    const write = (length: number) => `${head};\n${part.repeat(Math.ceil(length / part.length))}`;
    const measure = (code: string) => {
      const start = process.cpuUsage();
      expect(findForeignGlobals("tools/a/b.ts", code).length).toBe(problems);
      const { user } = process.cpuUsage(start);
      return user / 1000;
    };
    const short = measure(write(40_000));
    // The better of two: a collection of garbage costs hundreds of milliseconds on a busy machine.
    const long = Math.min(measure(write(160_000)), measure(write(160_000)));
    // Four times the text: 4 where it grows with the length, 16 with its square. Short measures vary by milliseconds.
    expect(long).toBeLessThan(8 * short + 100);
  });
});

describe("maskLiterals", () => {
  test("moves nothing, whatever the text", () => {
    assert(
      property(string({ unit: constantFrom(..."`'\"/*${}\\\nab()[] ") }), (code) => {
        const masked = maskLiterals(code);
        expect(masked.length).toBe(code.length);
        expect(masked.split("\n").map(({ length }) => length)).toEqual(code.split("\n").map(({ length }) => length));
      }),
    );
  });

  test("keeps code, and blanks what is quoted", () => {
    expect(maskLiterals(`a = "x\\"" + b / c / d; return /[/"]/g; \`t\${e("f")}t\``)).toBe(
      "a =       + b / c / d; return        ;     e(   )   ",
    );
  });
});
