import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../helpers/eventually.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

/** An npm that installs what is locked, notes when it begins and ends, and waits for `go` in between. */
const NPM = `#!/bin/sh
trap "" TERM INT HUP # As npm, which takes its time to end.
echo "begin $$" >> log
rm -rf node_modules
while [ ! -e go ] && [ -e log ]; do sleep 0.05; done
mkdir node_modules && cp package-lock.json node_modules/.package-lock.json
echo end >> log
`;

const LOCK = {
  "": { name: "x", version: "1.0.0" },
  "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
  "node_modules/b": { version: "1.0.0", integrity: "sha512-b", dev: true },
  "node_modules/c": { version: "1.0.0", integrity: "sha512-c", optional: true },
};
type Packages = Readonly<Record<string, object>>;

async function makeCheckout(installed?: Packages) {
  const folder = await temporaryFolder();
  for (const name of ["scripts", "bin", "node_modules"]) await mkdir(join(folder, name));
  await copyFile("scripts/setup.mjs", join(folder, "scripts/setup.mjs"));
  await writeFile(join(folder, "scripts/build-console.mjs"), "export const buildConsole = async () => true;\n");
  await writeFile(join(folder, "bin/npm"), NPM, { mode: 0o755 });
  if (installed) {
    await writeFile(join(folder, "node_modules/.package-lock.json"), JSON.stringify({ packages: installed }));
  }
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages: LOCK }));
  // Newer than what is installed, as after a checkout of another branch and back.
  const later = new Date(Date.now() + 60_000);
  await utimes(join(folder, "package-lock.json"), later, later);
  return {
    setUp(...before: string[]): ChildProcess {
      const [command = "", ...args] = [...before, process.execPath, "scripts/setup.mjs"];
      const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
      const child = spawn(command, args, { cwd: folder, env, stdio: ["pipe", "ignore", "ignore"] });
      onTestFinished(() => void child.kill("SIGTERM"));
      return child;
    },
    go: () => writeFile(join(folder, "go"), ""),
    log: async () => (await readFile(join(folder, "log"), "utf8").catch(() => "")).replaceAll(/ \d+$/gm, ""),
    pid: async () => Number(/begin (\d+)/.exec(await readFile(join(folder, "log"), "utf8"))?.[1]),
  };
}

const endOf = async (child: ChildProcess) => ((await once(child, "exit")) as [number | null])[0];

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("scripts/setup.mjs", () => {
  const { "": root, "node_modules/a": a, "node_modules/b": b, "node_modules/c": c } = LOCK;
  const all = { "node_modules/a": a, "node_modules/b": b, "node_modules/c": c };
  test.each<[string, boolean, Packages | undefined]>([
    ["everything", true, all],
    ["everything but what is for other platforms", true, { "node_modules/a": a, "node_modules/b": b }],
    ["everything but what is for developers", true, { "node_modules/a": a }],
    ["nothing", false, undefined],
    ["an unfinished install", false, {}],
    ["a package less", false, { "node_modules/b": b }],
    ["a package more", false, { ...all, "node_modules/d": a }],
    ["another version", false, { ...all, "node_modules/a": { ...a, version: "0.9.0" } }],
    ["other content", false, { ...all, "node_modules/c": { ...c, integrity: "sha512-d" } }],
    ["another root alone", false, { "": root }],
  ])("with %s installed, leaves it: %j", async (_, isLeft, installed) => {
    const { setUp, go, log } = await makeCheckout(installed);
    await go();
    expect(await endOf(setUp())).toBe(0);
    expect(await log()).toBe(isLeft ? "" : "begin\nend\n");
  });

  test("installs once when two are started", async () => {
    const { setUp, go, log } = await makeCheckout();
    const ends = [setUp(), setUp()].map(endOf);
    await eventually(async () => expect(await log()).toBe("begin\n"));
    await go();
    expect(await Promise.all(ends)).toEqual([0, 0]);
    expect(await log()).toBe("begin\nend\n");
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s ends its install too", async (signal) => {
    const { setUp, log, pid } = await makeCheckout();
    const child = setUp();
    await eventually(async () => expect(await log()).toBe("begin\n"));
    child.kill(signal);
    expect(await endOf(child)).toBeGreaterThan(128);
    const npm = await pid();
    await eventually(() => expect(isRunning(npm)).toBe(false));
  });

  test("waits for an install whose script was killed", async () => {
    const { setUp, go, log } = await makeCheckout();
    const killed = setUp();
    await eventually(async () => expect(await log()).toBe("begin\n"));
    killed.kill("SIGKILL");
    const end = endOf(setUp());
    await go();
    expect(await end).toBe(0);
    expect(await log()).toBe("begin\nend\n");
  });

  test("its install ends with what started it", async () => {
    const { setUp, log, pid } = await makeCheckout();
    // A shell that stays, as a runner of scripts does.
    const runner = setUp("sh", "-c", '"$@"; exit $?', "sh");
    await eventually(async () => expect(await log()).toBe("begin\n"));
    runner.kill("SIGKILL");
    const npm = await pid();
    await eventually(() => expect(isRunning(npm)).toBe(false));
  });
});
