import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { startCairn } from "../helpers/cairn.ts";
import { startGitServer } from "../helpers/git-server.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";
import { isRunning } from "../server/sandbox/hosts.ts";

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
