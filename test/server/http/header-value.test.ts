import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMismatch, decodeHeader, encodeHeader } from "../../../server/http/header-value.ts";

const encode = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;

describe("decodeHeader", () => {
  test("gives back any text that was encoded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(decodeHeader(encode(text))).toBe(text);
      }),
    );
  });

  test("takes a plain text for itself, unless it looks encoded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        fc.pre(!/^=\?base64\?.*\?=$/.test(text));
        expect(decodeHeader(text)).toBe(text);
      }),
    );
  });

  test("takes no text for another: what it reads, it reads only one way", () => {
    fc.assert(
      fc.property(fc.base64String(), fc.string({ unit: "grapheme-ascii" }), (base64, tail) => {
        const read = decodeHeader(`=?base64?${base64}${tail}?=`);
        if (read !== undefined) expect(encode(read)).toBe(`=?base64?${base64}${tail}?=`);
      }),
    );
  });

  test.each([
    ["=?base64?SGVsbG8, 世界?=", "with other signs"],
    ["=?base64?SGVsbG8?=", "without its padding"],
    ["=?base64?SGVsbG8==?=", "with too much padding"],
    ["=?base64?SGVs!!!bG8=?=", "with signs between"],
    ["=?base64?SGVsbG9=?=", "with bits that mean nothing"],
    ["=?base64?_-8=?=", "of the other alphabet"],
    [encode("").replace("?=", " ?="), "with a space"],
    [`=?base64?${Buffer.from([0xff, 0xfe]).toString("base64")}?=`, "of no UTF-8"],
    ["caf\u00e9", "of bytes that readers of headers take differently"],
    ["a\u0000b", "with control characters"],
  ])("refuses %j, %s", (value) => {
    expect(decodeHeader(value)).toBeUndefined();
  });

  test.each([
    [undefined, undefined],
    ["", ""],
    ["=?base64??=", ""],
    ["=?base64?=", "=?base64?="],
    ["=?base64?SGVsbG8=", "=?base64?SGVsbG8="],
    ["SGVsbG8=?=", "SGVsbG8=?="],
    ["=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="],
    ["=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="],
  ])("reads %j as %j", (value, text) => {
    expect(decodeHeader(value)).toBe(text);
  });
});

describe("createMismatch", () => {
  test.each([
    [undefined, "a", "The header `Mcp-Name` is missing; the body says `a`."],
    ["b", "a", "The header `Mcp-Name` is `b`; the body says `a`."],
    ["b", undefined, "The header `Mcp-Name` is `b`; the body says nothing to repeat."],
    [
      "x".repeat(200),
      "y".repeat(200),
      `The header \`Mcp-Name\` is \`${"x".repeat(100)}\`; the body says \`${"y".repeat(100)}\`.`,
    ],
  ])("of %j and %j", (stated, expected, message) => {
    expect(createMismatch("Mcp-Name", stated, expected)).toMatchObject({ name: "HEADER_MISMATCH", message });
  });
});

// The examples of the specification's own table, and the ends of what is plain.
test.each([
  ["us-west1", "us-west1"],
  ["a b\tc", "a b\tc"],
  ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
  [" padded ", "=?base64?IHBhZGRlZCA=?="],
  ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
  ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
  ["=?base64?open", "=?base64?open"],
  ["", "=?base64??="],
  ["~", "~"],
  ["\u007f", "=?base64?fw==?="],
])("encodeHeader turns %j into %j", (value, header) => {
  expect(encodeHeader(value)).toBe(header);
});
