import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IMPLIED } from "../../../../server/semver/schemas/include-scalars.ts";
import { compileSchema } from "../../../../server/versions/manifests/schema/compile-schema.ts";

const takes = (format: string) => {
  const check = compileSchema({ type: "string", format });
  return (text: string) => check(text).length === 0;
};
const piece = fc.constantFrom(
  "a",
  "B",
  "1",
  "0",
  ".",
  ":",
  "/",
  "//",
  "?",
  "#",
  "%20",
  "%",
  "[",
  "]",
  "@",
  "-",
  "~",
  "+",
  " ",
  "é",
  "::",
  "255",
  "256",
  "urn",
  "http",
);

const TEXTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  ipv4: fc.oneof(
    fc.ipV4(),
    fc.array(piece, { maxLength: 8 }).map((all) => all.join("")),
  ),
  uri: fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.array(piece, { maxLength: 10 }).map((all) => `a:${all.join("")}`),
    fc.array(piece, { maxLength: 10 }).map((all) => `a://${all.join("")}`),
  ),
};

describe("formats that are part of others", () => {
  it.each(Object.entries(IMPLIED))("%s is taken as %s", (own, other) => {
    const [takesOwn, takesOther] = [takes(own), takes(other)];
    let taken = 0;
    fc.assert(
      fc.property(TEXTS[own] ?? fc.string(), (text) => {
        if (!takesOwn(text)) return;
        taken += 1;
        expect(takesOther(text)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    expect(taken).toBeGreaterThan(300);
  });
});
