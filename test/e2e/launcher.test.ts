import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../helpers/temporary.ts";

const RUNTIME = `node-${process.platform}-${process.arch}`;
const run = (file: string, args: readonly string[]) =>
  promisify(execFile)(file, [...args]).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );

/** The launcher beside a package.json that pins `version`, and what is installed as it. */
async function install(version: string, runtime?: string): Promise<string> {
  const folder = await temporaryFolder();
  await cp("bin", join(folder, "bin"), { recursive: true });
  await symlink(resolve("server"), join(folder, "server"));
  const manifest = JSON.parse(await readFile("package.json", "utf8")) as {
    optionalDependencies: Record<string, string>;
  };
  manifest.optionalDependencies[RUNTIME] = version;
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  if (runtime !== undefined) {
    await mkdir(join(folder, "node_modules", RUNTIME, "bin"), { recursive: true });
    await symlink(runtime, join(folder, "node_modules", RUNTIME, "bin/node"));
    await writeFile(join(folder, "node_modules", RUNTIME, "package.json"), "{}");
  }
  return join(folder, "bin/cairn.mjs");
}

/** Stands in for another version of Node: a script that takes the launcher's command line. */
async function writeRuntime(script: string): Promise<string> {
  const file = join(await temporaryFolder(), "node");
  await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

describe("the launcher", () => {
  test("goes on at once on the Node that package.json pins", async () => {
    const launcher = await install(process.versions.node);
    expect(await run(process.execPath, [launcher, "--version"])).toMatchObject({ code: 0, stdout: "0.1.0\n" });
  });

  test("hands over to the pinned Node, with the arguments, and ends as it does", async () => {
    const launcher = await install("99.0.0", await writeRuntime('echo "$@"; exit 7'));
    const { code, stdout } = await run(process.execPath, [launcher, "call", "a b"]);
    expect([code, stdout]).toEqual([7, `${launcher} call a b\n`]);
  });

  test("starts on any Node of the PATH, however much older than its own", async () => {
    const { stdout } = await run("which", ["-a", "node"]);
    for (const node of stdout.split("\n").filter(Boolean)) {
      const result = await run(node, [resolve("bin/cairn.mjs"), "--version"]);
      expect({ node, ...result }).toMatchObject({ node, code: 0, stdout: "0.1.0\n" });
    }
  });

  test("never falls back to another Node: without the pinned one it ends, and says what to do", async () => {
    const launcher = await install("99.0.0");
    const { code, stderr } = await run(process.execPath, [launcher, "serve"]);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`needs its own Node 99.0.0, and the package ${RUNTIME} is not installed`),
    ]);
  });

  test("runs on a system's Node of the pinned major version where npm has none for the platform, and on no other", async () => {
    const runAs = async (platform: string, version: string) => {
      const fake = `Object.defineProperties(process, { platform: { value: "${platform}" }, version: { value: "${version}" } });`;
      const preload = `data:text/javascript,${encodeURIComponent(fake)}`;
      return run(process.execPath, ["--import", preload, resolve("bin/cairn.mjs"), "version"]);
    };
    for (const platform of ["darwin", "win32"]) {
      expect(await runAs(platform, process.version)).toMatchObject({ code: 0, stdout: "0.1.0\n" });
      for (const version of ["v20.19.0", "v24.0.0", "v26.1.0"]) {
        const { code, stderr } = await runAs(platform, version);
        expect([code, stderr]).toEqual([
          3,
          expect.stringMatching(/^cairn: npm has no Node .* install Node 24, 24\.\d/),
        ]);
      }
    }
  });

  test("takes the service with it when it is killed outright", async () => {
    // Runs the real thing: only the launcher believes that it is on another Node.
    const launcher = await install("99.0.0", await writeRuntime(`exec "${process.execPath}" -e "${WAITER}"`));
    const child = spawn(process.execPath, [launcher, "serve"], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines = createInterface(child.stdout);
    const [pid] = (await once(lines, "line")) as [string];
    child.kill("SIGKILL");
    expect(await once(lines, "line")).toEqual([`${pid} lost its launcher`]);
  });
});

const WAITER = `
  const pipe = new (require('net').Socket)({ fd: Number(process.env.CAIRN_LAUNCHER_FD), readable: true, writable: false });
  pipe.on('close', () => console.log(process.pid + ' lost its launcher')).resume();
  console.log(process.pid);`.replaceAll("\n", " ");
