import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "../../../../tools/_lib/decisions/sha256.ts";

test("gives the digest that FIPS 180-4 gives for its example", () => {
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("agrees with OpenSSL about any text, at every length around a block", () => {
  const expected = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
  for (let length = 0; length <= 130; length += 1)
    expect(sha256("x".repeat(length))).toBe(expected("x".repeat(length)));
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => sha256(text) === expected(text)));
});
