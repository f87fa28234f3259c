import { expect, test } from "vitest";
import { toDualBody } from "../../../server/protocol/to-dual-body.ts";

test("what is too large is a bad request, a number as well as a body, and everything else is itself", () => {
  const message = "Too much.";
  expect(toDualBody({ code: 2007, name: "PAYLOAD_TOO_LARGE", message })).toEqual({
    code: 2000,
    name: "BAD_REQUEST",
    message,
  });
  const details = { number: "1e999" };
  expect(toDualBody({ code: 2002, name: "INVALID_REQUEST", message, details })).toEqual({
    code: 2000,
    name: "BAD_REQUEST",
    message,
    details,
  });
  const invalid = { code: 2002, name: "INVALID_REQUEST", message } as const;
  expect(toDualBody(invalid)).toBe(invalid);
  const other = { code: 2101, name: "FORBIDDEN", message } as const;
  expect(toDualBody(other)).toBe(other);
});
