import { initSync } from "es-module-lexer";
import { describe, expect, it } from "vitest";
import { readModule } from "../../../../../server/versions/manifests/handlers/read-module.ts";

initSync();

const PATH = "tools/runner/chat.ts";

function problemsOf(text: string): readonly string[] {
  return readModule(PATH, text).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe("readModule", () => {
  it("erases types and keeps every line and column", () => {
    const text = "import type { A } from './a';\ninterface B { c: A }\nexport default (b: B): A => b.c satisfies A;\n";
    const code = readModule(PATH, text).module?.code ?? "";
    expect(code.split("\n").map(({ length }) => length)).toEqual(text.split("\n").map(({ length }) => length));
    expect(code).toContain("export default (b   )    => b.c            ;");
  });

  it("finds imports, by path in the tree, and where they stand", () => {
    const text = 'import { a } from "./_a.ts";\nexport { b } from "../_lib/b/c.ts";\nexport * from "../_lib/d.ts";\n';
    expect(readModule(PATH, text).module?.imports).toEqual([
      { specifier: "./_a.ts", target: "tools/runner/_a.ts", names: ["a"], at: { line: 1, column: 20 } },
      { specifier: "../_lib/b/c.ts", target: "tools/_lib/b/c.ts", names: ["b"], at: { line: 2, column: 20 } },
      { specifier: "../_lib/d.ts", target: "tools/_lib/d.ts", names: [], at: { line: 3, column: 16 } },
    ]);
  });

  it.each([
    ['import "./a.ts";', []],
    ['import * as all from "./a.ts";', []],
    ['import one from "./a.ts";', ["default"]],
    ['import one, * as all from "./a.ts";', ["default"]],
    ['import one, { a, b as c, default as d, type E } from "./a.ts";', ["default", "a", "b", "default"]],
    ['import { a, // the first, not { b }\n  /* c, */ d } from "./a.ts";', ["a", "d"]],
    ['import { "a b" as c } from "./a.ts";', []],
    ['export { a as b } from "./a.ts";', ["a"]],
  ])("finds the names that are taken by %s", (text, names) => {
    expect(readModule(PATH, text).module?.imports[0]?.names).toEqual(names);
  });

  it.each<[string, readonly string[] | undefined]>([
    [
      "export const a = 1; export function b() {} export class C {} export { a as d }; export default 1;",
      ["a", "b", "C", "d", "default"],
    ],
    ["export const { a } = { a: 1 };", undefined],
    ["export let [a] = [1];", undefined],
    ["export const a = 1, b = 2;", undefined],
    ['export * from "./b.ts";', undefined],
    ['export * as b from "./b.ts";', undefined],
    ["const a = 1;", []],
  ])("lists the exports of %s, where its text alone says them", (text, exports) => {
    const found = readModule(PATH, text).module?.exports;
    expect(found && [...found].toSorted()).toEqual(exports?.toSorted());
  });

  it.each([
    "export default () => 1;",
    "export default function () { return 1; }",
    "export default async function named() {}",
    "export default async function* () {}\n/x/.test('x');",
    "export default class {}",
    "export default class extends Array {}",
    "const f = () => 1;\nexport { f as default };",
    "export { default } from './other.ts';",
    "export default { a: 1 };\nexport {};",
    "export default /* why */ (a: number) => a;",
    "export {\n  a, // first }\n  b,\n};\nconst a = 1, b = 2;\nexport default a;",
    "const value = await Promise.resolve(1);\nexport default () => value;",
    "export const a = 1, b = 2;\nexport async function f() {}\nexport class C {}\nexport default f;",
    "import a, * as b from './a.ts';\nexport default a;",
    "export default ((a) => a) as unknown as (a: number) => number;",
    "abstract class A { declare x: number; abstract y(): void }\nexport default A;",
    "function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: unknown) {}\nexport default f;",
  ])("takes a module: %s", (text) => {
    expect(problemsOf(text)).toEqual([]);
    expect(readModule(PATH, text).module?.hasDefault).toBe(true);
  });

  it.each([
    ["enum A { b }", "1:1 TypeScript enum cannot be erased."],
    ["  namespace A { export const b = 1 }", "1:3 TypeScript namespace declaration cannot be erased."],
    ["class A { constructor(private b: number) {} }", "1:31 TypeScript parameter property cannot be erased."],
    ["import a = require('a');", "1:1 TypeScript import equals declaration cannot be erased."],
    ["const a = 1;\n\tlet é = '漢字😀'; let y: = 3;", /^2:25 Unexpected token `=`/],
    ["const a = [\n  1,\n  2\n;", "4:1 Expected ',', got ';'."],
    ["let a = 1;\nlet é = '漢字😀'; let a = 2;", "2:21 Identifier 'a' has already been declared."],
    [
      "import type { T } from './t.ts';\nexport const a: T = 1;\n  export const a = 2;",
      "3:16 Identifier 'a' has already been declared.",
    ],
    ["@decorated class A {}", "1:1 Invalid or unexpected token."],
    ["class A { accessor b = 1 }", "1:20 Unexpected identifier 'b'."],
    ["export default (a) => { return", /^1:\d+ /],
  ])("tells what cannot run: %s", (text, told) => {
    const [first] = problemsOf(text);
    if (typeof told === "string") expect(first).toBe(told);
    else expect(first).toMatch(told);
  });

  it.each([
    ["import { a } from 'lodash';", "1:20 `lodash` is not part of the version."],
    ["import '/etc/passwd.ts';", "1:9 `/etc/passwd.ts` is not part of the version."],
    ["import 'https://example.com/a.ts';", "1:9 `https://example.com/a.ts` is not part of the version."],
    ["import 'data:text/javascript,1';", "1:9 `data:text/javascript,1` is not part of the version."],
    ["import '../../secrets.ts';", "1:9 `../../secrets.ts` leads out of `tools/`."],
    ["import '../../../tools/a.ts';", "1:9 `../../../tools/a.ts` leads out of `tools/`."],
    ["import './a';", "1:9 `./a` does not end with `.ts`."],
    ["import './a.d.ts';", "1:9 `./a.d.ts` does not end with `.ts`."],
    ["import a from './a.json' with { type: 'json' };", "1:16 `./a.json` does not end with `.ts`."],
    ["import { HOST_API_VERSION } from '../../server/host-api.ts';", /has types only/],
    ["import { type Handler } from 'cairn/host-api';", /has types only/],
    ["export default () => import('./a.ts');", "1:22 `import(...)` could load anything at run time."],
    ["export default (a) => import(a);", "1:23 `import(...)` could load anything at run time."],
    ["export default () => import.meta.url;", "1:22 `import.meta` does not exist in a version."],
  ])("refuses an import: %s", (text, told) => {
    const [first] = problemsOf(text);
    if (typeof told === "string") expect(first).toBe(told);
    else expect(first).toMatch(told);
  });

  it("takes no words for imports that are texts or comments", () => {
    expect(problemsOf("// import 'x'\nexport default () => \"import('x')\" + `import.meta`;\n")).toEqual([]);
  });
});
