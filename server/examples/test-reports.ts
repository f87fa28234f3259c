import type { CheckRun } from "../forge/forge.ts";
import { testReportKey, testReportsOf } from "../store/keys.ts";
import type { Json, Store } from "../store/store.ts";
import { createRecordReader } from "../json/stored.ts";
import { loadTestResults, type TestResult } from "./test-results.ts";
import { defined } from "../json/defined.ts";

/** Report of another service about the tests of a commit. */
export interface TestReport {
  readonly schemaVersion: 1;
  readonly commit: string;
  readonly source: "forge" | "reported";
  /** A repository on a forge, or an actor; the newest report of each is kept. */
  readonly reporter: string;
  readonly status: "pass" | "fail" | "unknown";
  /** RFC 3339. */
  readonly lastRun: string;
  /** Address of the run. */
  readonly summaryUri?: string;
  readonly checks: readonly { readonly name: string; readonly status: CheckRun["status"]; readonly uri?: string }[];
}

/** Test results of a commit, of this service and of others. */
export interface Tests {
  readonly status: "pass" | "fail" | "unknown";
  /** RFC 3339. */
  readonly lastRun: string;
  /** Of the run that decides; absent: it was ours. */
  readonly summaryUri?: string;
  readonly result?: TestResult;
  readonly reports: readonly TestReport[];
}

const MAX_CHECKS = 200;
const readTestReport = createRecordReader<TestReport>("test-report");

/** Sums up the checks of a commit; undefined until one has a result. */
export function toForgeReport(commit: string, reporter: string, runs: readonly CheckRun[]): TestReport | undefined {
  const failed = runs.filter(({ status }) => status === "failure");
  const passed = runs.filter(({ status }) => status === "success");
  const isOpen = runs.some(({ status }) => status === "pending");
  const deciding = newestFirst(failed.length > 0 ? failed : isOpen ? [] : passed)[0];
  if (deciding?.completedAt === undefined) return undefined;
  return {
    schemaVersion: 1,
    commit,
    source: "forge",
    reporter,
    status: failed.length > 0 ? "fail" : "pass",
    lastRun: newestFirst(runs)[0]?.completedAt ?? deciding.completedAt,
    ...defined({ summaryUri: deciding.url }),
    checks: runs.slice(0, MAX_CHECKS).map(({ name, status, url }) => {
      return { name, status, ...defined({ uri: url }) };
    }),
  };
}

function newestFirst(runs: readonly CheckRun[]): readonly CheckRun[] {
  const toTime = ({ completedAt }: CheckRun) => (completedAt === undefined ? 0 : Date.parse(completedAt));
  return runs.toSorted((one, other) => toTime(other) - toTime(one));
}

export async function saveTestReport(store: Pick<Store, "commit">, report: TestReport): Promise<void> {
  const { commit, source, reporter } = report;
  const key = testReportKey(commit, source, reporter);
  await store.commit({ set: [{ key, value: { ...report } as unknown as Json }] });
}

export async function loadTestReports(store: Pick<Store, "scan">, commit: string): Promise<readonly TestReport[]> {
  const entries = await Array.fromAsync(store.scan({ prefix: testReportsOf(commit) }));
  return entries.map(({ value }) => readTestReport(value));
}

/** Loads the test results of commits. */
export async function loadTests(
  store: Pick<Store, "getMany" | "scan">,
  commits: readonly string[],
): Promise<ReadonlyMap<string, Tests>> {
  const results = await loadTestResults(store, commits);
  const tests = await Promise.all(
    commits.map(async (commit) => {
      const known = summarise(results.get(commit), await loadTestReports(store, commit));
      return known === undefined ? [] : [[commit, known] as const];
    }),
  );
  return new Map(tests.flat());
}

/** A failure that anybody has found counts; otherwise whoever was the last to find that all is well. */
function summarise(result: TestResult | undefined, reports: readonly TestReport[]): Tests | undefined {
  const said = [...(result === undefined ? [] : [result]), ...reports].toSorted(
    (one, other) => Date.parse(other.lastRun) - Date.parse(one.lastRun),
  );
  const deciding = (["fail", "pass", "unknown"] as const)
    .map((status) => said.find((one) => one.status === status))
    .find((one) => one !== undefined);
  if (deciding === undefined) return undefined;
  const { status, lastRun } = deciding;
  const uri = "summaryUri" in deciding ? deciding.summaryUri : undefined;
  return {
    status,
    lastRun,
    ...defined({ summaryUri: uri, result }),
    reports,
  };
}

/**
 * Writes the answer of `GET /versions/{version}/tests`: the examples that ran here, if any did, and the reports of
 * others.
 */
export function toTestsDocument(commit: string, { status, lastRun, result, reports }: Tests) {
  const none = { passed: 0, failed: 0, skipped: 0, notPassed: [], untested: [] };
  return { schemaVersion: 1, commit, ...none, ...result, status, lastRun, reports };
}
