import { defineConfig } from "vitest/config";

/** Suites that start many processes, wear them out, or take long. `npm run test:slow` runs them, and so does continuous integration. */
const SLOW = [
  "test/e2e/abuse-authority.test.ts",
  "test/e2e/abuse-effects.test.ts",
  "test/e2e/audit.test.ts",
  "test/e2e/authentication.test.ts",
  "test/e2e/clients.test.ts",
  "test/e2e/faults.test.ts",
  "test/e2e/fuzz.test.ts",
  "test/e2e/operations.test.ts",
  "test/e2e/package.test.ts",
  "test/e2e/tuning.test.ts",
  "test/github/actions.test.ts",
  "test/server/cli/release.test.ts",
  "test/server/cli/replay.test.ts",
  "test/server/cli/stdio.test.ts",
  "test/server/cli/test.test.ts",
  "test/server/compat/compare-tools.suite.test.ts",
  "test/server/sandbox/open-sandbox.limits.test.ts",
  "test/server/sandbox/open-sandbox.neighbours.test.ts",
  "test/server/sandbox/open-sandbox.processes.test.ts",
  "test/server/store/lmdb.processes.test.ts",
];
const ALL = "test/**/*.test.ts";
/** Absent: all but the slow ones. */
const { CAIRN_TESTS: which } = process.env;

export default defineConfig({
  test: {
    include: which === "slow" ? SLOW : [ALL],
    exclude: which === undefined ? ["**/node_modules/**", ...SLOW] : ["**/node_modules/**"],
    // Files share a process: loading the modules anew for each costs more than the tests, and there is no global state.
    isolate: false,
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
