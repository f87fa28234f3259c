import { describe, expect, it } from "vitest";
import { readText } from "../../../../server/versions/manifests/read-text.ts";

function bytes(...parts: readonly (string | number)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([part]))));
}

describe("readText", () => {
  it("reads UTF-8, the replacement character included", () => {
    expect(readText("a", bytes("é漢😀\uFFFD"))).toEqual({ ok: true, text: "é漢😀\uFFFD" });
  });

  it.each([
    [bytes("ab\nc", 0xff, "d"), 2, 2],
    [bytes("\uFFFD", 0xc3), 1, 2],
    [bytes("é", 0xed, 0xa0, 0x80), 1, 2],
    [bytes("a\n\n", 0xf0, 0x9f), 3, 1],
    [bytes("a\0b"), 1, 2],
    [bytes("\uFEFFa"), 1, 1],
  ])("finds the first byte that is no text: %#", (input, line, column) => {
    const read = readText("a.yaml", input);
    expect(read.ok || read.problem).toMatchObject({ file: "a.yaml", line, column, rule: "text-encoding" });
  });
});
