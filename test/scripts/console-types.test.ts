import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CONSOLE_TYPES, renderConsoleTypes } from "../../scripts/console-types.ts";

test("the console's types are those of the schemas", async () => {
  expect(readFileSync(CONSOLE_TYPES, "utf8")).toBe(await renderConsoleTypes());
});
