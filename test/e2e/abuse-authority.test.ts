import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadTree } from "../../server/kernel/audit/checkpoints.ts";
import { auditTree } from "../../server/store/keys.ts";
import { openLmdbStore } from "../../server/store/lmdb/lmdb.ts";
import { agentFiles } from "../helpers/agent.ts";
import { runInProcess, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { openLegacySession } from "../helpers/legacy-session.ts";
import { askModern, toToolCall } from "../helpers/modern-mcp.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const REST = "/agent/1.0.0/api/tools";
const TOOLS = {
  count: {
    handler: `export default async (_, ctx) => {
      const n = ((await ctx.state.get(["n"])) ?? 0) + 1;
      await ctx.state.set(["n"], n);
      return { n };
    };\n`,
    manifest: "sideEffect: true\nuses: [state.read, state.write]",
  },
  /** Tries an address, and keeps to itself what comes of it. */
  reach: {
    handler: `export default async ({ url }, ctx) => {
      try {
        return { got: await ctx.fetch(url) };
      } catch (error) {
        return { refused: error.name };
      }
    };\n`,
    manifest: "uses: [fetch]\negress: [api.example.com, 169.254.169.254]",
  },
};
const FILES = {
  "manifests/policies/hosts.yaml": "egress: [api.example.com, 169.254.169.254]\n",
  "manifests/talker/server.yaml": "name: talker\ndescription: Keeps sessions.\n",
  "manifests/talker/ask.yaml":
    "name: talker.ask\nversion: 1.0.0\ndescription: Could ask.\ninteractive: true\nuses: [elicit]\ninput: { type: object }\noutput: { type: object }\n",
  "tools/talker/ask.ts": "export default () => ({});\n",
};

async function createAgent() {
  const repository = await createRepository();
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: TOOLS, files: FILES }));
  return { repository: repository.path, data: await temporaryFolder() };
}

async function post(url: string, tool: string, input: object = {}, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}${REST}/runner.${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(input),
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}

test("[abuse 39] a handler gets to no address inside, and the audit has it even if the handler says nothing", async () => {
  const { repository, data } = await createAgent();
  const cairn = await startCairn(["serve", repository, "--data", data]);
  const urls = [
    "https://169.254.169.254/latest/meta-data/",
    "http://169.254.169.254/",
    "file:///etc/passwd",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://evil.example/",
  ];
  for (const url of urls) {
    expect([url, (await post(cairn.url, "reach", { url })).body]).toEqual([url, { refused: "EGRESS_DENIED" }]);
  }
  await cairn.stop();
  const { stdout } = await runInProcess(["audit", "query", "--tenant", "local", "--kind", "denial", "--data", data]);
  expect(stdout).toMatch(new RegExp(`"count":${urls.length}.*"reason":"EGRESS_DENIED"`));
});

test("[abuse 43] a log that was tampered with turns readiness red, and its tenant's calls are refused", async () => {
  const { repository, data } = await createAgent();
  const before = await startCairn(["serve", repository, "--data", data]);
  expect(await post(before.url, "count")).toMatchObject({ status: 200, body: { n: 1 } });
  await before.stop();
  const store = await openLmdbStore({ directory: join(data, "store"), now: Date.now });
  const tree = await loadTree(store, "local");
  await store.commit({ set: [{ key: auditTree("local"), value: { ...tree, checkpoint: "" } }] });
  await store.admin.close();
  const { url, output } = await startCairn(["serve", repository, "--data", data]);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  expect((await fetch(`${url}/versions`)).status).toBe(200);
  const refused = await post(url, "count");
  expect(refused).toMatchObject({ status: 503, body: { name: "UNAVAILABLE" } });
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(await askModern(`${url}/agent/1.0.0/runner`, toToolCall("runner.count"))).toMatchObject({
    isError: true,
    _meta: { "cairn/error": { name: "UNAVAILABLE" } },
  });
  expect(output()).toContain("audit log is broken");
});

describe("a token that is revoked", () => {
  test("closes the streams that it opened, within seconds", { timeout: 30_000 }, async () => {
    const { repository, data } = await createAgent();
    const create = ["token", "create", "--tenant", "acme", "--actor", "ci", "--scopes", "talker", "--data", data];
    const token = (await runInProcess(create)).stdout.trim();
    const { url } = await startCairn(["serve", repository, "--data", data]);
    const headers = { authorization: `Bearer ${token}` };
    const session = await openLegacySession(`${url}/agent/1.0.0/talker`, { headers });
    const stream = await session.listen();
    expect(stream.status).toBe(200);
    let isOpen = true;
    const end = stream.rest().then(
      () => (isOpen = false),
      () => (isOpen = false),
    );
    expect((await runInProcess(["token", "revoke", token, "--data", data])).code).toBe(0);
    await eventually(async () =>
      expect((await session.post({ jsonrpc: "2.0", id: 1, method: "ping" })).status).toBe(401),
    );
    await end;
    expect(isOpen).toBe(false);
  });

  test("without the scope of a tool's server tells nobody which versions and tools there are", async () => {
    const { repository, data } = await createAgent();
    const create = ["token", "create", "--tenant", "acme", "--actor", "ci", "--scopes", "talker", "--data", data];
    const token = (await runInProcess(create)).stdout.trim();
    const { url } = await startCairn(["serve", repository, "--data", data]);
    const ask = async (path: string) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const response = await fetch(url + path, { method: "POST", headers, body: "{}" });
      return `${response.status} ${await response.text()}`;
    };
    const paths = ["1.0.0/api/tools/runner.count", "1.0.0/api/tools/runner.nothing", "9.9.9/api/tools/runner.count"];
    const answers = await Promise.all(paths.map((path) => ask(`/agent/${path}`)));
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^403 .*INSUFFICIENT_SCOPE/);
    expect(await ask("/agent/1.0.0/api/tools/talker.nothing")).toMatch(/^404 (?!.*runner\.)/);
  });
});
