import { randomInt } from "node:crypto";
import { statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { createViteConfig } from "./console/vite.config.mjs";
import { compiledHosts } from "./test/helpers/compiled-hosts.ts";
import { NODES_SUITES } from "./test/nodes-suites.ts";

/** Suites that start many processes, wear them out, or take long. `npm run test:slow` runs them, and so does continuous integration. */
const SLOW = [
  "test/evaluation/work/live.test.ts",
  "test/evaluation/work/objectives.test.ts",
  "test/agents/front/front.test.ts",
  "test/agents/issues.test.ts",
  "test/agents/shop.test.ts",
  "test/console/compare.test.ts",
  "test/console/approvals.test.ts",
  "test/console/audit.test.ts",
  "test/console/calls.test.ts",
  "test/console/feedback.test.ts",
  "test/console/long-lists.test.ts",
  "test/console/newcomer.test.ts",
  "test/console/questions.test.ts",
  "test/console/readers.test.ts",
  "test/console/settings.test.ts",
  "test/console/sign-in.test.ts",
  "test/console/try.test.ts",
  "test/console/version.test.ts",
  "test/console/tuning.test.ts",
  "test/console/versions.test.ts",
  "test/console/work.test.ts",
  "test/deploy/image.test.ts",
  "test/deploy/kubernetes.test.ts",
  "test/deploy/proxies.test.ts",
  "test/deploy/upgrade.test.ts",
  "test/e2e/abuse-authority.test.ts",
  "test/e2e/abuse-effects.test.ts",
  "test/e2e/approvals-kills.test.ts",
  "test/e2e/architect-attacks.test.ts",
  "test/e2e/architect-branches.test.ts",
  "test/e2e/architect-checks.test.ts",
  "test/e2e/architect-concurrency.test.ts",
  "test/e2e/architect-documented.test.ts",
  "test/e2e/architect-github-faults.test.ts",
  "test/e2e/architect-github-kills.test.ts",
  "test/e2e/architect-github-people.test.ts",
  "test/e2e/architect-github-rules.test.ts",
  "test/e2e/architect-github.test.ts",
  "test/e2e/architect-kills.test.ts",
  "test/e2e/architect-page.test.ts",
  "test/e2e/architect-requests.test.ts",
  "test/e2e/architect-sentences.test.ts",
  "test/e2e/architect-together.test.ts",
  "test/e2e/architect-workers.test.ts",
  "test/e2e/architect.test.ts",
  "test/e2e/artifacts.test.ts",
  "test/e2e/audit.test.ts",
  "test/e2e/authentication.test.ts",
  "test/e2e/backup.test.ts",
  "test/e2e/beliefs.test.ts",
  "test/e2e/change-fragments.test.ts",
  "test/e2e/cli.test.ts",
  "test/e2e/clients.test.ts",
  "test/e2e/demo-github.test.ts",
  "test/e2e/drift.test.ts",
  "test/e2e/drift-schedule.test.ts",
  "test/e2e/external-worker.test.ts",
  "test/e2e/faults.test.ts",
  "test/e2e/fuzz.test.ts",
  "test/e2e/github-checks.test.ts",
  "test/e2e/github.test.ts",
  "test/e2e/import-mcp.test.ts",
  "test/e2e/init-tuning.test.ts",
  "test/e2e/lean-http.test.ts",
  "test/e2e/nodes-chaos.test.ts",
  "test/e2e/nodes-github.test.ts",
  "test/e2e/nodes-sessions.test.ts",
  "test/e2e/nodes-truths.test.ts",
  "test/e2e/nodes-work.test.ts",
  "test/e2e/one-writer.test.ts",
  "test/e2e/operations.test.ts",
  "test/e2e/package.test.ts",
  "test/e2e/packages.test.ts",
  "test/e2e/previews.test.ts",
  "test/e2e/reported-tests.test.ts",
  "test/e2e/planted-secrets.test.ts",
  "test/e2e/secrets.test.ts",
  "test/e2e/semver-accepts.test.ts",
  "test/e2e/semver-laundering.test.ts",
  "test/e2e/semver-tour.test.ts",
  "test/e2e/spec-3/contracts.test.ts",
  "test/e2e/spec-3/enforcement.test.ts",
  "test/e2e/spec-3/evidence.test.ts",
  "test/e2e/spec-3/leases.test.ts",
  "test/e2e/spec-3/planner.test.ts",
  "test/e2e/spec-3/syscalls.test.ts",
  "test/e2e/spec-3/tools.test.ts",
  "test/e2e/spec-3/workers.test.ts",
  "test/e2e/starting.test.ts",
  "test/e2e/state.test.ts",
  "test/e2e/terminal.test.ts",
  "test/e2e/team-page.test.ts",
  "test/e2e/tour.test.ts",
  "test/e2e/trust.test.ts",
  "test/e2e/tuning.test.ts",
  "test/e2e/upgrade.test.ts",
  "test/e2e/upstreams-page.test.ts",
  "test/e2e/versions.test.ts",
  "test/e2e/work-dying-workers.test.ts",
  "test/e2e/work-landing-github.test.ts",
  "test/e2e/work-landing-kills.test.ts",
  "test/e2e/work-landing.test.ts",
  "test/e2e/work-page.test.ts",
  "test/e2e/work.test.ts",
  "test/e2e/worker-agent.test.ts",
  "test/e2e/worker-clock.test.ts",
  "test/e2e/worker-load.test.ts",
  "test/e2e/worker.test.ts",
  "test/evaluation/model/model.test.ts",
  "test/evaluation/surfaces/histories.test.ts",
  "test/github/actions.test.ts",
  "test/scripts/build.test.ts",
  "test/server/app/app.nodes.test.ts",
  "test/server/app/open-forge.test.ts",
  "test/server/architect/pipeline/verify/check-types.test.ts",
  "test/server/architect/pipeline/verify/create-verify.test.ts",
  "test/server/architect/pipeline/verify/raise-version.test.ts",
  "test/server/backup/make-backup.test.ts",
  "test/server/capabilities/mcp/client/load-surface.test.ts",
  "test/server/cli/drift/drift.test.ts",
  "test/server/cli/import/import-openapi.test.ts",
  "test/server/cli/packages/deps.test.ts",
  "test/server/cli/service/doctor.test.ts",
  "test/server/cli/service/serve.test.ts",
  "test/server/cli/versions/bump-fragment.test.ts",
  "test/server/cli/versions/bump.test.ts",
  "test/server/cli/versions/diff-surfaces.test.ts",
  "test/server/cli/versions/gather-release.test.ts",
  "test/server/cli/client/feedback.test.ts",
  "test/server/cli/versions/release.test.ts",
  "test/server/cli/versions/replay.test.ts",
  "test/server/cli/stdio/stdio.test.ts",
  "test/server/cli/versions/test.test.ts",
  "test/server/cli/retirement/usage.test.ts",
  "test/server/semver/compare-tools.suite.test.ts",
  "test/server/examples/run-examples.defaults.test.ts",
  "test/server/forge/github/open-github-forge.faults.test.ts",
  "test/server/forge/github/open-github-forge.people.test.ts",
  "test/server/forge/github/open-github-forge.remote.test.ts",
  "test/server/forge/github/open-github-forge.rules.test.ts",
  "test/server/forge/github/open-github-forge.test.ts",
  "test/server/forge/github/rerun.test.ts",
  "test/server/forge/local/open-local-forge.kills.test.ts",
  "test/server/forge/local/open-local-forge.property.test.ts",
  "test/server/forge/local/open-local-forge.repositories.test.ts",
  "test/server/forge/local/open-local-forge.test.ts",
  "test/server/instance/answer-asks.patience.test.ts",
  "test/server/instance/remote-store.processes.test.ts",
  "test/server/kernel/isolates/open-sandbox.direct.test.ts",
  "test/server/kernel/isolates/open-sandbox.limits.test.ts",
  "test/server/kernel/isolates/open-sandbox.neighbours.test.ts",
  "test/server/kernel/isolates/open-sandbox.offenders.test.ts",
  "test/server/kernel/isolates/open-sandbox.processes.test.ts",
  "test/server/store/lmdb/lmdb.processes.test.ts",
  "test/server/store/lmdb/start-gate.test.ts",
  "test/server/store/postgres/postgres.failover.test.ts",
  "test/server/store/postgres/postgres.processes.test.ts",
  "test/server/operations/doctor/examine.test.ts",
  "test/server/capabilities/artifacts/syscalls.escapes.test.ts",
  "test/server/versions/mirror/revocations.test.ts",
  "test/server/versions/mirror/sync.test.ts",
  "test/server/capabilities/workspace/open-workspaces.test.ts",
  "test/server/capabilities/workspace/sandbox/run-command.hosts.test.ts",
  "test/server/capabilities/workspace/sandbox/run-command.test.ts",
  "test/stand-ins/github/github-host.test.ts",
  "test/strangers/editors.test.ts",
  "test/strangers/monitoring.test.ts",
  "test/strangers/package.test.ts",
  "test/strangers/workflow.test.ts",
  "test/tools/_lib/artifacts/invoke.growth.test.ts",
  "test/tools/work/exec_run.test.ts",
  "test/tools/work/fs_apply_patch.test.ts",
  "test/tools/work/fs_list.test.ts",
  "test/tools/work/fs_read.test.ts",
  "test/tools/work/fs_write_file.test.ts",
  "test/tools/work/git_commit.test.ts",
  "test/tools/work/git_diff.test.ts",
  "test/tools/work/git_status.test.ts",
  "test/tools/work/repository_impact.test.ts",
  "test/tools/work/repository_search.test.ts",
  "test/tools/work/run_advance.test.ts",
  "test/tools/work/workflow_execute.test.ts",
  "test/tools/work/workflow_gate.test.ts",
  "test/tools/work/workflow_plan.test.ts",
  "test/tools/work/workflow_propose.test.ts",
  "test/tools/work/workflow_verify.test.ts",
];
const ALL = "test/**/*.test.ts";
const {
  /** `slow`, `all`, or `nodes` with CAIRN_TEST_NODES. Absent: all but the slow ones. */
  CAIRN_TESTS: which,
  /** Of property tests: a number, or `random`. Fixed unless asked otherwise: a commit that passed must pass again. */
  CAIRN_SEED: seed = process.env["CAIRN_LONG"] ? "random" : "20260210",
} = process.env;

function toSeed(text: string): number {
  const number = text === "random" ? randomInt(2 ** 31) : Number(text);
  if (!Number.isInteger(number)) throw new Error(`CAIRN_SEED is \`${text}\`; it must be a whole number or \`random\`.`);
  if (text === "random") process.stdout.write(`CAIRN_SEED=${number} repeats this run's properties.\n`);
  return number;
}

/**
 * What glibc's malloc does in the workers: all of it in one arena of huge pages. Starting a program copies the page table of
 * whoever starts it, and a worker that has read a hundred files would pay 8 ms for each of the thousands of git commands.
 */
process.env["GLIBC_TUNABLES"] ??= [
  "glibc.malloc.hugetlb=1",
  "glibc.malloc.arena_max=1",
  `glibc.malloc.mmap_threshold=${2 ** 30}`,
  `glibc.malloc.top_pad=${2 ** 24}`,
].join(":");

const SHARED_MEMORY = "/dev/shm";
/** Bytes that all files of tests together stay far below. */
const ROOM = 2 ** 31;

/** True where temporary files can be kept in memory: a test waits for the disk at every commit of a store or of git. */
function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize > ROOM;
  } catch {
    return false;
  }
}

