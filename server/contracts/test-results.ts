import { createRecordReader } from "../stored.ts";
import { testResultKey } from "../store/keys.ts";
import type { Json, Store } from "../store/store.ts";
import type { ExampleRun } from "./run-examples.ts";
import { toStatus } from "./run-examples.ts";

/** What is kept of the last time that a commit's examples ran. */
export interface TestResult {
  readonly schemaVersion: 1;
  readonly commit: string;
  readonly status: "pass" | "fail" | "unknown";
  /** RFC 3339. */
  readonly lastRun: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Examples that did not pass, and why. */
  readonly notPassed: readonly {
    readonly tool: string;
    readonly index: number;
    readonly outcome: string;
    readonly reason: string;
  }[];
  readonly untested: readonly string[];
}

const MAX_REASON = 500;
const MAX_LISTED = 200;

const readTestResult = createRecordReader<TestResult>("test-result");

export function toTestResult(commit: string, run: ExampleRun, now: number): TestResult {
  const count = (wanted: string) => run.examples.filter(({ outcome }) => outcome === wanted).length;
  return {
    schemaVersion: 1,
    commit,
    status: toStatus(run),
    lastRun: new Date(now).toISOString(),
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    notPassed: run.examples
      .filter(({ outcome }) => outcome !== "passed")
      .slice(0, MAX_LISTED)
      .map(({ tool, index, outcome, reasons }) => {
        return { tool, index, outcome, reason: reasons.join("; ").slice(0, MAX_REASON) };
      }),
    untested: run.untested,
  };
}

export async function saveTestResult(store: Store, result: TestResult): Promise<void> {
  await store.commit({ set: [{ key: testResultKey(result.commit), value: { ...result } as unknown as Json }] });
}

/** The results that are kept of these commits. */
export async function loadTestResults(
  store: Store,
  commits: readonly string[],
): Promise<ReadonlyMap<string, TestResult>> {
  const entries = await store.getMany(commits.map(testResultKey));
  return new Map(
    commits.flatMap((commit, index) => {
      const entry = entries[index];
      return entry === undefined ? [] : [[commit, readTestResult(entry.value)] as const];
    }),
  );
}
