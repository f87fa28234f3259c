import type { ChangedFile, Overreach } from "./overreach.ts";

/** Patterns in the text of a test whose number falls when the test is weakened. */
const PROMISES: readonly (readonly [string, RegExp])[] = [
  ["tests", /(?<![\w.])(?:test|it)(?:\.(?:each|for|prop|concurrent|sequential))*\s*[(<`[]/g],
  ["expectations", /(?<![\w.])(?:expect(?:\.\w+)?|assert(?:\.\w+)*)\s*[(<]/g],
];
const EXEMPTIONS =
  /(?<![\w.])(?:test|it|describe|suite)(?:\.\w+)*\.(?:skip|only|todo|fails|skipIf|runIf)\b|(?<![\w.])(?:xit|xtest|xdescribe|fit|fdescribe)\s*\(/g;
/** Patterns of code that reaches beyond the tested code; tests run in no isolate. */
const REACHES =
  /(?<![\w.])process\s*(?:\?\.|[.[])|[=(,]\s*process\b|\b(?:globalThis|child_process)\b|(?<![\w.])(?:eval|Function|require|fetch|WebSocket|EventSource|Worker)\s*\(|\bimport\s*\(|\bimport\.meta\b|\bconstructor\s*[[(.]/g;
const IMPORTS = /^[ \t]*(?:import\s*|(?:import|export|\})[^"'\n]*\bfrom\s*)["']([^"']+)["']/gm;
const PLAIN_IMPORTS =
  /^(?:vitest|fast-check|ajv|ajv-formats|ajv\/dist\/2020\.js|node:(?:assert(?:\/strict)?|test)|\.{1,2}\/.+)$/;

const VERBS = ["change", "remove", "delete", "drop", "replace", "weaken", "skip", "rewrite"];

/** Tests that would be gone, fewer or skipped, and what tests would reach besides what they test. */
export function findTestOverreach({ path, before, after }: ChangedFile): readonly Overreach[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const ask = {
    sentence: `Change the tests in \`${path}\`.`,
    words: [["test", "tests"], [path, name], VERBS],
  };
  if (after === undefined) return [{ rule: "test", path, message: `\`${path}\` would be deleted.`, ask }];
  const old = before ?? "";
  const fewer = PROMISES.flatMap(([what, pattern]): readonly Overreach[] => {
    const [was, is] = [count(old, pattern), count(after, pattern)];
    return is < was ? [{ rule: "test", path, message: `\`${path}\` would have ${is} ${what}, not ${was}.`, ask }] : [];
  });
  const exempt: readonly Overreach[] =
    count(after, EXEMPTIONS) > count(old, EXEMPTIONS)
      ? [{ rule: "test", path, message: `\`${path}\` would leave tests out, or expect them to fail.`, ask }]
      : [];
  const known = new Set(old.match(REACHES));
  const reached = [...new Set(after.match(REACHES))].filter((word) => !known.has(word));
  const imported = [...after.matchAll(IMPORTS)]
    .map(([, from = ""]) => from)
    .filter((from) => !PLAIN_IMPORTS.test(from) && !old.includes(`"${from}"`));
  const code = [...reached, ...new Set(imported)].map((what): Overreach => {
    const message = `\`${path}\` would use \`${what.trim()}\`, with which tests reach more than what they test.`;
    return { rule: "code", path, message };
  });
  return [...fewer, ...exempt, ...code];
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
