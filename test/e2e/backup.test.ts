import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callCounter, createCounter, startCounting } from "../fixtures/counter.ts";
import { createGreeter } from "../fixtures/greeter.ts";
import { agentFiles } from "../helpers/agent.ts";
import { runCairn, runInProcess, type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { createRepository, openRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const isLong = process.env["CAIRN_LONG"] !== undefined;
/** A data folder with a repository of its own and a token; nothing runs on it. */
async function createData(): Promise<{ data: string; token: string }> {
  const data = join(await temporaryFolder(), "data");
  const work = await createRepository();
  await work.release("1.0.0", agentFiles({ version: "1.0.0", tools: { count: createCounter(5_000) } }));
  await work.release(
    "1.1.0",
    agentFiles({ version: "1.1.0", tools: { count: createCounter(5_000) }, parent: "1.0.0" }),
  );
  await work.git("clone", "--quiet", "--bare", work.path, join(data, "origin.git"));
  const made = await runInProcess([
    "token",
    "create",
    "--tenant",
    "acme",
    "--actor",
    "ci",
    "--scopes",
    "*",
    "--data",
    data,
  ]);
  return { data, token: made.stdout.trim() };
}

function toHeaders(token: string) {
  return { "content-type": "application/json", authorization: `Bearer ${token}` };
}

/** What the service says of its versions, but for when it said so. */
async function listVersions(url: string, token: string): Promise<unknown> {
  const response = await fetch(`${url}/versions?include_unstable=true`, { headers: toHeaders(token) });
  const text = await response.text();
  return JSON.parse(text.replaceAll(url, "")) as unknown;
}

async function verifyAudit(data: string): Promise<{ code: number; stdout: string; key: string }> {
  const folder = await temporaryFolder();
  const exported = await runInProcess(["audit", "export", folder, "--data", data]);
  expect([exported.code, exported.stderr]).toEqual([0, ""]);
  const key = (await runInProcess(["audit", "key", "--data", data])).stdout.trim();
  const { code, stdout } = await runCairn(["audit", "verify", folder, "--key", key]);
  return { code, stdout, key };
}

describe("a backup of a running service", () => {
  test(
    "holds every effect that was acknowledged before it began, and becomes a service that answers alike",
    { timeout: 240_000 },
    async () => {
      const { data, token } = await createData();
      const cairn = await startCairn(["serve", "--data", data]);
      // The service has seen the tag, and keeps to what it meant.
      const origin = openRepository(join(data, "origin.git"));
      const first = await origin.git("rev-parse", "v1.0.0");
      await origin.git("tag", "--force", "v1.0.0", "v1.1.0");
      await fetch(`${cairn.url}/versions/refresh`, { method: "POST", headers: toHeaders(token) });
      const load = startCounting(token, cairn.url);
      await expect.poll(() => Math.min(...load.acknowledged), { timeout: 60_000 }).toBeGreaterThan(5);

      const before = [...load.acknowledged];
      const backup = join(await temporaryFolder(), "backup");
      const made = await runCairn(["backup", backup, "--data", data]);
      expect([made.code, made.stderr]).toEqual([
        0,
        "cairn: not in it: what the environment says, with every key and secret in it\n",
      ]);
      expect(made.stdout).toMatch(/^\S+ holds what was in \S+ at \S+: \d+ files, [\d.]+ MiB\n$/);
      await load.stop();
      const versions = await listVersions(cairn.url, token);
      expect(await cairn.stop()).toBe(0);
      const { key } = await verifyAudit(data);

      expect((await runInProcess(["restore", backup, "--check"])).code).toBe(0);
      const restored = join(await temporaryFolder(), "restored");
      expect(await runCairn(["restore", backup, "--data", restored])).toMatchObject({ code: 0, stderr: "" });
      const audit = await verifyAudit(restored);
      expect(audit).toMatchObject({ code: 0, key, stdout: expect.stringMatching(/^@service: ok.*\nacme: ok/) });
      const again = await startCairn(["serve", "--data", restored]);
      for (const [lane, n] of before.entries()) {
        const next = await callCounter(again.url, token, lane);
        expect(next).toBeGreaterThan(n);
        expect(next).toBeLessThanOrEqual((load.acknowledged[lane] ?? 0) + 1);
      }
      expect(await listVersions(again.url, token)).toEqual(versions);
      const detail = await fetch(`${again.url}/versions/1.0.0`, { headers: toHeaders(token) });
      expect(await detail.json()).toMatchObject({ commit_hash: first });
      expect((await fetch(`${again.url}/versions`)).status).toBe(401);
    },
  );

  test(
    "that is killed leaves nothing that a restore takes, and the next one to the same place is whole",
    { timeout: 240_000 },
    async () => {
      const { data } = await createData();
      await (await startCairn(["serve", "--data", data])).stop();
      const [folder, elsewhere] = [await temporaryFolder(), join(await temporaryFolder(), "data")];
      const backup = join(folder, "backup");
      for (const after of [200, 500, 900]) {
        const args = [resolve("bin/cairn.mjs"), "backup", backup, "--data", data];
        const child = spawn(process.execPath, args, { stdio: "ignore" });
        // On a quiet machine it may be done before it is killed.
        const ended = once(child, "exit");
        await sleep(after);
        child.kill("SIGKILL");
        await ended;
        const left = await readdir(folder);
        if (left.includes("backup")) expect((await runInProcess(["restore", backup, "--check"])).code).toBe(0);
        for (const name of left.filter((one) => one !== "backup")) {
          expect(name).toMatch(/^backup\.unfinished-\d+$/);
          const { code, stderr } = await runInProcess(["restore", join(folder, name), "--data", elsewhere]);
          expect([code, stderr]).toEqual([2, expect.stringContaining("is no backup, or one that was cut short")]);
        }
        if (left.includes("backup")) return;
      }
      expect((await runInProcess(["backup", backup, "--data", data])).code).toBe(0);
      expect(await readdir(folder)).toEqual(["backup"]);
      expect((await runInProcess(["restore", backup, "--check"])).code).toBe(0);
    },
  );
});

describe("feedback that is worked on while a backup is made", () => {
  const { atEnd, undoAll } = createShared();
  let pristine: string;

  beforeAll(async () => {
    const checkout = await createRepository(await temporaryFolder(atEnd));
    await checkout.commit(await createGreeter());
    await checkout.tag("v1.0.0");
    pristine = join(await temporaryFolder(atEnd), "data");
    await checkout.git("clone", "--quiet", "--bare", checkout.path, join(pristine, "origin.git"));
    await (await startCairn(["serve", "--data", pristine], {}, atEnd)).stop();
  }, 120_000);
  afterAll(undoAll);

  async function send(cairn: RunningCairn) {
    const response = await fetch(`${cairn.url}/agent/1.0.0/architect/chat`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": "the-one", prefer: "wait=120" },
      body: JSON.stringify({ message: 'Set the description of runner.greet to "Greets somebody by name."' }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  }

  test.each(isLong ? [0, 200, 400, 700, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000] : [300, 1_500])(
    "lands once in what is restored, when it was backed up %i ms after it was sent",
    { timeout: 300_000 },
    async (after) => {
      const data = join(await temporaryFolder(), "data");
      await cp(pristine, data, { recursive: true });
      const cairn = await startCairn(["serve", "--data", data]);
      const sent = send(cairn).catch(() => undefined);
      await sleep(after);
      const backup = join(await temporaryFolder(), "backup");
      expect((await runInProcess(["backup", backup, "--data", data])).code).toBe(0);
      await cairn.stop("SIGKILL");
      await sent;

      const restored = join(await temporaryFolder(), "data");
      expect((await runInProcess(["restore", backup, "--data", restored])).code).toBe(0);
      const again = await startCairn(["serve", "--data", restored]);
      const answers = [await send(again), await send(again)];
      expect(answers[0], again.output()).toMatchObject({
        status: 200,
        body: { result: "committed", new_version: "1.0.1" },
      });
      expect(answers[1]).toEqual(answers[0]);
      expect(await again.stop()).toBe(0);
      const origin = openRepository(join(restored, "origin.git"));
      const refs = await origin.git("for-each-ref", "--format=%(refname)", "refs/heads/", "refs/tags/");
      expect(refs.split("\n")).toEqual(["refs/heads/main", "refs/tags/v1.0.0", "refs/tags/v1.0.1"]);
      expect(await origin.git("log", "--format=%s", "v1.0.0..main")).toBe(
        "The description of runner.greet is Greets somebody by name.",
      );
    },
  );
});
