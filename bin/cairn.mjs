#!/usr/bin/env node
// Starts Cairn on its own, pinned Node. Plain JavaScript that runs on Node 20 or newer: whatever `node` is first on the
// PATH gets here, and hands over. It never goes on with another version: type stripping, the isolates and the store
// are tested with the pinned one only, and each would fail later and in a stranger way.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
// Not by name: Node 20 has no `enableCompileCache`, and would stop here before it could hand over.
import module, { createRequire } from "node:module";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

const require = createRequire(import.meta.url);
const { optionalDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const runtime = `node-${process.platform}-${process.arch}`;
const pinned = optionalDependencies[runtime];
/** The Node that is pinned elsewhere: where npm has none, a system's of its major version does, if it is no older. */
const wanted = pinned ?? Object.entries(optionalDependencies).find(([name]) => name.startsWith("node-"))?.[1];

/** Milliseconds between two looks at what this process was started by, and the shells that may stand between. */
const RUNNER_CHECK = 250;
/** Work after which V8 optimizes a function of WebAssembly. Most erase types, and end long before that has paid off. */
const TIERING_BUDGET = 1_000_000_000;
/** Per cent by which the old generation grows until V8 collects it: after an idle time it would do so after some 10, several times a second. */
const HEAP_GROWTH = 200;
const SHELLS = new Set(["ash", "bash", "busybox", "dash", "sh"]);

function fail(reason) {
  process.stderr.write(`cairn: ${reason}\n`);
  process.exit(3);
}

/** Finds the folder where the pinned Node is installed: beside Cairn, or where npm hoisted it to. */
function findPinned() {
  try {
    const binary = require.resolve(`${runtime}/bin/node`);
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

function handOver(binary) {
  const child = spawn(binary, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    // The extra pipe closes with this process, however it ends: see `endWithLauncher`.
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: { ...process.env, CAIRN_LAUNCHER_FD: "3" },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(`the pinned Node could not be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Ends the service when the launcher is killed outright. */
function endWithLauncher(fd) {
  const pipe = new Socket({ fd, readable: true, writable: false });
  pipe.on("close", () => process.kill(process.pid, "SIGTERM"));
  pipe.on("error", () => pipe.destroy());
  pipe.resume().unref();
}

/**
 * A script runner such as `npm start` puts a shell between itself and this process, and neither tells it when it is killed.
 * What is left behind gets another parent.
 */
function endWithScript() {
  const runner = findRunner();
  const watch = setInterval(() => {
    if (findRunner() === runner) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, RUNNER_CHECK);
  watch.unref();
}

/** The process that runs the script: this one's parent, or where that is a shell, the shell's. */
function findRunner() {
  try {
    const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${process.ppid}/stat`, "utf8")) ?? [];
    return SHELLS.has(name) ? Number(rest.split(" ")[1]) : process.ppid;
  } catch {
    // It has ended between the two.
    return process.ppid;
  }
}

// Set by npm and those that are like it for what a script starts.
if (process.env.npm_lifecycle_event !== undefined) endWithScript();

/** Compares with the pinned Node: the same major version, and at least its minor one. */
function isFitting(version) {
  const [major, minor] = version.replace(/^v/, "").split(".").map(Number);
  const [pinnedMajor, pinnedMinor] = wanted.split(".").map(Number);
  return major === pinnedMajor && minor >= pinnedMinor;
}

if (pinned === undefined && !isFitting(process.version)) {
  const major = wanted.split(".")[0];
  fail(
    `npm has no Node ${wanted} for ${process.platform} ${process.arch}, and this is ${process.version}; install Node ${major}, ${wanted} or newer (https://nodejs.org), and run the command with that.`,
  );
} else if (pinned === undefined || process.version === `v${pinned}`) {
  const [command] = process.argv.slice(2);
  if (pinned === undefined && (command === "serve" || command === "dev")) {
    process.stderr.write(
      `cairn: runs on this system's Node ${process.version}; ${process.platform} has no sandbox (bubblewrap), so commands of runs are refused.\n`,
    );
  }
  // Dates without a time zone must mean the same on every machine.
  process.env.TZ = "UTC";
  const { CAIRN_LAUNCHER_FD: launcher } = process.env;
  delete process.env.CAIRN_LAUNCHER_FD;
  if (launcher !== undefined) endWithLauncher(Number(launcher));
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  // Half of what a start takes is compiling. The folder is Cairn's own: a shared one could hold code of somebody else's.
  module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/cairn/", import.meta.url)));
  // As checked out, in npm's package, and in `dist/` itself.
  const mains = ["../server/main.ts", "../dist/server/main.js", "../server/main.js"];
  const found = mains.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  if (found === undefined) fail("this installation has no code; `npm run build` makes it.");
  const { main } = await import(found);
  await main(process.argv.slice(2));
} else {
  const binary = findPinned();
  if (binary === undefined) {
    fail(
      `Cairn needs its own Node ${pinned}, and the package ${runtime} is not installed; run \`npm ci\` without \`--omit=optional\`.`,
    );
  } else if (binary === process.execPath) {
    fail(`the package ${runtime} is Node ${process.version}, but package.json pins ${pinned}; run \`npm ci\`.`);
  } else {
    handOver(binary);
  }
}
