import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tunedAgentFiles } from "../fixtures/tuned-agent.ts";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { type HeldServer, startHeldServer, WAITING_TOOL } from "../helpers/held-server.ts";
import { askModern, toToolCall } from "../helpers/modern-mcp.ts";
import { toDayAhead } from "../helpers/day-ahead.ts";
import { createPlaces, type Place } from "../helpers/node-places.ts";
import { createToken } from "../helpers/nodes.ts";
import { patiently } from "../helpers/patiently.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { NODE } from "../helpers/worker-process.ts";
import { TONES } from "../helpers/tuned-service.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../stand-ins/database-proxy.ts";
import { openPostgresPair, type PostgresPair } from "../stand-ins/postgres-pair.ts";
import { hasPostgres } from "../stand-ins/postgres.ts";

const RATE = 12;
const BUDGET = 20;
const COST = 5;
const EFFECTS = "sideEffect: true\nidempotent: false\nuses: [state.read, state.write]\nlimits: { time: 5000 }";
const COUNT = `export default async (_, ctx) => {
  const n = ((await ctx.state.get(["n"])) ?? 0) + 1;
  await ctx.state.set(["n"], n);
  return { n };
};\n`;
const NAME = `{ type: "object", properties: { name: { type: "string" } }, required: ["name"] }`;
const TOOLS: Readonly<Record<string, AgentTool>> = {
  count: { handler: COUNT, manifest: EFFECTS },
  rated: { handler: "export default () => ({});\n" },
  costly: { handler: "export default () => ({});\n", manifest: `cost: { units: ${COST} }` },
  wait: WAITING_TOOL,
  ask: {
    handler: `export default async (_, ctx) => {
      const { content } = await ctx.elicit("who", { message: "Who?", schema: ${NAME} });
      return { name: content.name };
    };\n`,
    manifest: "interactive: true\nuses: [elicit]",
  },
};
const LIMITS = `limits:
  actor: { dailyCost: ${BUDGET} }
  tools:
    runner.rated: { rate: ${RATE} }
    runner.wait: { concurrency: 1 }
`;
/** Seconds that a call of the store may take. */
const STORE_SECONDS = "3";

const [AT_ONE, AT_OTHER] = [0, 1];
const shared = createShared();
let pair: PostgresPair;
let proxies: readonly DatabaseProxy[];
let nodes: readonly RunningCairn[];
let addresses: readonly string[];
let held: HeldServer;
let authorization: string;

