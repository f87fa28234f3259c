import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const CASES = 43;

const citing = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/\[abuse ([\d, ]+)\]/g)].flatMap(([, list = ""]) =>
    list.split(",").map(Number),
  );
const cited = new Map(globSync("test/**/*.test.ts").map((file) => [file, new Set(citing(file))]));

/** Of the table in docs/security.md: the number of each case, and the files that it names. */
const rows = readFileSync("docs/security.md", "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, number, row = ""] = /^\|\s*(\d+)\s*\|(.*)$/.exec(line) ?? [];
    return number === undefined
      ? []
      : [{ number: Number(number), files: [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, file = ""]) => file) }];
  });

describe("the abuse cases of docs/security.md", () => {
  test("are all there, in order, and proven", () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: CASES }, (_, index) => index + 1));
    expect(rows.filter(({ files }) => files.length === 0).map(({ number }) => number)).toEqual([]);
  });

  test("are cited by the tests that the table names, and by no others", () => {
    const named = rows.flatMap(({ number, files }) => files.map((file) => `${number} ${file}`));
    const found = [...cited].flatMap(([file, numbers]) => [...numbers].map((number) => `${number} ${file}`));
    expect(named.sort()).toEqual(found.sort());
  });
});
