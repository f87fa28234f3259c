import { expect, test } from "vitest";
import { toDualBody } from "../../../server/protocol/to-dual-body.ts";

test("what is too large is a bad request, and everything else is itself", () => {
  const message = "Too much.";
  expect(toDualBody({ code: 2007, name: "PAYLOAD_TOO_LARGE", message })).toEqual({
    code: 2000,
    name: "BAD_REQUEST",
    message,
  });
  const other = { code: 2101, name: "FORBIDDEN", message } as const;
  expect(toDualBody(other)).toBe(other);
});
