import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { cloneCheckout } from "../helpers/checkout-repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const run = promisify(execFile);

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

// By npm's own registry: what is locked depends on all that was ever published there, which no stand-in has.
test("what a project locks that depends on the package is all that `npm ci` needs in another clone", async () => {
  const [folder, project, clone] = await Promise.all([temporaryFolder(), temporaryFolder(), temporaryFolder()]);
  const { devDependencies: _forDevelopers, ...manifest } = JSON.parse(await readFile("package.json", "utf8"));
  await mkdir(join(folder, "packed"));
  await writeFile(join(folder, "packed/package.json"), JSON.stringify(manifest));
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: join(folder, "packed") });
  const tarball = join(folder, `cairn-gitops-${manifest.version}.tgz`);
  await writeFile(join(project, "package.json"), JSON.stringify({ devDependencies: { "cairn-gitops": tarball } }));
  await run("npm", ["install", "--package-lock-only", "--no-audit"], { cwd: project });
  for (const file of ["package.json", "package-lock.json"]) await copyFile(join(project, file), join(clone, file));
  const { stdout } = await run("npm", ["ci", "--dry-run", "--loglevel=notice"], { cwd: clone });
  expect(stdout).toMatch(/^add cairn-gitops /m);
}, 300_000);
