import { describe, expect, test } from "vitest";
import {
  loadTests,
  saveTestReport,
  type TestReport,
  toForgeReport,
  toTestsDocument,
} from "../../../server/examples/test-reports.ts";
import { saveTestResult, toTestResult } from "../../../server/examples/test-results.ts";
import type { CheckRun } from "../../../server/forge/forge.ts";
import { openTestStore } from "../../helpers/store.ts";

const COMMIT = "c".repeat(40);
const at = (hour: number) => `2026-01-31T${String(hour).padStart(2, "0")}:00:00Z`;
const run = (name: string, status: CheckRun["status"], hour?: number): CheckRun => ({
  name,
  status,
  url: `https://ci.example/${name}`,
  ...(hour === undefined ? {} : { completedAt: at(hour) }),
});

describe("checks of a forge", () => {
  test.each<[string, readonly CheckRun[], object | undefined]>([
    [
      "that all passed",
      [run("a", "success", 1), run("b", "success", 3), run("c", "skipped", 2)],
      { status: "pass", lastRun: at(3), summaryUri: "https://ci.example/b" },
    ],
    [
      "of which one failed",
      [run("a", "failure", 1), run("b", "success", 3), run("c", "pending")],
      { status: "fail", lastRun: at(3), summaryUri: "https://ci.example/a" },
    ],
    ["of which one has not ended", [run("a", "success", 1), run("b", "pending")], undefined],
    ["that say neither", [run("a", "neutral", 1), run("b", "skipped", 1)], undefined],
    ["that are none", [], undefined],
  ])("%s", (_what, runs, report) => {
    const made = toForgeReport(COMMIT, "acme/tools", runs);
    if (report === undefined) expect(made).toBeUndefined();
    else expect(made).toMatchObject({ ...report, source: "forge", reporter: "acme/tools", commit: COMMIT });
  });
});

describe("[V4] what is known of the tests of a commit", () => {
  const report = (status: TestReport["status"], hour: number, more: Partial<TestReport> = {}): TestReport => ({
    schemaVersion: 1,
    commit: COMMIT,
    source: "forge",
    reporter: "acme/tools",
    status,
    lastRun: at(hour),
    summaryUri: `https://ci.example/${hour}`,
    checks: [],
    ...more,
  });
  const example = {
    tool: "a.b",
    index: 0,
    file: "f",
    line: 1,
    column: 1,
    reasons: [],
    differences: [],
    missing: [],
    isLate: false,
  };
  const result = (outcome: "passed" | "failed", hour: number) =>
    toTestResult(COMMIT, { examples: [{ ...example, outcome }], untested: [] }, Date.parse(at(hour)));

  async function know(...given: readonly (TestReport | ReturnType<typeof result>)[]) {
    const store = await openTestStore();
    for (const one of given) {
      if ("source" in one) await saveTestReport(store, one);
      else await saveTestResult(store, one);
    }
    return (await loadTests(store, [COMMIT, "d".repeat(40)])).get(COMMIT);
  }

  test("is nothing, what examples came to, or what the forge says, with where that can be looked at", async () => {
    expect(await know()).toBeUndefined();
    const own = await know(result("passed", 1));
    expect([own?.status, own?.lastRun, own?.summaryUri]).toEqual(["pass", "2026-01-31T01:00:00.000Z", undefined]);
    const theirs = await know(report("pass", 2));
    expect([theirs?.status, theirs?.lastRun, theirs?.summaryUri]).toEqual(["pass", at(2), "https://ci.example/2"]);
  });

  test("is a failure where anybody has found one, and else the newest that passed", async () => {
    expect((await know(result("passed", 3), report("fail", 1)))?.status).toBe("fail");
    expect((await know(result("failed", 1), report("pass", 3)))?.status).toBe("fail");
    expect((await know(result("passed", 3), report("pass", 1)))?.summaryUri).toBeUndefined();
    expect((await know(result("passed", 1), report("pass", 3)))?.summaryUri).toBe("https://ci.example/3");
    expect((await know(report("unknown", 3), result("passed", 1)))?.status).toBe("pass");
  });

  test("has the newest report of each reporter", async () => {
    const reported = report("pass", 2, { source: "reported", reporter: "ci-bot" });
    const known = await know(report("fail", 1), reported, report("pass", 3));
    expect(known?.status).toBe("pass");
    expect(known?.reports.map(({ reporter, lastRun }) => [reporter, lastRun])).toEqual([
      ["acme/tools", at(3)],
      ["ci-bot", at(2)],
    ]);
    expect(known && toTestsDocument(COMMIT, known)).toMatchObject({
      commit: COMMIT,
      status: "pass",
      passed: 0,
      reports: [{}, {}],
    });
  });
});
