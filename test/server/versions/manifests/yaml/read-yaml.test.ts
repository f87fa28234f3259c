import { dump } from "js-yaml";
import * as fc from "fast-check";
import { stringify } from "yaml";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../../../server/json/canonical-json.ts";
import { readYaml } from "../../../../../server/versions/manifests/yaml/read-yaml.ts";

const RUNS = process.env["CAIRN_LONG"] ? 20_000 : 400;

function read(text: string): unknown {
  const yaml = readYaml("file.yaml", text);
  return yaml.ok ? yaml.value : yaml.problems;
}

function rulesOf(text: string): readonly string[] {
  const yaml = readYaml("file.yaml", text);
  return yaml.ok ? [] : yaml.problems.map(({ rule }) => rule);
}

describe("readYaml", () => {
  it("reads YAML 1.2: words that YAML 1.1 took for booleans are texts", () => {
    expect(read("a: yes\nb: on\nc: 0o17\nd: 0x1F\ne: 1_000\nf: 2020-01-01\ng: ~\nh: 1e3\n")).toEqual({
      a: "yes",
      b: "on",
      c: 15,
      d: 31,
      e: "1_000",
      f: "2020-01-01",
      g: null,
      h: 1000,
    });
  });

  it("reads a file with a document marker and comments", () => {
    expect(read("# comment\n---\na: [1, {b: c}] # more\n...\n")).toEqual({ a: [1, { b: "c" }] });
  });

  it("says where keys and values are", () => {
    const yaml = readYaml("file.yaml", "a:\n  - b: 1\n    c: {d: 'e'}\n  - |\n    text\nf:\n");
    if (!yaml.ok) throw new Error("refused");
    const at = (...path: readonly (string | number)[]) => yaml.position(path);
    expect(at("a", 0, "b")).toEqual({ line: 2, column: 8 });
    expect(yaml.position(["a", 0, "b"], "key")).toEqual({ line: 2, column: 5 });
    expect(at("a", 0, "c", "d")).toEqual({ line: 3, column: 12 });
    expect(at("a", "1")).toEqual({ line: 4, column: 5 });
    expect(at("f")).toEqual({ line: 6, column: 1 });
    expect(at("a")).toEqual({ line: 1, column: 1 });
  });

  it("says where the nearest thing is that is there", () => {
    const yaml = readYaml("file.yaml", "a:\n  b: 1\n");
    if (!yaml.ok) throw new Error("refused");
    expect(yaml.position(["a", "missing", "deeper"])).toEqual({ line: 1, column: 1 });
    expect(yaml.position(["a", "b", "deeper"])).toEqual({ line: 2, column: 3 });
    expect(yaml.position([])).toEqual({ line: 1, column: 1 });
  });

  it.each(["\n", "\r\n"])("says that a conflict is unresolved, and where it begins, with line ends %j", (end) => {
    const lines = ["a: 1", "b:", "<<<<<<< yours", "  c: 2", "=======", "  c: 3", ">>>>>>> document", ""];
    expect(read(lines.join(end))).toMatchObject([
      {
        rule: "yaml-syntax",
        message: "A conflict is unresolved here.",
        line: 3,
        column: 1,
        fix: "Keep what you want of both sides, and delete the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`.",
      },
    ]);
    expect(read("a: |\n  <<<<<<< yours\n")).toEqual({ a: "<<<<<<< yours\n" });
  });

  it("counts lines and columns in files of Windows, and refuses those of old Macs", () => {
    const yaml = readYaml("file.yaml", "a: 1\r\nb:\r\n  é: 2\r\n");
    if (!yaml.ok) throw new Error("refused");
    expect(yaml.position(["b", "é"])).toEqual({ line: 3, column: 6 });
    expect(rulesOf("a: 1\rb: 2\r")).toEqual(["ambiguous-yaml"]);
  });
});

describe("any JSON value, written by either library", () => {
  const values = fc.jsonValue({ maxDepth: 5 });

  it.each([
    ["yaml", (value: unknown) => stringify(value)],
    [
      "yaml in one line",
      (value: unknown) => stringify(value, { collectionStyle: "flow", aliasDuplicateObjects: false }),
    ],
    ["js-yaml", (value: unknown) => dump(value)],
    ["JSON", (value: unknown) => JSON.stringify(value)],
  ])("[D2] is read back as it was, or refused (%s)", (_name, write) => {
    let readBack = 0;
    fc.assert(
      fc.property(values, (value) => {
        const yaml = readYaml("file.yaml", write(value));
        if (!yaml.ok) return;
        readBack++;
        // As text: YAML keeps the sign of zero, which JSON has no use for.
        expect(canonicalJson(yaml.value)).toBe(canonicalJson(value));
      }),
      { numRuns: RUNS },
    );
    expect(readBack).toBeGreaterThan(RUNS * 0.9);
  });

  it("has its keys where `position` says", () => {
    const keys = fc.stringMatching(/^[a-z][a-z_-]{0,8}$/);
    const trees = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        fc.dictionary(keys, tie("node"), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
        fc.array(tie("node"), { minLength: 1, maxLength: 3 }),
      ),
    })).node;
    fc.assert(
      fc.property(trees, fc.boolean(), (tree, inOneLine) => {
        const text = stringify(tree, inOneLine ? { collectionStyle: "flow" } : {});
        const lines = text.split("\n");
        const yaml = readYaml("file.yaml", text);
        if (!yaml.ok) return;
        const visit = (value: unknown, path: readonly (string | number)[]): void => {
          if (typeof value !== "object" || value === null) return;
          for (const [key, inner] of Object.entries(value)) {
            const step = [...path, Array.isArray(value) ? Number(key) : key];
            if (!Array.isArray(value)) {
              const { line, column } = yaml.position(step, "key");
              expect(lines[line - 1]?.slice(column - 1, column - 1 + key.length)).toBe(key);
            }
            if (typeof inner === "number") {
              const { line, column } = yaml.position(step);
              expect(Number.parseInt(lines[line - 1]?.slice(column - 1) ?? "", 10)).toBe(inner);
            }
            visit(inner, step);
          }
        };
        visit(tree, []);
      }),
      { numRuns: RUNS / 4 },
    );
  });
});
