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
  test("are each cited by a test, unless marked as not yet built", () => {
    const uncited = Object.entries(REQUIREMENTS).filter(
      ([id, { notYet }]) => notYet === undefined && !citations.has(id),
    );
    expect(uncited.map(([id]) => id)).toEqual([]);
  });

  test("are no longer marked as not yet built once a test cites them", () => {
    expect([...citations].filter((id) => REQUIREMENTS[id]?.notYet !== undefined)).toEqual([]);
  });

  test("are not cited under ids that do not exist", () => {
    expect([...citations].filter((id) => !(id in REQUIREMENTS))).toEqual([]);
  });
});
