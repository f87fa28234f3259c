import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { REQUIREMENTS } from "./requirements.ts";

const citations = new Set(
  globSync("test/**/*.test.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:test|describe)[\w.()[\]\s]*?\(\s*["`]((?:\[[A-Z]\d+\] ?)+)/g)].flatMap(
      ([, ids = ""]) => [...ids.matchAll(/\[([A-Z]\d+)\]/g)].map(([, id = ""]) => id),
    ),
  ),
);

describe("the requirements", () => {
  test("are each cited by a test", () => {
    expect(Object.keys(REQUIREMENTS).filter((id) => !citations.has(id))).toEqual([]);
  });

  test("are not cited under ids that do not exist", () => {
    expect([...citations].filter((id) => !(id in REQUIREMENTS))).toEqual([]);
  });
});
