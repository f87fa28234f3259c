import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeHeader } from "../../../console/service/mcp.ts";
import { decodeHeader } from "../../../server/http/header-value.ts";

test("the service reads every header as the console meant it", () => {
  const values = fc.oneof(
    fc.string(),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("=?base64?YQ==?=", " a ", "a\tb"),
  );
  fc.assert(
    fc.property(values, (value) => {
      expect(decodeHeader(encodeHeader(value))).toBe(value);
    }),
  );
});
