import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Encoding, negotiateEncoding } from "../../../server/http/negotiate-encoding.ts";

const LARGE = 1400;
const OURS: readonly Encoding[] = ["br", "gzip", "identity"];

describe("negotiateEncoding", () => {
  test.each<[string | undefined, Encoding]>([
    [undefined, "identity"],
    ["", "identity"],
    ["*", "br"],
    ["compress, gzip", "gzip"],
    ["compress;q=0.5, gzip;q=1.0", "gzip"],
    ["gzip;q=1.0, identity; q=0.5, *;q=0", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["GZIP", "gzip"],
    ["x-gzip", "gzip"],
    ["br;q=0.2, gzip;q=0.3", "gzip"],
    ["identity, br;q=0.9", "identity"],
    ["br;q=0, *", "gzip"],
    ["br;q=0.001", "br"],
    ["br;q=0, gzip;q=0", "identity"],
    ["identity;q=0, gzip", "gzip"],
    ["*;q=0, gzip", "gzip"],
    ["deflate", "identity"],
    ["gzip;q=much, br;q=2, gzip;level=5", "identity"],
    [",, gzip ,", "gzip"],
  ])("answers %j with %s", (header, encoding) => {
    expect(negotiateEncoding(header)(LARGE)).toBe(encoding);
  });

  test("leaves small bodies as they are, unless the client refuses just that", () => {
    expect(negotiateEncoding("gzip, br")(LARGE - 1)).toBe("identity");
    expect(negotiateEncoding("gzip, identity;q=0")(0)).toBe("gzip");
  });

  test.each(["identity;q=0", "*;q=0", "deflate, *;q=0", "br;q=0, gzip;q=0, identity;q=0.0"])(
    "refuses %j, which allows nothing",
    (header) => {
      expect(() => negotiateEncoding(header)).toThrow(expect.objectContaining({ name: "NOT_ACCEPTABLE" }));
    },
  );

  test("chooses what the client allows and likes at least as much as all else, or refuses where it allows nothing", () => {
    const coding = fc.constantFrom("br", "gzip", "identity", "*", "deflate", "zstd");
    const items = fc.uniqueArray(fc.tuple(coding, fc.option(fc.integer({ min: 0, max: 1000 }))), {
      selector: ([name]) => name,
    });
    fc.assert(
      fc.property(items, fc.nat(3000), (list, length): void => {
        const weights = new Map<string, number>(list.map(([name, weight]) => [name, weight ?? 1000]));
        const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? (name === "identity" ? 0.1 : 0);
        const header = list
          .map(([name, weight]) => (weight === null ? name : `${name};q=${(weight / 1000).toFixed(3)}`))
          .join(", ");
        const choose = () => negotiateEncoding(header)(length);
        if (OURS.every((name) => weightOf(name) === 0)) {
          expect(choose).toThrow("must allow one of");
        } else if (length < LARGE && weightOf("identity") > 0) {
          expect(choose()).toBe("identity");
        } else {
          expect(weightOf(choose())).toBe(Math.max(...OURS.map(weightOf)));
        }
      }),
    );
  });

  test("reads whatever it is sent", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        try {
          expect(OURS).toContain(negotiateEncoding(header)(LARGE));
        } catch (error) {
          expect(error).toMatchObject({ name: "NOT_ACCEPTABLE" });
        }
      }),
    );
  });

  test.each(["gzip;q=0.", "gzip ", "\t;", ",", "q=;"])("reads no endless row of %j for long", (piece) => {
    expect(negotiateEncoding(piece.repeat(100_000))(0)).toBe("identity");
  });
});