describe.runIf(hasPostgres("truths of several nodes"))("two nodes", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    const folder = await temporaryFolder(shared.atEnd);
    const repository = await createRepository(await temporaryFolder(shared.atEnd));
    await repository.release("1.0.0", {
      ...agentFiles({ version: "1.0.0", tools: TOOLS }),
      ...tunedAgentFiles({ version: "1.0.0", style: TONES, files: { "manifests/policies/limits.yaml": LIMITS } }),
    });
    held = await startHeldServer(shared.atEnd);
    pair = await openPostgresPair(false, shared.atEnd);
    const primary = pair.primary();
    proxies = await Promise.all([1, 2].map(() => openDatabaseProxy(primary.port, shared.atEnd)));
    const places = await createPlaces({
      folder,
      repository: repository.path,
      databases: proxies.map(({ port }) => ({ ...primary, port })),
      environment: { ...held.environment, CAIRN_STORE_TIMEOUT: STORE_SECONDS },
    });
    authorization = `Bearer ${await createToken(places[0] ?? {})}`;
    addresses = places.map((place) => place["CAIRN_NODE_ADDRESS"] ?? "");
    nodes = await Promise.all(places.map(start));
  }, 180_000);
  afterAll(shared.undoAll);

  /** The other's clock is a day ahead. */
  const start = (place: Place, at: number) =>
    startCairn(["serve"], { ...place, ...(at === AT_OTHER && toDayAhead()) }, shared.atEnd, undefined, NODE);

  const urlOf = (at: number) => nodes[at % 2]?.url ?? "";
  async function call(at: number, tool: string, input: object = {}, key?: string) {
    const response = await fetch(`${urlOf(at)}/agent/1.0.0/api/tools/${tool}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json", ...(key && { "idempotency-key": key }) },
      body: JSON.stringify(input),
    });
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
  }
  const askAt = (at: number, request: Parameters<typeof askModern>[1]) =>
    askModern(`${urlOf(at)}/agent/1.0.0/runner`, { ...request, headers: { authorization } });
  const ready = async (at: number) => (await fetch(`${urlOf(at)}/readyz`)).status;
  const named = (results: readonly { body: Readonly<Record<string, unknown>> }[]) =>
    results.map(({ body }) => body["name"] ?? "done");

  test("know at once what the other has answered: its log, and what a reward is for", async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const plain = String((await call(turn, "runner.plain")).body["conversation_id"]);
      const told = await askAt(turn + 1, { method: "resources/read", params: { uri: `logs://${plain}` } });
      expect(JSON.stringify(told)).toContain("runner.plain");
      const { body } = await call(turn, "runner.get");
      const id = String(body["conversation_id"]);
      const log = await askAt(turn + 1, { method: "resources/read", params: { uri: `logs://${id}` } });
      expect(JSON.stringify(log)).toContain("runner.get");
      const reward = { conversation_id: id, reward: 1 };
      expect((await call(turn + 1, "tuner.bandit_reward", reward)).body).toMatchObject({ status: "success" });
    }
  });

  test("go on with a question that the other has asked", async () => {
    const capabilities = { elicitation: {} };
    for (const at of [AT_ONE, AT_OTHER]) {
      const { requestState } = await askAt(at, { ...toToolCall("runner.ask"), capabilities });
      const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
      const more = { requestState, inputResponses };
      expect(await askAt(at + 1, { ...toToolCall("runner.ask", {}, more), capabilities })).toMatchObject({
        structuredContent: { name: "Ada" },
      });
    }
  });

  test("do once what both are asked for at once under one key, and give one answer", async () => {
    const before = Number((await call(0, "runner.count")).body["n"]);
    for (let turn = 1; turn <= 5; turn += 1) {
      const key = randomUUID();
      const answers = await Promise.all([0, 1, 0, 1].map((at) => call(at, "runner.count", {}, key)));
      expect(answers.map(({ body }) => body["n"])).toEqual(Array(4).fill(before + turn));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    }
  });

  test("let through together what one service may: a rate, calls at once, the costs of a day", async () => {
    const rated = named(await Promise.all(Array.from({ length: 3 * RATE }, (_, at) => call(at, "runner.rated"))));
    const through = rated.filter((name) => name === "done").length;
    expect(through).toBeLessThanOrEqual(RATE);
    // Of which each node may hold a share that the other does not get.
    expect(through).toBeGreaterThanOrEqual(RATE - 2);
    expect(new Set(rated)).toEqual(new Set(["done", "RATE_LIMITED"]));

    const running = call(AT_ONE, "runner.wait", { name: "x" });
    const request = await held.next();
    expect(await call(AT_OTHER, "runner.wait", { name: "y" })).toMatchObject({ status: 429 });
    request.answer("here");
    expect(await running).toMatchObject({ status: 200 });
    const answered = held.next().then((next) => next.answer("there"));
    await eventually(async () => {
      expect(await call(AT_OTHER, "runner.wait", { name: "z" })).toMatchObject({ status: 200 });
    });
    await answered;

    const paid = [];
    for (let at = 0; at < (2 * BUDGET) / COST; at += 1) paid.push(...named([await call(at, "runner.costly")]));
    expect(paid).toEqual([...Array(BUDGET / COST).fill("done"), ...Array(BUDGET / COST).fill("RATE_LIMITED")]);
  });

  test.each<[string, (proxy: DatabaseProxy) => void, (proxy: DatabaseProxy) => void]>([
    ["slow", (proxy) => proxy.delay(30), (proxy) => proxy.delay(0)],
    ["silent", (proxy) => proxy.swallow(true), (proxy) => proxy.swallow(false)],
  ])("bear a database that is %s: no call hangs, and all goes on by itself", async (kind, begin, end) => {
    const before = Number((await call(0, "runner.count")).body["n"]);
    const keys = [randomUUID(), randomUUID()];
    for (const proxy of proxies) begin(proxy);
    const answers = await Promise.all(keys.map((key, at) => call(at, "runner.count", {}, key)));
    const isSlow = kind === "slow";
    expect(new Set(named(answers))).toEqual(new Set(isSlow ? ["done"] : ["UNAVAILABLE"]));
    const plain = await call(0, "runner.plain");
    expect([plain.status, plain.body["name"]]).toEqual(isSlow ? [200, undefined] : [503, "UNAVAILABLE"]);
    if (!isSlow) await eventually(async () => expect([await ready(0), await ready(1)]).toEqual([503, 503]));
    for (const proxy of proxies) end(proxy);
    for (const [at, key] of keys.entries()) {
      await patiently(async () => expect(await call(at, "runner.count", {}, key)).toMatchObject({ status: 200 }));
    }
    await patiently(async () => expect([await ready(0), await ready(1)]).toEqual([200, 200]));
    expect(Number((await call(1, "runner.count")).body["n"])).toBe(before + keys.length + 1);
  });

  test("bear a database that is killed and comes back", async () => {
    const before = Number((await call(0, "runner.count")).body["n"]);
    await pair.kill();
    const key = randomUUID();
    expect(await call(0, "runner.count", {}, key)).toMatchObject({ status: 503 });
    await pair.restart();
    for (const at of [0, 1]) {
      await patiently(async () => expect(await call(at, "runner.count", {}, key)).toMatchObject({ status: 200 }));
    }
    await patiently(async () => expect([await ready(0), await ready(1)]).toEqual([200, 200]));
    expect(await call(1, "runner.count")).toMatchObject({ body: { n: before + 2 } });
  });

  // The last: the nodes are of no use after it.
  test("notice that a failover lost what one of them had acknowledged, say so, and are not ready", async () => {
    await patiently(async () => expect(await pair.isCaughtUp()).toBe(true));
    const renewals = new Set<unknown>();
    pair.link.swallow(true);
    expect(await call(AT_ONE, "runner.count")).toMatchObject({ status: 200 });
    // The other writes nothing but its signs of life: one before this, at the most, and one after it.
    await patiently(async () => {
      const rows = await pair.query(`select until from cairn_nodes where address = '${addresses[AT_OTHER]}'`);
      expect(renewals.add(rows[0]?.["until"]).size).toBeGreaterThan(2);
    });
    await pair.promote();
    for (const proxy of proxies) proxy.retarget(pair.primary().port);
    for (const [at, node] of nodes.entries()) {
      await patiently(() => expect(node.output()).toContain("lost writes that it had acknowledged"));
      await patiently(async () => expect(await ready(at)).toBe(503));
      expect(await call(at, "runner.count")).toMatchObject({ status: 503, body: { name: "UNAVAILABLE" } });
    }
  });
});
