import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readYaml } from "../../../../../server/versions/manifests/yaml/read-yaml.ts";
import { expectQuick } from "../../../../helpers/expect-quick.ts";

const RUNS = process.env["CAIRN_LONG"] ? 100_000 : 2000;
const SIZE = 250 * 1024;

function fill(part: string): string {
  return part.repeat(Math.floor(SIZE / part.length));
}

function lines(count: number, toLine: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => toLine(index)).join("\n");
}

function rulesOf(text: string): readonly string[] {
  const yaml = readYaml("file.yaml", text);
  return yaml.ok ? [] : yaml.problems.map(({ rule }) => rule);
}

describe("hostile YAML", () => {
  it.each([
    ["a file of 10 MB", "a: 1\n".repeat(2_000_000)],
    ["200,000 brackets", "[".repeat(200_000)],
    ["200,000 braces", "{a: ".repeat(60_000)],
    ["200,000 closed brackets", "[".repeat(100_000) + "]".repeat(100_000)],
    ["dashes without end", fill("- ")],
    ["questions without end", fill("? ")],
    ["colons without end", fill(": ")],
    ["a stair of mappings", lines(700, (index) => `${" ".repeat(index)}a:`)],
    ["50,000 keys on one line", `{${lines(50_000, (index) => `${index.toString(36)},`)}}`],
    ["28,000 keys", lines(28_000, (index) => `k${index}: 1`)],
    ["9,000 keys, which are allowed", lines(9000, (index) => `k${index}: 1`)],
    ["the same key for ever", fill("a: 1\n")],
    ["the same key for ever, on one line", `{${"a: 1,".repeat(9000)}}`],
    ["the same key on as many lines as there may be", "a: 1\n".repeat(9000)],
    ["as many values as there may be", `[${"a,".repeat(19_000)}]`],
    ["anchors on one line", `[${"&a 1,".repeat(19_000)}]`],
    ["aliases of aliases", `a0: &a0 [x]\n${lines(30, (i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`)}`],
    ["a tag that would make a function", "a: !!js/function 'function () { return 1 }'"],
    ["a recursive alias", "a: &a [*a]"],
    ["anchors without end", fill("&a ")],
    ["tags without end", fill("!a ")],
    ["commas without end", `[${fill(",")}`],
    ["items that are never closed", `[${fill("a,")}`],
    ["pairs that are never closed", `[${fill("a: b,")}`],
    ["comments without end", `a: 1\n${fill("#\n")}`],
    ["documents without end", fill("---\n")],
    ["a text of escapes", `a: "${fill("\\x41")}"`],
    ["a text of lines", `a: |\n${fill("  x\n")}`],
    ["a text of empty lines", `a: |\n${fill("\n")}`],
    ["a folded text", `a: >\n${fill("  x\n\n")}`],
    ["a number of many digits", `a: ${fill("9")}`],
    ["an exponent of many digits", `a: 1e${fill("9")}`],
    ["a key of many letters", `${fill("k")}: 1`],
    ["tabs without end", fill("\t")],
    ["mistakes without end", fill("a: >\n   x\n  y\n")],
  ])("[abuse 41] is answered within a second: %s", async (_name, text) => {
    const yaml = await expectQuick(1000, () => readYaml("file.yaml", text));
    if (!yaml.ok) expect(yaml.problems.length).toBeGreaterThan(0);
  });

  it("refuses keys that JavaScript gives a meaning, and keeps those that are mere names", () => {
    expect(rulesOf("a:\n  __proto__: {b: 1}")).toEqual(["yaml-key"]);
    expect(rulesOf('"__proto__": 1')).toEqual(["yaml-key"]);
    const yaml = readYaml("file.yaml", "constructor: 1\ntoString: 2\nhasOwnProperty: 3");
    expect(yaml.ok && yaml.value).toEqual({ constructor: 1, toString: 2, hasOwnProperty: 3 });
  });

  it("refuses what two readers take differently, never choosing one", () => {
    for (const text of ["...\na: 1", "|2\n #c`x", "a: b\n\t\n  c", "\uFEFF- 1", `${"k".repeat(1100)}: 1`]) {
      expect([text, rulesOf(text)]).toEqual([text, [expect.stringMatching(/^(?:ambiguous-yaml|yaml-syntax)$/)]]);
    }
  });

  it("says what is wrong without white space of the text at its end", () => {
    const yaml = readYaml("file.yaml", "\r\n\ufeff>\u00a0");
    expect(yaml.ok ? [] : yaml.problems.map(({ message }) => message)).toEqual([
      "Two YAML readers disagree here: js-yaml takes this, yaml does not: Block scalar header includes extra characters: >",
    ]);
  });

  it("never throws, whatever the text", () => {
    const tokens = fc.constantFrom(
      ..."a|b: |- |\n|\n  |: |? |[|]|{|}|,|'|\"|>|#|!!str |~|1|.5|\t|-|--|---|...|%|@|é|\u2028|\u00a0|\ufeff|\\|<<|&x |*x|=".split(
        "|",
      ),
      "|",
      "|2\n",
      "\r\n",
      "\ud800",
    );
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 12 }), (parts) => {
        const yaml = readYaml("file.yaml", parts.join(""));
        if (!yaml.ok) expect(yaml.problems[0]?.message).toMatch(/[.`)\]]$|\S$/);
      }),
      { numRuns: RUNS },
    );
  });
});
