import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect } from "vitest";

/** Expects `value` to be what `schemas/<kind>.schema.json` describes. */
export function expectSchema(kind: string, value: unknown): void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const matches = ajv.compile(JSON.parse(readFileSync(`schemas/${kind}.schema.json`, "utf8")) as object);
  expect(matches(value), ajv.errorsText(matches.errors)).toBe(true);
}
