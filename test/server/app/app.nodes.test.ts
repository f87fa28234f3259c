import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe as describeAlways, expect, test, vi } from "vitest";
import type { Service } from "../../../server/app/app.ts";
import { createLog } from "../../../server/log/log.ts";
import { loadSigner } from "../../../server/kernel/audit/signing-key.ts";
import { openPostgresStore } from "../../../server/store/postgres/postgres.ts";
import { auditLog } from "../../../server/store/keys.ts";
import { agentFiles } from "../../helpers/agent.ts";
import { findFreePort } from "../../helpers/free-port.ts";
import { authenticateAs, openTestService } from "../../helpers/open-service.ts";
import { createRepository, type TestRepository } from "../../helpers/repository.ts";
import { createShared, temporaryFolder } from "../../helpers/temporary.ts";
import { hasPostgres, toDatabase } from "../../stand-ins/postgres.ts";
import { readChain } from "../store/chain.ts";
import { collect } from "../store/open-store.ts";

const describe = describeAlways.runIf(hasPostgres("services that share a database"));
const ADA = { tenant: "acme", actor: "ada", roles: ["*"], scopes: new Set(["*"]) };
const shared = createShared();
const folders = { database: "", key: "", otherKey: "" };
let repository: TestRepository;
let nodes: readonly Service[] = [];

const COUNT = {
  manifest: "uses: [state.read, state.write]\nsideEffect: true\nidempotent: false\n",
  handler:
    "export default async (_: unknown, ctx: any) => { const n = ((await ctx.state.get(['n'])) ?? 0) + 1; await ctx.state.set(['n'], n); return { n }; };",
};

async function openNode(
  auditKey: string,
  settings: Readonly<Record<string, string>> = {},
  log = createLog("silent"),
): Promise<Service> {
  const { host, port, user, database, schema } = await toDatabase(folders.database);
  const own = await findFreePort();
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: String(own),
    CAIRN_REPO: repository.path,
    CAIRN_FORGE: "none",
    CAIRN_AUTH: "tokens",
    CAIRN_DATA: await temporaryFolder(shared.atEnd),
    CAIRN_STORE: `postgres://${user}@${host}:${port}/${database}?schema=${schema}`,
    CAIRN_NODE_ADDRESS: `http://127.0.0.1:${own}`,
    CAIRN_AUDIT_KEY: auditKey,
    ...settings,
  };
  const authenticate = authenticateAs({ ada: ADA });
  return openTestService(environment, repository.path, { authenticate, log, atEnd: shared.atEnd });
}

beforeAll(async () => {
  if (!hasPostgres("services that share a database")) return;
  folders.database = await temporaryFolder(shared.atEnd);
  [folders.key, folders.otherKey] = [join(folders.database, "a.key"), join(folders.database, "b.key")];
  for (const path of [folders.key, folders.otherKey]) await loadSigner(path, randomBytes);
  repository = await createRepository(await temporaryFolder(shared.atEnd));
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: { count: COUNT } }));
  nodes = await Promise.all([openNode(folders.key), openNode(folders.key)]);
}, 60_000);
afterAll(shared.undoAll);

async function count(service: Service | undefined, version = "1.0.0") {
  const response = await fetch(`${service?.url}/agent/${version}/api/tools/runner.count`, {
    method: "POST",
    headers: { authorization: "ada", "content-type": "application/json" },
    body: "{}",
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

describe("services that share a database", () => {
  test("answer from one state, and keep one audit log that is whole", async () => {
    const answers = [];
    for (let n = 0; n < 6; n++) answers.push(await count(nodes[n % 2]));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(answers.at(-1)?.body).toMatchObject({ n: 6 });
    for (const { audit } of nodes) {
      await audit.settled();
      expect(audit.health()).toEqual({ ok: true, broken: [] });
    }
    expect(nodes[0]?.audit.vkey).toBe(nodes[1]?.audit.vkey);
    const { store } = await openPostgresStore({
      database: await toDatabase(folders.database),
      password: async () => undefined,
      limitMs: 10_000,
      node: { node: "test", label: "test" },
      shared: { release: "1" },
      onAlarm: () => undefined,
    });
    try {
      expect(readChain(await collect(store.readLog(auditLog("acme"), { from: 0 })))).toHaveLength(6);
      expect((await store.get(["audit-tree", "acme"]))?.value).toMatchObject({ size: 6 });
      expect(await store.admin.check()).toEqual([]);
    } finally {
      await store.admin.close();
    }
  });

  test("serve a push, whichever of them noticed it", async () => {
    await repository.release("1.1.0", agentFiles({ version: "1.1.0", tools: { count: COUNT } }));
    await nodes[0]?.registry.refresh();
    for (const node of nodes)
      await vi.waitFor(async () => expect((await count(node, "1.1.0")).status).toBe(200), 10_000);
    const commits = await Promise.all(
      nodes.map(async ({ registry }) => (await registry.resolve("1.1.0")).version.commit),
    );
    expect(commits[0]).toBe(commits[1]);
  });

  test("reach each other, and say so to who may see it; a client that pretends to be one is refused", async () => {
    const response = await fetch(`${nodes[0]?.url}/readyz`, { headers: { authorization: "ada" } });
    expect(((await response.json()) as { checks: unknown }).checks).toMatchObject({
      "nodes:reachable": { status: "pass", observedValue: [{}, { answers: true }] },
    });
    const headers = { "cairn-node": "e30.e30" };
    const pretended = await fetch(`${nodes[0]?.url}/nodes/hello`, { method: "POST", headers, body: "null" });
    expect(pretended.status).toBe(401);
  });

  test("do not start beside each other with another key of the audit", async () => {
    await expect(openNode(folders.otherKey)).rejects.toMatchObject({ name: "BAD_REQUEST" });
  });

  test("say which settings of one differ, and that it is not reached at its address, in its log and to who looks", async () => {
    const lines: { readonly msg: string }[] = [];
    const log = createLog("warn", { write: (line) => void lines.push(JSON.parse(line) as { msg: string }) });
    const address = nodes[0]?.url ?? "";
    const settings = { CAIRN_NODE_ADDRESS: address, CAIRN_LIMITS: "tenant.rate=6", CAIRN_RECORD_DAYS: "1" };
    const odd = await openNode(folders.key, settings, log);
    const differs = ["CAIRN_RECORD_DAYS", "CAIRN_LIMITS"];
    const unreached = `This node is not reached at its CAIRN_NODE_ADDRESS ${address}.`;
    await vi.waitFor(() => expect(lines).toHaveLength(3), 15_000);
    expect(lines).toMatchObject([{ msg: unreached }, { differs }, { differs }]);
    expect(lines.at(-1)?.msg).toMatch(/^The node .+ has other CAIRN_RECORD_DAYS, CAIRN_LIMITS\.$/);
    const response = await fetch(`${odd.url}/readyz`, { headers: { authorization: "ada" } });
    expect(response.status).toBe(200);
    expect(((await response.json()) as { checks: unknown }).checks).toMatchObject({
      "nodes:reachable": { status: "warn", output: expect.stringContaining(unreached) },
      "nodes:settings": { status: "warn", observedValue: [{ differs }, { differs }] },
    });
  });
});
