import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LEFT_OUT, NODES_SUITES } from "../nodes-suites.ts";

test("tests that two nodes leave out are in suites that two nodes run, under the titles that the list has", () => {
  const gone = LEFT_OUT.filter(
    ({ suite, title }) => !NODES_SUITES.includes(suite) || !readFileSync(suite, "utf8").includes(JSON.stringify(title)),
  );
  expect(gone).toEqual([]);
});
