import { describe, expect, test } from "vitest";
import { readIdempotencyKey } from "../../server/idempotency-key.ts";

describe("an idempotency key", () => {
  test.each([
    [undefined, undefined, undefined],
    ["8e03978e-40d5-43dd-bc93-6894a57f9324", undefined, "8e03978e-40d5-43dd-bc93-6894a57f9324"],
    ['"8e03978e"', undefined, "8e03978e"],
    [undefined, "k", "k"],
    ['"k"', "k", "k"],
    ["!#$%&'()*+-./:;<=>?@[]^_`{|}~", undefined, "!#$%&'()*+-./:;<=>?@[]^_`{|}~"],
    ["k".repeat(128), undefined, "k".repeat(128)],
  ])("stands in header %j or member %j: %j", (header, member, key) => {
    expect(readIdempotencyKey(header, member)).toBe(key);
  });

  test.each([
    ["", undefined],
    ['""', undefined],
    ['"', undefined],
    ['"a', undefined],
    ["a b", undefined],
    ["a, b", undefined],
    ["a\\b", undefined],
    ["é", undefined],
    ["a\0", undefined],
    ["k".repeat(129), undefined],
    [["a", "b"], undefined],
    [undefined, 7],
    [undefined, null],
    [undefined, '"k"'],
    ["k", 7],
  ])("cannot be header %j and member %j", (header, member) => {
    expect(() => readIdempotencyKey(header, member)).toThrow(
      "An idempotency key has 1 to 128 visible ASCII characters",
    );
  });

  test("is the same wherever it stands", () => {
    expect(() => readIdempotencyKey("a", "b")).toThrow("The header `Idempotency-Key` and the key in the body differ.");
  });
});
