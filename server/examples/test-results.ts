import { createRecordReader } from "../json/stored.ts";
import { testResultKey } from "../store/keys.ts";
import type { Json, Store } from "../store/store.ts";
import type { ExampleRun } from "./run-examples.ts";

/** Stored result of the last run of a commit's examples. */
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
  /** Tools of which every example has passed. Absent of what an older Cairn has kept. */
  readonly shown?: readonly string[];
  /** Unavailable things that skipped examples need: hosts in backquotes, or a model. */
  readonly missing?: readonly string[];
  /** The run of the Architect that verified it; absent: somebody else's doing. */
  readonly run?: { readonly task_id: string; readonly run_id: string };
}

/** Results of examples, with those that did not run again. */
export interface Tested extends ExampleRun {
  /** Number of examples, by tool, that count as passed because they passed before a change that cannot affect them. */
  readonly carried?: ReadonlyMap<string, number>;
}

const MAX_REASON = 500;
const MAX_LISTED = 200;

export const readTestResult = createRecordReader<TestResult>("test-result");

export function toTestResult(
  commit: string,
  { examples, untested, carried = new Map() }: Tested,
  now: number,
): TestResult {
  const count = (wanted: string) => examples.filter(({ outcome }) => outcome === wanted).length;
  const [failed, skipped] = [count("failed"), count("skipped")];
  const passed = count("passed") + [...carried.values()].reduce((sum, one) => sum + one, 0);
  const byTool = Map.groupBy(examples, ({ tool }) => tool);
  const shown = [...byTool].flatMap(([tool, own]) => (own.every(({ outcome }) => outcome === "passed") ? [tool] : []));
  const missing = new Set(examples.flatMap((example) => example.missing));
  return {
    schemaVersion: 1,
    commit,
    status: failed > 0 ? "fail" : passed > 0 && skipped === 0 ? "pass" : "unknown",
    lastRun: new Date(now).toISOString(),
    passed,
    failed,
    skipped,
    notPassed: examples
      .filter(({ outcome }) => outcome !== "passed")
      .slice(0, MAX_LISTED)
      .map(({ tool, index, outcome, reasons }) => {
        return { tool, index, outcome, reason: reasons.join("; ").slice(0, MAX_REASON) };
      }),
    untested,
    shown: [...carried.keys(), ...shown],
    ...(missing.size === 0 ? {} : { missing: [...missing] }),
  };
}

/** Explains in a sentence what the tests do not show; empty where they show all. */
export function explainNotShown({ skipped, missing = [] }: Pick<TestResult, "skipped" | "missing">): string {
  if (skipped === 0) return "";
  const [examples, they] = skipped === 1 ? ["1 example", "it asks"] : [`${skipped} examples`, "they ask"];
  return `${examples} not shown: ${they} ${missing.join(", ")}.`;
}

export async function saveTestResult(store: Store, result: TestResult): Promise<void> {
  await store.commit({ set: [{ key: testResultKey(result.commit), value: { ...result } as unknown as Json }] });
}

/** The results that are kept of these commits. */
export async function loadTestResults(
  store: Pick<Store, "getMany">,
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
