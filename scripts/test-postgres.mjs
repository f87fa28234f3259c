// Runs the store's tests on the PostgreSQL versions that `postgres-versions.mjs` brings, or on some of them: `npm run test:postgres -- 18`.
// Plain JavaScript, as that is.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Files of tests that use the engine alone, the slow ones among them, and what moves stores into a database. */
const TESTS = ["test/server/store/postgres", "test/server/app/copy-store.test.ts"];
const ROOT = fileURLToPath(new URL("..", import.meta.url));

function run(command, args, { env, stdout = "inherit" } = {}) {
  const options = {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", stdout, "inherit"],
    env: { ...process.env, ...env },
  };
  const { status, error, stdout: output } = spawnSync(command, args, options);
  if (error) throw error;
  return { isGood: status === 0, output };
}

const brought = run(process.execPath, ["scripts/postgres-versions.mjs", ...process.argv.slice(2)], { stdout: "pipe" });
let isGood = brought.isGood;
for (const programs of brought.output.split("\n").filter(Boolean)) {
  process.stdout.write(`\n== ${run(`${programs}/postgres`, ["--version"], { stdout: "pipe" }).output}`);
  const env = { CAIRN_TEST_POSTGRES_BIN: programs, CAIRN_TESTS: "all" };
  isGood = run("npx", ["vitest", "run", ...TESTS], { env }).isGood && isGood;
}
if (!isGood) process.exitCode = 1;
