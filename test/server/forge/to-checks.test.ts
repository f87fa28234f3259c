import { expect, test } from "vitest";
import type { CheckRun } from "../../../server/forge/forge.ts";
import { toChecks } from "../../../server/forge/to-checks.ts";

test.each<[runs: Record<string, CheckRun["status"]>, checks: string]>([
  [{}, "none"],
  [{ other: "success" }, "none"],
  [{ a: "success" }, "pending"],
  [{ a: "success", b: "pending" }, "pending"],
  [{ a: "failure" }, "red"],
  [{ a: "failure", b: "pending" }, "red"],
  [{ a: "success", b: "success", other: "failure" }, "green"],
  [{ a: "neutral", b: "skipped" }, "green"],
])("%j is %s", (runs, checks) => {
  const list = Object.entries(runs).map(([name, status]) => ({ name, status }));
  expect(toChecks(["a", "b"], list)).toBe(checks);
});

test("several runs of one name all have to be green", () => {
  const runs = (["success", "failure", "success"] as const).map((status) => ({ name: "a", status }));
  expect(toChecks(["a"], runs)).toBe("red");
});
