import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
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
  ])("is not seen in %s", (code) => expect(find(code)).toEqual([]));
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
  ])("takes time that grows with the number of %s, and no faster", (part, problems) => {
    const write = (length: number) => `fetch(1);\n${part.repeat(Math.ceil(length / part.length))}`;
    const measure = (code: string) => {
      const start = process.cpuUsage();
      expect(findForeignGlobals("tools/a/b.ts", code).length).toBe(problems);
      const { user } = process.cpuUsage(start);
      return user / 1000;
    };
    const [short, long] = [measure(write(40_000)), measure(write(160_000))];
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
