import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { startCairn } from "../helpers/cairn.ts";
import { startGitServer } from "../helpers/git-server.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";
import { isRunning } from "../server/kernel/isolates/hosts.ts";

const patience = { timeout: 20_000 };

describe("a service that waits for its repository", () => {
  test("ends when it is asked to, and leaves nothing behind", async () => {
    const repository = await createRepository();
    const host = await startGitServer(repository.path);
    host.fail = { kind: "hang" };
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [resolve("bin/cairn.mjs"), "serve", host.url], {
      env: { PATH, HOME, PORT: "0", CAIRN_DATA: await temporaryFolder(), CAIRN_LOG_LEVEL: "warn" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [ended, lines] = [once(child, "exit"), createInterface(child.stdout)];
    const said = once(lines, "line");
    await vi.waitFor(() => expect(host.requests).not.toEqual([]), patience);
    child.kill("SIGTERM");
    // Long before git itself would give up.
    expect([await ended, await said]).toEqual([[0, null], ["Cairn was ended before it served anything."]]);
  });
});

describe("a service that starts", () => {
  test("counts the versions that it serves, and beside them those that it does not", async () => {
    const repository = await createRepository();
    await repository.commit(agentFiles({ version: "1.0.0", tools: {} }));
    await repository.tag("v1.0.0");
    await repository.release("1.1.0", { "manifests/broken.yaml": "x" });
    await repository.release("1.2.0");
    const { output } = await startCairn(["serve", repository.path]);
    await vi.waitFor(() => expect(output()).toMatch(/^ {2}1\.0\.0 /m), patience);
    expect(output()).toMatch(
      /^Cairn serves 1 version at \S+\n2 more are quarantined, so not served\n {2}1\.2\.0 {2}quarantined: /m,
    );
  });
});

describe("a service that a script runs", () => {
  test.for(["SIGTERM", "SIGKILL"] as const)("ends when the script is killed by %s", async (signal) => {
    const repository = await createRepository();
    await repository.commit(agentFiles({ version: "1.0.0", tools: {} }));
    await repository.tag("v1.0.0");
    const { PATH, HOME } = process.env;
    const command = [process.execPath, resolve("bin/cairn.mjs"), "serve", repository.path].join(" ");
    // As npm does it: a shell that waits, in a process that waits.
    const runner = spawn("sh", ["-c", `sh -c '${command}; true' & echo $! >&2; wait`], {
      env: { PATH, HOME, PORT: "0", CAIRN_DATA: await temporaryFolder(), npm_lifecycle_event: "start" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void runner.kill("SIGKILL"));
    const [pid] = (await once(createInterface(runner.stderr), "line")) as [string];
    const lines = createInterface(runner.stdout);
    const [said] = (await once(lines, "line")) as [string];
    expect(said).toMatch(/^Cairn serves 1 version at /);
    // Its output ends with the last process that could write there.
    const over = once(lines, "close");
    runner.kill(signal);
    await over;
    await vi.waitFor(() => expect(isRunning(Number(pid))).toBe(false), patience);
  });
});

test("secrets that cannot be used are warnings of the start, which goes on", async () => {
  const data = await temporaryFolder();
  await writeFile(join(data, "key"), "hunter2", { mode: 0o600 });
  const work = await createRepository();
  await work.release("1.0.0");
  const cairn = await startCairn(["serve", work.path], {
    CAIRN_DATA: join(data, "data"),
    CAIRN_SECRETS: `GITHUB=file:${data}/none`,
    CAIRN_SECRETS_KEY: `file:${data}/key`,
  });
  await cairn.stop();
  const warnings = cairn
    .output()
    .split("\n")
    .filter((line) => line.includes('"warn"') && line.includes("CAIRN_SECRETS"));
  expect(warnings.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    expect.stringMatching(/^The file that CAIRN_SECRETS \(GITHUB\) names cannot be read \(ENOENT/),
    "CAIRN_SECRETS_KEY names no key of 32 bytes in base64; make one with `openssl rand -base64 32`.",
  ]);
  expect(cairn.output()).not.toContain("hunter2");
});

describe("a data folder that other accounts may enter", () => {
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

  test("is warned of once, and its parts are closed to them, those that are made and those that were open", async () => {
    const data = await temporaryFolder();
    await chmod(data, 0o755);
    const work = await createRepository();
    await work.release("1.0.0");
    await work.git("clone", "--quiet", "--bare", work.path, join(data, "origin.git"));
    for (const name of ["exports", "previews", "workspaces"]) await mkdir(join(data, name), { mode: 0o755 });
    const run = async () => {
      const cairn = await startCairn(["serve"], { CAIRN_DATA: data });
      const parts = (await readdir(data)).filter((name) => !name.startsWith("audit."));
      const modes = await Promise.all(parts.map(async (name) => [name, await modeOf(join(data, name))] as const));
      await cairn.stop();
      const lines = cairn.output().split("\n");
      return { modes: Object.fromEntries(modes), warnings: lines.filter((line) => line.includes("data folder")) };
    };
    const closed = ["exports", "instance", "mirror.git", "origin.git", "previews", "store", "workspaces"];
    const expected = Object.fromEntries(closed.map((name) => [name, "700"]));
    const first = await run();
    expect(first.modes).toMatchObject(expected);
    expect(first.warnings).toHaveLength(1);
    expect(JSON.parse(first.warnings[0] ?? "")).toMatchObject({
      folder: data,
      mode: "0755",
      msg: `other accounts may enter the data folder, mode 0755; run: chmod 700 '${data}'`,
    });
    // As an earlier Cairn left them.
    for (const name of closed) await chmod(join(data, name), 0o755);
    await chmod(data, 0o700);
    expect(await run()).toMatchObject({ modes: expected, warnings: [] });
  });
});