/** A worker waits a quarter of its time, for processes and for timers of theirs: two cores are busy with three of them. */
const WORKERS = Math.min(Math.max(3, availableParallelism()), 6);

if (process.env["TMPDIR"] === undefined && hasRoomInMemory()) process.env["TMPDIR"] = SHARED_MEMORY;

/** All processes of a run share one PostgreSQL server, which the first that needs it starts (`test/stand-ins/postgres.ts`). */
process.env["CAIRN_TEST_RUN"] = String(process.pid);
process.env["CAIRN_TEST_POSTGRES"] = join(tmpdir(), `cairn-test-postgres-${process.pid}`);

export default defineConfig({
  plugins: [compiledHosts()],
  // So that tests can import what speaks.
  resolve: createViteConfig().resolve,
  test: {
    include: which === "slow" ? SLOW : which === "nodes" ? [...NODES_SUITES] : [ALL],
    exclude: which === undefined ? ["**/node_modules/**", ...SLOW] : ["**/node_modules/**"],
    // Files share a process: loading the modules anew for each costs more than the tests, and there is no global state. Slow ones start
    // thousands of programs, each of which costs more the more memory a process has used: 5 ms in a young one, 30 in an old one.
    isolate: which !== undefined,
    pool: "forks",
    maxWorkers: WORKERS,
    // As in `bin/cairn.mjs`: what erases types is not worth optimizing.
    execArgv: ["--wasm-tiering-budget=1000000000"],
    // A busy machine needs more than half a minute to start a few services.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ["test/helpers/set-up.ts"],
    env: { CAIRN_SEED: String(toSeed(seed)) },
  },
});
