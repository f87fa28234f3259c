import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { callCounter, createCounter, startCounting } from "../fixtures/counter.ts";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { type RunningCairn, runCairn, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { createRepository, type TestRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";
import { NODE } from "../helpers/worker-process.ts";
import { begin, connectBoth, findChildren, type WorkerConnection } from "../helpers/workers.ts";

const RATE = 12;
const TOOLS: Readonly<Record<string, AgentTool>> = {
  count: createCounter(1),
  rated: { handler: "export default () => ({});\n" },
  ask: { handler: "export default () => ({});\n", manifest: "interactive: true\nuses: [elicit]" },
};
const LIMITS = `limits:\n  tools:\n    runner.rated: { rate: ${RATE} }\n`;
const MCP = "/agent/1.0.0/runner";
const COUNT = "/agent/1.0.0/api/tools/runner.count";

let repository: TestRepository;
let data: string;
let token: string;
let cairn: RunningCairn;

/** Starts the service with two workers, of the pinned Node, so that its process is the primary. */
function start(environment: Readonly<Record<string, string>> = {}): Promise<RunningCairn> {
  const own = { CAIRN_WORKERS: "2", ...environment };
  return startCairn(["serve", repository.path, "--data", data], own, onTestFinished, undefined, NODE);
}

async function createToken(...more: readonly string[]): Promise<string> {
  const grant = ["--tenant", "acme", "--actor", "ada", "--scopes", "*", "--roles", "*", ...more];
  const { stdout, stderr } = await runCairn(["token", "create", ...grant, "--data", data]);
  const made = /cairn_\S+/.exec(stdout)?.[0];
  if (made === undefined) throw new Error(`No token: ${stdout}${stderr}`);
  return made;
}

const authorized = () => ({ authorization: `Bearer ${token}` });
const connect = () => connectBoth(cairn.url, MCP, authorized(), onTestFinished);

async function count(at: WorkerConnection, lane: number, key: string = randomUUID()): Promise<number> {
  const { status, text } = await at.send(COUNT, { body: { lane }, headers: { "idempotency-key": key } });
  expect([status, text]).toEqual([200, expect.any(String)]);
  return (JSON.parse(text) as { n: number }).n;
}

/** Calls a tool over a connection of its own, so that the kernel chooses a worker. */
async function call(name: string, input: object): Promise<number> {
  const headers = { "content-type": "application/json", connection: "close", ...authorized() };
  const path = `${cairn.url}/agent/1.0.0/api/tools/runner.${name}`;
  return (await fetch(path, { method: "POST", headers, body: JSON.stringify(input) })).status;
}

/** Checks that the audit of the tenant is one whole chain. */
async function verifyAudit(): Promise<void> {
  const folder = join(data, "../audit");
  const { stdout: key } = await runCairn(["audit", "key", "--data", data]);
  expect(await runCairn(["audit", "export", folder, "--data", data])).toMatchObject({ code: 0 });
  expect(await runCairn(["audit", "verify", folder, "--key", key.trim()])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("acme"),
  });
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

beforeEach(async () => {
  repository = await createRepository();
  const files = { "manifests/policies/limits.yaml": LIMITS };
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: TOOLS, files }));
  data = join(await temporaryFolder(), "data");
  token = await createToken();
  cairn = await start();
});

