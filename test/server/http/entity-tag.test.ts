import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestBytes, matchesTag } from "../../../server/http/entity-tag.ts";

const TAG = '"xyzzy"';

/** Entity tags as RFC 9110 has them: commas are no less a part of them than letters. */
const tags = fc
  .tuple(
    fc.constantFrom("", "W/"),
    fc.string({ unit: fc.constantFrom(..."az09-_,;/!*\\'é"), maxLength: 12 }).filter((text) => text !== "xyzzy"),
  )
  .map(([weak, text]) => `${weak}"${text}"`);
const separators = fc.constantFrom(",", ", ", " ,\t", ",,", ", ,");

describe("matchesTag", () => {
  test.each([
    ['"xyzzy"', true],
    ['W/"xyzzy"', true],
    ['"xyzzy", "r2d2xxxx", "c3piozzzz"', true],
    ['W/"xyzzy", W/"r2d2xxxx", W/"c3piozzzz"', true],
    ["*", true],
    [" * ", true],
    [null, false],
    ["", false],
    ["xyzzy", false],
    ["'xyzzy'", false],
    ['w/"xyzzy"', false],
    ['"XYZZY"', false],
    ['"xyz,"xyzzy"', false],
    ['"xyzzy" "other"', false],
    ['"xyzzy", *', false],
    ['"xyzzy', false],
    ['"a,"', false],
  ])("says of %j: %s", (header, matches) => {
    expect(matchesTag(header, TAG)).toBe(matches);
  });

  test("is true of every list that has the tag, weak or not, and of no other", () => {
    fc.assert(
      fc.property(
        fc.array(tags),
        fc.array(tags),
        fc.constantFrom("", "W/"),
        separators,
        (some, more, weak, separator) => {
          expect(matchesTag([...some, weak + TAG, ...more].join(separator), TAG)).toBe(true);
          expect(matchesTag([...some, ...more].join(separator), TAG)).toBe(false);
        },
      ),
    );
  });

  test.each(['"', " ", "W/", ",", '"a" ', "\t,", '"a",'])("reads no endless row of %j for long", (piece) => {
    expect(matchesTag(piece.repeat(100_000), TAG)).toBe(false);
  });
});

describe("digestBytes", () => {
  test("is the beginning of SHA-256", () => {
    // openssl dgst -sha256 of "abc": ba7816bf8f01cfea414140de5dae2223...
    expect(digestBytes(Buffer.from("abc"))).toBe(
      Buffer.from("ba7816bf8f01cfea414140de5dae2223", "hex").toString("base64url"),
    );
  });
});
