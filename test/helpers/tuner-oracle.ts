import { readFileSync } from "node:fs";

/** Reference values of `test/fixtures/tuner`, computed with other people's software. */
export function readOracle(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../fixtures/tuner/${name}.json`, import.meta.url), "utf8"));
}