describe("a service of two workers", { timeout: 120_000 }, () => {
  test("is one service: keys, limits, sessions, pushes and metrics count for both", async () => {
    const [one, other] = await connect();
    for (let round = 1; round <= 10; round += 1) {
      const key = randomUUID();
      const both = await Promise.all([count(one, 0, key), count(other, 0, key)]);
      expect(both).toEqual([round, round]);
    }

    const rated = await Promise.all(Array.from({ length: 3 * RATE }, () => call("rated", {})));
    const through = rated.filter((status) => status === 200).length;
    expect(through).toBeLessThanOrEqual(RATE);
    // Of which each worker may hold a share that the other does not get.
    expect(through).toBeGreaterThanOrEqual(RATE - 2);
    expect(new Set(rated)).toEqual(new Set([200, 429]));

    const { id } = await begin(one.send, MCP);
    expect(id.startsWith(one.worker)).toBe(true);
    const ping = { body: { jsonrpc: "2.0", id: 2, method: "ping" }, headers: { "mcp-session-id": id } };
    for (const at of [one, other]) expect(await at.send(MCP, ping)).toMatchObject({ status: 200 });

    await repository.release("1.0.1", agentFiles({ version: "1.0.1", tools: TOOLS }));
    for (const at of [one, other]) {
      await eventually(async () => {
        const { status } = await at.send("/agent/1.0.1/api/tools/runner.count", { body: { lane: 3 } });
        expect(status).toBe(200);
      });
    }

    const metrics = await (await fetch(`${cairn.url}/metrics`, { headers: authorized() })).text();
    expect(metrics).toMatch(/^cairn_versions\{state="served"\} 2$/m);
    // Two that `connect` began at least, and the one above, wherever they are.
    expect(Number(/^cairn_mcp_sessions (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(3);
    expect(
      Number(/^cairn_tool_calls_total\{\S*tool="runner.rated",\S*outcome="ok"\S* (\d+)$/m.exec(metrics)?.[1]),
    ).toBe(through);

    expect(await cairn.stop()).toBe(0);
    await verifyAudit();
  });

  test("starts a worker again that is killed, and has lost nothing that it acknowledged", async () => {
    const load = startCounting(token, cairn.url);
    const workers = findChildren(cairn.pid);
    expect(workers).toHaveLength(2);
    for (const victim of workers) {
      const before = [...load.acknowledged];
      await eventually(() => expect(load.acknowledged.every((n, at) => n > (before[at] ?? 0))).toBe(true));
      process.kill(victim, "SIGKILL");
      await eventually(() => {
        expect(findChildren(cairn.pid)).toHaveLength(2);
        expect(findChildren(cairn.pid)).not.toContain(victim);
      });
      await connect();
    }
    await load.stop();
    for (const [lane, acknowledged] of load.acknowledged.entries()) {
      const n = await eventually(async () => {
        const counted = await callCounter(cairn.url, token, lane);
        expect(counted).toBeDefined();
        return counted ?? 0;
      });
      expect(n).toBeGreaterThan(acknowledged);
    }
    expect(cairn.output()).toContain("a worker ended, and is started again");
    expect(await cairn.stop()).toBe(0);
    expect(findChildren(cairn.pid)).toEqual([]);
    await verifyAudit();
  });

  test("ends with its primary, however that ends, and begins again where it was", async () => {
    const { port } = new URL(cairn.url);
    const workers = findChildren(cairn.pid);
    const [one] = await connect();
    const acknowledged = await count(one, 1);
    // Nobody else has the folder, and commands ask the primary.
    const second = await runCairn(["serve", repository.path, "--data", data], { environment: { PORT: "0" } });
    expect(second).toMatchObject({ code: 3, stderr: expect.stringContaining("is in use by `cairn serve`") });
    expect(await createToken("--actor", "ben")).toMatch(/^cairn_/);

    await cairn.stop("SIGKILL");
    // At the same port, which the workers of before may still have.
    cairn = await start({ PORT: port });
    expect(workers.filter(isAlive)).toEqual([]);
    const [, other] = await connect();
    expect(await count(other, 1)).toBe(acknowledged + 1);
    expect(await cairn.stop()).toBe(0);

    const alone = await startCairn(["serve", repository.path, "--data", data]);
    expect(await callCounter(alone.url, token, 1)).toBe(acknowledged + 2);
  });

  test("says why it does not start, once, and leaves nothing that runs", async () => {
    const wrong = await runCairn(["serve", join(data, "nothing"), "--data", `${data}-2`], {
      environment: { CAIRN_WORKERS: "2", PORT: "0" },
    });
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain("Worker 1 ended with exit code");
    const taken = await runCairn(["serve", repository.path, "--data", `${data}-3`], {
      environment: { CAIRN_WORKERS: "2", PORT: new URL(cairn.url).port },
    });
    expect(taken).toMatchObject({ code: 3, stderr: expect.stringContaining("something else listens there") });
  });
});
