// Installs the locked dependencies when what is installed differs from the lockfile, so that
// `npm start` and `npm test` are each the only command needed on a fresh clone.
// Plain JavaScript without imports from node_modules: it runs before anything is installed, on Node 20 or newer.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { buildConsole } from "./build-console.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Asks for nothing but an exit code: 0 where everything is installed. */
const CHECK = "--check";
/** Milliseconds between two looks at whether this process was left behind by what started it. */
const PARENT_CHECK = 250;

/** The packages of a lockfile by their folder, but for the root; none where there is no file, or an unfinished one. */
function readPackages(path) {
  try {
    const { "": _root, ...packages } = JSON.parse(
      readFileSync(new URL(`../${path}`, import.meta.url), "utf8"),
    ).packages;
    return packages;
  } catch {
    return {};
  }
}

/**
 * Checks that node_modules holds what is locked, by npm's own lockfile in it, the last file that npm writes and the first
 * that it removes. Times prove nothing: git touches files that it does not change. Packages for other platforms may be
 * absent, and so may those for developers.
 */
function isInstalled() {
  const installed = readPackages("node_modules/.package-lock.json");
  const locked = readPackages("package-lock.json");
  const hasDev = Object.values(installed).some(({ dev }) => dev);
  const mayLack = ({ optional, dev, devOptional }) => optional || (!hasDev && (dev || devOptional));
  return (
    Object.keys(installed).length > 0 &&
    Object.keys(installed).every((path) => path in locked) &&
    Object.entries(locked).every(([path, wanted]) => {
      const found = installed[path];
      return found ? found.version === wanted.version && found.integrity === wanted.integrity : mayLack(wanted);
    })
  );
}

function fail(reason) {
  process.stderr.write(`cairn: ${reason}\n`);
  process.exit(1);
}

/**
 * Two installs at once tear the tree, so each waits for the folder's lock, and looks again once it has it. The lock is the
 * kernel's, and npm holds it itself: it ends with npm, however that ends.
 */
function install() {
  process.stderr.write("cairn: installing the locked dependencies (npm ci), once ...\n");
  const underLock = `"$0" "$1" ${CHECK} || exec npm ci --no-audit --no-fund --loglevel=error`;
  // Elsewhere there is no `flock`: two installs at once are for the person at the keyboard to avoid.
  const [program, ...args] =
    process.platform === "linux"
      ? ["flock", ROOT, "sh", "-c", underLock, process.execPath, fileURLToPath(import.meta.url)]
      : ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const child = spawn(program, args, {
    cwd: ROOT,
    // npm is a script of the shell on Windows.
    shell: process.platform === "win32",
    stdio: ["ignore", process.stderr.fd, process.stderr.fd],
    // A process group of its own, so that all of it can be ended at once.
    detached: true,
  });
  let ending;
  const end = (signal) => {
    ending = signal;
    // npm takes its time over anything milder. Nothing is lost: an unfinished install is begun again.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
  // npm does not end its scripts when it is killed.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid === parent || ending || end("SIGTERM"), PARENT_CHECK);
  child.on("error", ({ message }) => fail(`\`${program}\` could not be started: ${message}; run \`npm ci\`.`));
  child.on("exit", (code) => {
    clearInterval(watch);
    if (ending) process.exit(128 + constants.signals[ending]);
    // npm built it, too.
    if (code === 0) return;
    fail(
      `npm ci failed (exit code ${code}); nothing was started. ` +
        "The lines above say why; a missing network or proxy is the usual cause.",
    );
  });
}

if (process.argv.includes(CHECK)) process.exitCode = isInstalled() ? 0 : 1;
else if (!isInstalled()) install();
else await buildConsole();
