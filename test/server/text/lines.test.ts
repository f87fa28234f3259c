import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readLines } from "../../../server/text/lines.ts";

/** `text` in pieces of the given sizes, so that characters of several bytes are torn as well. */
async function* cut(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

describe("readLines", () => {
  test("breaks lines only where it is told to", async () => {
    const lines = await Array.fromAsync(readLines(cut('{"a":"\u2028"}\n\n{"b":\r1}\nrest', []), /\n/));
    expect(lines).toEqual(['{"a":"\u2028"}', "", '{"b":\r1}', "rest"]);
  });

  test("finds the same lines however the bytes arrive", async () => {
    const line = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", " ") });
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(7)), async (lines, sizes) => {
        const text = lines.map((each) => `${each}\n`).join("");
        expect(await Array.fromAsync(readLines(cut(text, sizes), /\n/))).toEqual(lines);
      }),
    );
  });
});
