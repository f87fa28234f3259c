import { describe, expect, test } from "vitest";
import { CairnError, ERRORS, errorRow, toErrorBody } from "../../server/errors.ts";
import { readTables } from "../helpers/markdown.ts";

describe("the error table", () => {
  test("[B3] keeps the dual codes of the belief-graph interface", () => {
    const numbers = Object.fromEntries(
      (
        ["INTERNAL_ERROR", "BAD_REQUEST", "INVALID_TOOL", "NOT_FOUND", "NODE_NOT_FOUND", "INVARIANT_VIOLATION"] as const
      ).map((name) => [name, ERRORS[name].number]),
    );
    expect(numbers).toEqual({
      INTERNAL_ERROR: 1000,
      BAD_REQUEST: 2000,
      INVALID_TOOL: 3000,
      NOT_FOUND: 4000,
      NODE_NOT_FOUND: 4004,
      INVARIANT_VIOLATION: 5000,
    });
  });

  test("gives each error a number of its own", () => {
    const numbers = Object.values(ERRORS).map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test("is documented row by row, and nothing else is", () => {
    const documented = readTables("docs/errors.md").map(([number, name, status, jsonRpc, meaning]) => [
      name,
      { number: Number(number), status: Number(status), jsonRpc: Number(jsonRpc), meaning },
    ]);
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries(
        Object.entries(ERRORS).map(([name, { number, status, jsonRpc, meaning }]) => [
          name,
          { number, status, jsonRpc, meaning },
        ]),
      ),
    );
  });
});

describe("toErrorBody", () => {
  test("tells an exposed error with its dual code, sentence and details", () => {
    const error = new CairnError("BAD_REQUEST", "`limit` is wrong.", { details: { parameter: "limit" } });
    expect(toErrorBody(error, "incident-1")).toEqual({
      code: 2000,
      name: "BAD_REQUEST",
      message: "`limit` is wrong.",
      details: { parameter: "limit" },
    });
  });

  test.each([
    ["a redacted row", new CairnError("INTERNAL_ERROR", "password hunter2")],
    ["a defect", new TypeError("password hunter2")],
    ["a thrown string", "password hunter2"],
  ])("keeps %s to itself and names the incident", (_, error) => {
    const body = toErrorBody(error, "incident-1");
    expect(body).toEqual({
      code: 1000,
      name: "INTERNAL_ERROR",
      message: "Something failed inside Cairn. Its log has the details under incident incident-1.",
    });
    expect(errorRow(error).status).toBe(500);
  });
});
