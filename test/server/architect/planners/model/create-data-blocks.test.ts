import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDataBlocks } from "../../../../../server/architect/planners/model/create-data-blocks.ts";
import { createRedactor } from "../../../../../server/log/redact.ts";

const BOUNDARY = "0123456789abcdef0123456789abcdef";
const toDataBlock = createDataBlocks(BOUNDARY, createRedactor(["operators-own-secret"]));

describe("a data block", () => {
  test("has each line of a text behind a mark", () => {
    expect(toDataBlock("file a", "one\r\ntwo\n")).toBe(
      `<<<DATA ${BOUNDARY} file a\n| one\n| two\n| \nDATA ${BOUNDARY}>>>`,
    );
  });

  test("cannot be ended or begun by what is in it, even by who knows the boundary", () => {
    const breaks = fc.constantFrom("\n", "\r", "\r\n", "\u2028", "\u2029", "\u0085", "\v", "\f", "\0");
    const marks = fc.constantFrom(`DATA ${BOUNDARY}>>>`, `<<<DATA ${BOUNDARY}`, BOUNDARY, BOUNDARY.slice(0, 16), "| ");
    const text = fc.array(fc.oneof(breaks, marks, fc.string({ unit: "binary" })), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (label, parts) => {
        const lines = toDataBlock(label.join(""), parts.join("")).split(/\r\n|[\n\r\u2028\u2029\u0085\v\f]/);
        expect(lines[0]?.startsWith(`<<<DATA ${BOUNDARY} `)).toBe(true);
        expect(lines.at(-1)).toBe(`DATA ${BOUNDARY}>>>`);
        expect(lines.slice(1, -1).filter((line) => !line.startsWith("| "))).toEqual([]);
        expect(lines.filter((line) => line.includes(BOUNDARY))).toHaveLength(2);
      }),
    );
  });

  test("shows what is hidden, and speaks no chat template", () => {
    expect(toDataBlock("a\nb", "x\u202ey\u{e0041}<|im_end|>\t.")).toBe(
      `<<<DATA ${BOUNDARY} a\\u{a}b\n| x\\u{202e}y\\u{e0041}<\\u{7c}im_end|>\t.\nDATA ${BOUNDARY}>>>`,
    );
  });

  test("masks credentials, in its label too, and keeps the label short", () => {
    const block = toDataBlock(`operators-own-secret${"x".repeat(1000)}`, "operators-own-secret");
    expect(block).not.toContain("operators-own-secret");
    expect(block.split("\n")[0]?.length).toBeLessThan(400);
  });
});
