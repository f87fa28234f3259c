import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunkLines, MAX_LINE_CHARACTERS } from "../../../../server/capabilities/knowledge/chunk-lines.ts";

const chunk = (path: string, text: string) => {
  const lines = text.split("\n");
  return chunkLines(path, lines).map(({ from, to }) => lines.slice(from - 1, to).join("\n"));
};
const filler = (lines: number, line: string) => `${line}\n`.repeat(lines - 1) + line;

const path = fc.constantFrom("a.yaml", "a.md", "a.ts", "a.json", "LICENSE");
const line = fc.oneof(
  fc.constantFrom(
    "",
    "  ",
    "# Head",
    "```",
    "key:",
    "  - item",
    "export const a = 1;",
    "/** Doc. */",
    " */",
    "}",
    "@x",
    "#!",
  ),
  fc.string({ maxLength: 30 }).map((text) => text.replaceAll("\n", " ")),
  fc.integer({ min: 0, max: MAX_LINE_CHARACTERS }).map((length) => "x".repeat(length)),
);

describe("the chunks of a file", () => {
  test("follow each other and have all its lines, whatever it is", () => {
    fc.assert(
      fc.property(path, fc.array(line, { minLength: 1, maxLength: 200 }), (file, lines) => {
        const chunks = chunkLines(file, lines);
        expect(chunks[0]?.from).toBe(1);
        expect(chunks.at(-1)?.to).toBe(lines.length);
        for (const [index, { from, to }] of chunks.entries()) {
          expect(from).toBeLessThanOrEqual(to);
          expect(to - from).toBeLessThan(60);
          expect(lines.slice(from - 1, to).join("\n").length).toBeLessThanOrEqual(4000);
          if (index > 0) expect(from).toBe((chunks[index - 1]?.to ?? 0) + 1);
        }
      }),
    );
  });

  test("of a small file are one", () => {
    expect(chunk("a.yaml", "a: 1\nb: 2\nc:\n  d: 3")).toHaveLength(1);
    expect(chunk("a.ts", "")).toEqual([""]);
  });

  test("of YAML begin at top-level keys, with the comments above them", () => {
    const input = `input:\n${filler(20, "  a: 1")}`;
    const output = `# What comes back.\noutput:\n${filler(20, "  b: 1")}`;
    expect(chunk("a.yaml", `name: x\n${input}\n${output}`)).toEqual([`name: x\n${input}`, output]);
  });

  test("of Markdown begin at headings, but not at a # in code", () => {
    const first = `# One\n\n\`\`\`sh\n${filler(20, "# no heading")}\n\`\`\``;
    const second = `## Two\n${filler(20, "Words.")}`;
    expect(chunk("a.md", `${first}\n${second}`)).toEqual([first, second]);
  });

  test("of code begin at declarations, with the comments above them", () => {
    const imports = 'import { a } from "./a.ts";\nimport b from "./b.ts";\n';
    const one = `export function one() {\n${filler(15, "  call();")}\n}\n`;
    const two = `/**\n * Does two.\n */\nexport function two() {\n${filler(20, "  call();")}\n}`;
    expect(chunk("a.ts", `${imports}\n${one}\n${two}`)).toEqual([`${imports}\n${one}`, two]);
  });

  test("of what is long are cut at a blank line where there is one", () => {
    const long = `const x = [\n${filler(40, "  1,")}\n\n${filler(40, "  2,")}\n];`;
    expect(chunk("a.ts", long).map((text) => text.split("\n").length)).toEqual([42, 41]);
  });
});
