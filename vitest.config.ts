import { randomInt } from "node:crypto";
import { statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { createViteConfig } from "./console/vite.config.mjs";
import { compiledHosts } from "./test/helpers/compiled-hosts.ts";
import { NODES_SUITES } from "./test/nodes-suites.ts";
import { SLOW, SWEEPS, THOROUGH } from "./test/slow-tests.ts";

const ALL = "test/**/*.test.ts";
const {
  /** `slow`, `sweeps`, `all`, or `nodes` with CAIRN_TEST_NODES. Absent: all but those of the lists in `test/slow-tests.ts`. */
  CAIRN_TESTS: which = "quick",
  /** Of property tests: a number, or `random`. Fixed unless asked otherwise: a commit that passed must pass again. */
  CAIRN_SEED: seed = process.env["CAIRN_LONG"] ? "random" : "20260210",
} = process.env;

/** The suites of each choice: those that share processes, and those that have one each. */
const SUITES: Readonly<
  Record<string, readonly { name: string; include: string[]; exclude?: string[]; isolate: boolean }[]>
> = {
  quick: [{ name: "quick", include: [ALL], exclude: [...THOROUGH, ...SLOW, ...SWEEPS], isolate: false }],
  slow: [
    { name: "thorough", include: THOROUGH, isolate: false },
    { name: "slow", include: SLOW, isolate: true },
  ],
  sweeps: [{ name: "sweeps", include: SWEEPS, isolate: true }],
  nodes: [{ name: "nodes", include: [...NODES_SUITES], isolate: true }],
  all: [
    { name: "warm", include: [ALL], exclude: [...SLOW, ...SWEEPS], isolate: false },
    { name: "own", include: [...SLOW, ...SWEEPS], isolate: true },
  ],
};

function toSuites(): NonNullable<(typeof SUITES)[string]> {
  const suites = SUITES[which];
  if (suites === undefined)
    throw new Error(`CAIRN_TESTS is \`${which}\`; it can be ${Object.keys(SUITES).join(", ")}.`);
  return suites;
}

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
    // Files share processes: loading the modules anew for each costs more than the tests, and there is no global state. Slow ones start
    // thousands of programs, each of which costs more the more memory a process has used: 5 ms in a young one, 30 in an old one.
    projects: toSuites().map((suites) => ({ extends: true as const, test: suites })),
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
