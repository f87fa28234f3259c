import { join } from "node:path";
import { expect, test } from "vitest";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { runCairn } from "../helpers/cairn.ts";
import { connectMcp } from "../helpers/mcp-client.ts";
import { askModern, toToolCall } from "../helpers/modern-mcp.ts";
import { authenticateAs, openTestService } from "../helpers/open-service.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const OK: AgentTool = { handler: "export default () => ({});\n" };
const ASKS: AgentTool = { handler: "export default () => ({});\n", manifest: "interactive: true\nuses: [elicit]\n" };
const ADA = { tenant: "acme", actor: "ada", roles: [], scopes: new Set(["*"]) };
const BOB = { ...ADA, tenant: "globex", actor: "bob" };
const END = "deprecated: { since: 2026-01-01, sunset: 2999-01-01, successor: 2.0.0, reason: Old. }";

test(
  "cairn usage counts exactly who used what, how it was addressed, and with which client",
  { timeout: 60_000 },
  async () => {
    const repository = await createRepository();
    const first = await repository.commit(agentFiles({ version: "1.0.0", tools: { ok: OK } }));
    await repository.tag("v1.0.0");
    const files = agentFiles({
      version: "2.0.0",
      parent: "1.0.0",
      tools: { ok: OK, asks: ASKS },
      labels: { stable: "2.0.0" },
    });
    await repository.commit(files);
    await repository.tag("v2.0.0");
    const versions = (files["versions.yaml"] ?? "").replace("  1.0.0:\n", `  1.0.0:\n    ${END}\n`);
    await repository.commit({ "versions.yaml": versions });
    const data = join(await temporaryFolder(), "data");
    const environment = { ...process.env, PORT: "0", CAIRN_REPO: repository.path, CAIRN_DATA: data };
    const service = await openTestService(environment, repository.path, {
      authenticate: authenticateAs({ ada: ADA, bob: BOB }),
    });
    const at = (path: string) => `${service.url}${path}`;
    const rest = (address: string, who: string, agent: string) =>
      fetch(at(`/agent/${address}/api/tools/runner.ok`), {
        method: "POST",
        headers: { authorization: who, "content-type": "application/json", "user-agent": agent },
        body: "{}",
      });

    for (const address of ["1.0.0", "1.0.0", first]) expect((await rest(address, "ada", "curl/8")).status).toBe(200);
    expect((await rest("%5E1.0.0", "bob", "curl/8")).status).toBe(200);
    const modern = {
      meta: { "io.modelcontextprotocol/clientInfo": { name: "agent", version: "3.1" } },
      headers: { authorization: "ada" },
    };
    await askModern(at("/agent/stable/runner"), { ...toToolCall("runner.ok"), ...modern });
    await askModern(at("/agent/stable/runner"), { method: "tools/list", ...modern });
    await askModern(at("/agent/stable/runner"), { method: "tools/list", ...modern });
    await askModern(at("/agent/stable/runner"), {
      method: "resources/read",
      params: { uri: "logs://recent" },
      ...modern,
    });
    // With a session, because a tool asks: all its requests are the named client's.
    const old = await connectMcp(at("/agent/2.0.0/runner"), { authorization: "bob" });
    await old.listTools();
    await old.getPrompt({ name: "greet", arguments: { who: "Ada" } });
    await old.callTool({ name: "runner.ok", arguments: {} });
    await fetch(at("/api/mcp/tool/call"), {
      method: "POST",
      headers: { authorization: "ada", "content-type": "application/json", "user-agent": "curl/8" },
      body: JSON.stringify({ toolName: "runner.ok", input: {}, version: "^1.0.0" }),
    });
    await fetch(at("/agent/latest/openapi.json"), { headers: { authorization: "bob", "user-agent": "curl/8" } });
    await old.close();
    await service.close();

    const { stdout } = await runCairn(["usage", "--json", "--data", data]);
    const uses = JSON.parse(stdout) as Record<string, unknown>[];
    const lines = uses.map(({ version, kind, address, actor, client, tool, method, calls, reads, deprecated }) =>
      [
        version,
        kind,
        address,
        actor,
        client,
        tool ?? method,
        calls,
        reads,
        deprecated === undefined ? "" : "deprecated",
      ].join(" "),
    );
    expect(lines.toSorted()).toEqual(
      [
        "1.0.0 pin 1.0.0 ada curl/8 runner.ok 2 0 deprecated",
        `1.0.0 pin ${first} ada curl/8 runner.ok 1 0 deprecated`,
        "1.0.0 range ^1.0.0 bob curl/8 runner.ok 1 0 deprecated",
        "2.0.0 label stable ada agent/3.1 runner.ok 1 0 ",
        "2.0.0 label stable ada agent/3.1 tools/list 0 2 ",
        "2.0.0 label stable ada agent/3.1 resources/read 0 1 ",
        "2.0.0 pin 2.0.0 bob test/1.0.0 initialize 0 1 ",
        "2.0.0 pin 2.0.0 bob test/1.0.0 tools/list 0 1 ",
        "2.0.0 pin 2.0.0 bob test/1.0.0 prompts/get 0 1 ",
        "2.0.0 pin 2.0.0 bob test/1.0.0 runner.ok 1 0 ",
        "2.0.0 tool tool ^1.0.0 ada curl/8 runner.ok 1 0 ",
        "2.0.0 range latest bob curl/8 GET /openapi.json 0 1 ",
      ].toSorted(),
    );
    const checked = await runCairn(["usage", "--check", "--data", data]);
    expect([checked.code, checked.stderr]).toEqual([
      1,
      expect.stringMatching(
        /what is deprecated is still in use: within 30 days it was called by (?:(?:acme|globex) \(\S+\)(?:, )?){2}\./,
      ),
    ]);
    expect(checked.stdout.split("\n")[0]).toMatch(
      /^VERSION +ADDRESS +KIND +TENANT +ACTOR +CLIENT +USE +CALLS +FAILED +READS/,
    );
  },
);
