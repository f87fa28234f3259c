// Installs the locked dependencies when they are missing or older than the lockfile, so that
// `npm start` and `npm test` are each the only command needed on a fresh clone.
// Plain JavaScript without imports from node_modules: it runs before anything is installed, on Node 20 or newer.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

function modifiedAt(path) {
  return statSync(new URL(`../${path}`, import.meta.url), { throwIfNoEntry: false })?.mtimeMs;
}

const installed = modifiedAt("node_modules/.package-lock.json");
if (installed === undefined || installed < (modifiedAt("package-lock.json") ?? 0)) {
  process.stderr.write("cairn: installing the locked dependencies (npm ci), once ...\n");
  // On Windows npm is a shell script, which spawn refuses without a shell; Cairn supports Linux only.
  const { status, error } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", process.stderr.fd, process.stderr.fd],
  });
  if (error || status !== 0) {
    process.stderr.write(
      `cairn: npm ci failed (${error?.message ?? `exit code ${status}`}); nothing was started. ` +
        "The lines above say why; a missing network or proxy is the usual cause.\n",
    );
    process.exit(1);
  }
}
