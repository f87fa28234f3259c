import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentFiles, type AgentTool } from "../../../helpers/agent.ts";
import { runCairn, runInProcess, startCairn } from "../../../helpers/cairn.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

const OK: AgentTool = { handler: "export default () => ({});\n" };
const FAIL: AgentTool = { handler: "export default (_, ctx) => { throw ctx.fail('NOT_FOUND', 'no'); };\n" };
const OUTER: AgentTool = {
  handler: "export default async (_, ctx) => ctx.tools.call('runner.ok', {});\n",
  manifest: "uses: [tools.call]",
};

async function setUp(quietDays: number) {
  const repository = await createRepository();
  const files = agentFiles({ version: "1.0.0", tools: { ok: OK, fail: FAIL, outer: OUTER } });
  await repository.commit(files);
  await repository.tag("v1.0.0");
  await repository.commit({ ...files, "manifests/policies/p.yaml": `retirement: { quietDays: ${quietDays} }\n` });
  const data = join(await temporaryFolder(), "data");
  const service = await startCairn(["serve", repository.path, "--data", data]);
  const call = (tool: string) =>
    fetch(`${service.url}/agent/1.0.0/api/tools/runner.${tool}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
  const usage = (...args: string[]) => runInProcess(["usage", ...args, "--data", data]);
  return { call, usage, service, data };
}

describe("cairn usage", { timeout: 60_000 }, () => {
  test("tells who called which tools of a version, how often and when last", async () => {
    const { call, usage, service, data } = await setUp(3);
    expect((await runCairn(["usage", "1.0.0", "--check", "--data", data])).stdout).toBe("Nobody has called 1.0.0.\n");
    const before = Date.now();
    for (const tool of ["ok", "ok", "fail", "outer"]) await call(tool);
    await service.stop();
    const { stdout } = await usage("1.0.0", "--json");
    const uses = JSON.parse(stdout) as {
      tool: string;
      calls: number;
      failed: number;
      tenant: string;
      lastUse: string;
    }[];
    expect(uses.map(({ tenant, tool, calls, failed }) => [tenant, tool, calls, failed]).sort()).toEqual([
      ["local", "runner.fail", 1, 1],
      ["local", "runner.ok", 2, 0],
      ["local", "runner.outer", 1, 0],
    ]);
    expect(Date.parse(uses.at(-1)?.lastUse ?? "")).toBeGreaterThanOrEqual(before);
    const table = (await usage("1.0.0")).stdout.split("\n");
    expect(table[0]).toMatch(
      /^VERSION +ADDRESS +KIND +TENANT +ACTOR +CLIENT +USE +CALLS +FAILED +READS +LAST USE +DEPRECATED$/,
    );
    expect((await usage("1.0.0", "--since", "2999-01-01T00:00:00Z")).stdout).toContain("Nobody has called");

    const refused = await usage("1.0.0", "--check");
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/1\.0\.0 cannot be retired: within 3 days it was called by local \(\d{4}-\d\d-\d\d\)\./),
    ]);
    const unknown = await usage("9.9.9");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("knows no version `9.9.9`")]);
  });
});
