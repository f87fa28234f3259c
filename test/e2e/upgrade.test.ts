import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, chown, cp, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCairn, startCairn } from "../helpers/cairn.ts";
import { connectMcp } from "../helpers/mcp-client.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

/** Facts that the older Cairn wrote down; test/fixtures/upgrade/README.md says how. */
interface Facts {
  readonly versions: Readonly<Record<string, object>>;
  readonly tasks: { readonly tasks: readonly { readonly task_id: string; readonly status: string }[] };
  readonly token: string;
  readonly key: string;
}

const RELEASES = ["44c200b"];
/** Account of the other machine: not this one, and not root. */
const OTHER = 65_534;
const SETPRIV = "/usr/bin/setpriv";
const AS_OTHER = [`--reuid=${OTHER}`, `--regid=${OTHER}`, "--clear-groups"];
const COMMAND = resolve("bin/cairn.mjs");
/** Checks that this is root, and that the other account reaches this checkout, which may be in a folder that is root's alone. */
const canSwitch =
  process.geteuid?.() === 0 &&
  existsSync(SETPRIV) &&
  spawnSync(SETPRIV, [...AS_OTHER, "test", "-r", COMMAND]).status === 0;

const shared = createShared();
afterAll(shared.undoAll);

function toHeaders(token: string, more: Readonly<Record<string, string>> = {}) {
  return { "content-type": "application/json", authorization: `Bearer ${token}`, ...more };
}

/** Asks a service as the holder of a token, and gives its answer without the service's address. */
async function ask(url: string, token: string, path: string, body?: unknown, more = {}): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    headers: toHeaders(token, more),
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, `${path}: ${text}`).toBe(200);
  return JSON.parse(text.replaceAll(url, ""));
}

/** Compares a service with what its data was when an older one wrote it. */
async function expectAsBefore(url: string, { versions, tasks, token }: Facts): Promise<void> {
  const listed = (await ask(url, token, "/versions?include_unstable=true")) as {
    readonly versions: readonly { readonly version: string }[];
  };
  expect(listed.versions.map(({ version }) => version).toSorted()).toEqual(Object.keys(versions).toSorted());
  for (const [version, before] of Object.entries(versions)) {
    expect(await ask(url, token, `/versions/${version}`)).toMatchObject(before);
    const greeted = await ask(url, token, `/agent/${version}/api/tools/runner.greet`, { name: "Ada", language: "de" });
    expect(greeted).toMatchObject({ text: expect.stringMatching(/^Hallo/) });
  }
  const now = (await ask(url, token, "/agent/1.1.0/api/tools/task_list", {})) as Facts["tasks"];
  // Of what was under way then, the leases have run out long since: it is free again.
  const freed = tasks.tasks.map((task) => (task.status === "running" ? { ...task, status: "pending" } : task));
  expect(now.tasks).toMatchObject(freed);
  const tuner = await connectMcp(`${url}/agent/1.1.0/tuner`, { authorization: `Bearer ${token}` });
  const [content] = (await tuner.readResource({ uri: "eval://micro_results.jsonl" })).contents;
  const lines = content !== undefined && "text" in content ? content.text.trim().split("\n") : [];
  const rewards = lines.map((line) => JSON.parse(line) as { readonly arm: string; readonly reward: number });
  expect(rewards).toHaveLength(20);
  expect(rewards.filter(({ arm, reward }) => reward !== (arm === "long" ? 1 : 0))).toEqual([]);
}

/** Exports the audit of a data folder as its account, and verifies it as anyone, with the key that was published before. */
async function verifyAudit(data: string, key: string, folder: string, run: typeof runHere): Promise<void> {
  expect((await run("audit", "key", "--data", data)).stdout.trim()).toBe(key);
  expect(await run("audit", "export", folder, "--data", data)).toMatchObject({ code: 0 });
  const verified = await run("audit", "verify", folder, "--key", key);
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^@service: ok.*\nacme: ok/)]);
}

function runHere(...args: readonly string[]) {
  return runCairn(args);
}

