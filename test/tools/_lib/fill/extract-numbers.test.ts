import { describe, expect, test } from "vitest";
import { extractNumbers } from "../../../../tools/_lib/fill/extract-numbers.ts";

const read = (text: string) => extractNumbers(text).map(({ value }) => value);

describe("extractNumbers", () => {
  test.each([
    ["roll 3 dice with 20 sides", [3, 20]],
    ["1,500.50 and 2e3", [1500.5, 2000]],
    ["-5 or −6 or +7", [-5, -6, 7]],
    ["3-5", [3, 5]],
    ["10km", [10]],
    ["$25", [25]],
    ["two, twelve, twenty-one, ninety", [2, 12, 21, 90]],
    ["a dozen, half a dozen", [12, 6]],
    ["someone often weighs nothing", []],
    ["v2 abc123 1.2.3", []],
    ["9".repeat(400), []],
  ])("reads %j", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});
