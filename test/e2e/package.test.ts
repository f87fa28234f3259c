import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { startCairn } from "../helpers/cairn.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const run = promisify(execFile);

test(
  "the package that npm would install runs: no TypeScript in it, its own template, its own schemas",
  { timeout: 120_000 },
  async () => {
    const folder = await temporaryFolder();
    await run(process.execPath, ["scripts/build.mjs"]);
    const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder, "./dist"]);
    // As npm would lay it out, but with the dependencies that are here already.
    const modules = join(folder, "node_modules");
    const installed = join(modules, "cairn-gitops");
    await mkdir(installed, { recursive: true });
    await run("tar", ["-xzf", join(folder, stdout.trim()), "-C", installed, "--strip-components=1"]);
    for (const name of await readdir("node_modules")) {
      if (!name.startsWith(".")) await symlink(resolve("node_modules", name), join(modules, name));
    }
    const sources = (await readdir(installed, { recursive: true })).filter((file) => /(?<!\.d)\.ts$/.test(file));
    // What `init` copies.
    const tuner = (await readdir("tools/tuner")).map((name) => `tools/tuner/${name}`);
    expect(sources.sort()).toEqual(["template/tools/runner/greet.ts", ...tuner].sort());

    const command = join(installed, "bin/cairn.mjs");
    const agent = join(folder, "agent");
    await run(process.execPath, [command, "init", agent], { cwd: folder });
    const valid = await run(process.execPath, [command, "validate", agent], { cwd: folder });
    expect(valid.stdout).toBe("agent 0.1.0 is valid: 2 servers, 8 tools.\n");
    const worker =
      "import { createWorkClient, createWorker } from 'cairn-gitops/worker'; console.log(typeof createWorkClient, typeof createWorker)";
    const imported = await run(process.execPath, ["--input-type=module", "--eval", worker], { cwd: folder });
    expect(imported.stdout).toBe("function function\n");
    const { url } = await startCairn(["serve", agent, "--data", join(folder, "data")], {}, undefined, command);
    const answer = await fetch(`${url}/agent/stable/api/tools/runner.greet`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"name":"Ada"}',
    });
    expect(await answer.json()).toMatchObject({ greeting: "Hello, Ada!" });
  },
);

/** A clone of this checkout as its files are now. Nothing is installed in it. */
async function cloneCheckout(): Promise<string> {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const [{ stdout: present }, { stdout: deleted }] = await Promise.all([
    run("git", list),
    run("git", ["ls-files", "-z", "--deleted"]),
  ]);
  const gone = new Set(deleted.split("\0"));
  const source = await createRepository();
  for (const file of present.split("\0")) {
    if (!gone.has(file)) await cp(file, join(source.path, file), { preserveTimestamps: true });
  }
  await source.commit({});
  const clone = join(await temporaryFolder(), "cairn");
  await source.git("clone", "--quiet", source.path, clone);
  return clone;
}

/** Begins `npm` in a folder, as a person does who has Node, npm and git and nothing of this checkout. */
function startNpm(folder: string, args: readonly string[]) {
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((part) => !part.includes("node_modules"));
  const child = spawn("npm", args, {
    cwd: folder,
    env: { PATH: path.join(delimiter), HOME: process.env["HOME"], PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = once(child, "close") as Promise<[code: number | null]>;
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  onTestFinished(async () => {
    if (child.exitCode !== null || child.pid === undefined) return;
    // npm, its shell and the service.
    process.kill(-child.pid, "SIGTERM");
    await ended;
  });
  return { child, ended, output: () => stripVTControlCharacters(output) };
}

describe("[D10] in a fresh clone, where nothing is installed,", () => {
  test("`npm start` installs what is locked, serves, and prints a first call that is answered", async () => {
    const { child, output, ended } = startNpm(await cloneCheckout(), ["start"]);
    const firstCall = await new Promise<string>((found, fail) => {
      child.stdout.on("data", () => {
        const [, call] = /^ {2}(curl .*)$/m.exec(output()) ?? [];
        if (call !== undefined && output().endsWith("\n")) found(call);
      });
      void ended.then(([code]) => fail(new Error(`npm start ended with ${code}:\n${output()}`)));
    });
    expect(output()).toContain("cairn: installing the locked dependencies (npm ci), once ...");
    const { stdout } = await run("bash", ["-c", firstCall]);
    expect(JSON.parse(stdout)).toMatchObject({ reply: { kind: "help" }, conversation_id: expect.any(String) });
  }, 600_000);

  // All of the tests run like this in `.ci/run`; here two files of them, one of which starts the service.
  test("`npm test` installs what is locked and runs the tests", async () => {
    const files = ["test/server/versions/load-version.test.ts", "test/e2e/first-steps.test.ts"];
    const { ended, output } = startNpm(await cloneCheckout(), ["test", "--", ...files]);
    const [code] = await ended;
    expect(output()).toContain("cairn: installing the locked dependencies (npm ci), once ...");
    expect(output()).toMatch(/Test Files.* 2 passed/);
    expect(code, output()).toBe(0);
  }, 600_000);
});
