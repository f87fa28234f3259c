import { parseAst } from "rolldown/parseAst";
import { describe, expect, test } from "vitest";
import { findObstacles } from "../../../../server/imports/packages/find-obstacles.ts";

/** What a module needs, each with whether it can do without. */
const needsOf = (code: string) =>
  findObstacles("a.js", code, parseAst).map(
    ({ needs, isGuarded }) => `${isGuarded === true ? "may use" : "uses"} ${needs.split(",")[0]}`,
  );

describe("a module of a package", () => {
  test.for([
    ["export const f = (text) => eval(text);", ["uses `eval(...)`"]],
    ["export const f = () => { return new Function('return 1')(); };", ["uses `Function(...)`"]],
    ["export let ok; try { new Function(''); ok = true; } catch { ok = false; }", ["may use `Function(...)`"]],
    ["export const root = globalThis || Function('return this')();", ["may use `Function(...)`"]],
    ["if (typeof eval === 'function') eval('1');", ["may use `eval(...)`"]],
    ["try { eval('1'); } catch {} eval('2');", ["uses `eval(...)`"]],
    ["try { await import('a'); } catch {}", ["uses `import(...)`"]],
    ["if (false) console.log(import.meta.url);", ["uses `import.meta`"]],
    ["const o = { eval: (x) => x }; o.eval('1'); export const Function2 = o instanceof Function;", []],
  ] as const)("%s", ([code, needs]) => {
    expect(needsOf(code)).toEqual(needs);
  });
});