describe.each(RELEASES)("the data that Cairn %s wrote", (release) => {
  const facts = JSON.parse(readFileSync(`test/fixtures/upgrade/${release}.json`, "utf8")) as Facts;
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder(shared.atEnd);
    await promisify(execFile)("tar", ["-xzf", resolve(`test/fixtures/upgrade/${release}.tar.gz`), "-C", folder]);
  });

  test("serves, counts, learns, works and verifies on after an upgrade", { timeout: 120_000 }, async () => {
    const data = join(folder, "data");
    expect(await runCairn(["restore", join(folder, "backup"), "--data", data])).toMatchObject({ code: 0, stderr: "" });
    const { url, stop } = await startCairn(["serve", "--data", data]);
    await expectAsBefore(url, facts);
    const { token, key } = facts;
    const call = (tool: string, input: object) => ask(url, token, `/agent/1.1.0/api/tools/${tool}`, input);
    expect(await call("runner.count", {})).toMatchObject({ n: 5 });
    // The leases of the older service have run out.
    const claimed = [];
    for (let index = 0; index < 3; index++) claimed.push(await call("task_claim", { worker_id: "w3" }));
    const ids = claimed.map((one) => (one as { readonly task_id: string }).task_id);
    const waiting = facts.tasks.tasks.filter(({ status }) => status !== "completed");
    expect(ids.toSorted()).toEqual(waiting.map(({ task_id }) => task_id).toSorted());

    expect(await stop()).toBe(0);
    await verifyAudit(data, key, join(folder, "audit"), runHere);
  });

  test.skipIf(!canSwitch)(
    "serves on another machine: under another account, home and path (skipped unless root, with setpriv, in a checkout that others can read)",
    { timeout: 120_000 },
    async () => {
      const home = await temporaryFolder(shared.atEnd);
      await chmod(home, 0o755);
      // Copied between machines, files belong to whoever copies them.
      await cp(join(folder, "backup"), join(home, "copy"), { recursive: true });
      await mkdir(join(home, "srv"));
      await promisify(execFile)("chown", ["-R", `${OTHER}:${OTHER}`, join(home, "copy")]);
      await chown(join(home, "srv"), OTHER, OTHER);
      const as = [...AS_OTHER, process.execPath, COMMAND];
      const environment = { HOME: join(home, "srv"), CAIRN_DATA: join(home, "srv", "data"), TMPDIR: "/tmp" };
      const run = (...args: readonly string[]) =>
        promisify(execFile)(SETPRIV, [...as, ...args], { env: { PATH: process.env["PATH"], ...environment } }).then(
          ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
          (error: { code: number; stdout: string; stderr: string }) => error,
        );
      expect(await run("restore", join(home, "copy"))).toMatchObject({ code: 0, stderr: "" });
      const [first = "", ...rest] = as;
      const { url, stop } = await startCairn([...rest, "serve"], environment, shared.atEnd, first, SETPRIV);
      await expectAsBefore(url, facts);
      const landed = { message: 'Set the description of runner.greet to "Greets you."' };
      const wish = await ask(url, facts.token, "/agent/1.1.1/architect/chat", landed, { prefer: "wait=60" });
      expect(wish).toMatchObject({ result: "committed", new_version: "1.1.2" });
      expect(await stop()).toBe(0);
      await verifyAudit(environment.CAIRN_DATA, facts.key, join(home, "srv", "audit"), run);
      // And the way back, with today's form of a backup.
      expect(await run("backup", join(home, "srv", "backup"))).toMatchObject({ code: 0 });
      const back = join(await temporaryFolder(shared.atEnd), "data");
      expect(await runCairn(["restore", join(home, "srv", "backup"), "--data", back])).toMatchObject({ code: 0 });
      const home2 = await startCairn(["serve", "--data", back], {}, shared.atEnd);
      expect(await ask(home2.url, facts.token, "/versions/1.1.2")).toMatchObject({ version: "1.1.2", state: "served" });
      expect(await ask(home2.url, facts.token, "/versions/1.1.1")).toMatchObject(facts.versions["1.1.1"] ?? {});
    },
  );
});
