import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runInProcess, type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { createWorkAgent } from "../helpers/work-agent.ts";

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const { atEnd, undoAll } = createShared();
let cairn: RunningCairn;
let tokens: Readonly<Record<"worker" | "approver", string>>;

beforeAll(async () => {
  const data = await temporaryFolder(atEnd);
  const token = async (actor: string) => {
    const made = ["token", "create", "--tenant", "acme", "--actor", actor, "--roles", "all", "--scopes", "work"];
    return (await runInProcess([...made, "--data", data])).stdout.trim();
  };
  tokens = { worker: await token("worker"), approver: await token("approver") };
  const environment = { CAIRN_DATA: data, CAIRN_AUTH: "tokens" };
  cairn = await startCairn(["serve", await createWorkAgent({ atEnd })], environment, atEnd);
});
afterAll(undoAll);

async function call(tool: string, input: object, who: keyof typeof tokens = "worker") {
  const response = await fetch(`${cairn.url}/agent/latest/api/tools/${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${tokens[who]}` },
    body: JSON.stringify(input),
  });
  const { conversation_id, ...body } = (await response.json()) as Record<string, unknown>;
  expect([tool, response.status, conversation_id]).toEqual([tool, 200, UUID]);
  return body as Record<string, unknown> & { task_id: string; run_id: string };
}

const TASK = { title: "Tidy up", objective: "Remove what nobody uses.", priority: "HIGH" };

describe("the worker flow of the interface", { timeout: 60_000 }, () => {
  test("[W5] runs as it is printed there, in Python, with nothing but what surrounds it added", async (context) => {
    if (spawnSync("python3", ["--version"]).status !== 0) {
      if (process.env["CI"] !== undefined) throw new Error("there is no python3");
      process.stderr.write(`SKIPPED "${context.task.name}": there is no python3\n`);
      return context.skip("there is no python3");
    }
    const { task_id } = await call("task_create", { ...TASK, workflow: "external" });
    const flow = await readFile("test/fixtures/work/external-worker-flow.py", "utf8");
    const program = join(await temporaryFolder(), "flow.py");
    await writeFile(program, surround(flow));
    const [url, token] = [`${cairn.url}/agent/latest/work`, tokens.worker];
    const { stdout } = await promisify(execFile)("python3", [program, resolve("test/fixtures/work"), url, token]);
    const results = JSON.parse(stdout) as { tool: string; result: Record<string, unknown> }[];
    expect(results.map(({ tool }) => tool)).toEqual(["task_claim", "artifact_write", "task_complete"]);
    expect(await call("task_status", { task_id })).toMatchObject({ status: "completed", result_summary: "Work done" });
    const [claimed] = results;
    expect(claimed?.result).toMatchObject({ task_id, title: TASK.title, objective: TASK.objective, status: "claimed" });
  });

  test("[W5] the seven tools answer with the fields that it says", async () => {
    const created = await call("task_create", { ...TASK, workflow: "external" });
    const { task_id } = created;
    expect(created).toEqual({ task_id: UUID, ...TASK, status: "pending", workflow: "external" });
    expect(await call("task_status", { task_id })).toMatchObject({
      task_id,
      ...TASK,
      status: "pending",
      priority: "high",
    });

    const claimed = await call("task_claim", { worker_id: "my-worker" });
    const { run_id } = claimed;
    const run_path = `runs/${run_id}`;
    const { title, objective } = TASK;
    expect(claimed).toMatchObject({ task_id, title, objective, run_id: UUID, run_path, status: "claimed" });
    expect(await call("task_claim", { worker_id: "my-worker" })).toEqual({ task: null });

    const content = JSON.stringify(toReport(task_id, run_id));
    const artifact_name = "executor_report.json";
    expect(await call("artifact_write", { run_id, name: artifact_name, content })).toEqual({
      run_id,
      artifact_name,
      artifact_path: `${run_path}/artifacts/${artifact_name}`,
      status: "written",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await call("artifact_read", { task_id, run_id, artifact_name })).toEqual({
      content: toReport(task_id, run_id),
      raw: content,
    });
    expect(await call("artifact_read", { task_id, run_id, artifact_name: "plan.json" })).toEqual({
      error: `Run \`${run_id}\` has no \`plan.json\`; it has \`executor_report.json\`.`,
    });
    const done = { task_id, run_id, status: "completed", result_summary: "Work done" };
    expect(await call("task_complete", { ...done, worker_id: "my-worker" })).toEqual({ ...done, lease_released: true });

    const blocked = await call("task_create", { ...TASK, workflow: "asking" });
    const waiting = { task_id: blocked.task_id, run_id: (await call("task_claim", { worker_id: "my-worker" })).run_id };
    expect(await call("run_advance", { run_id: waiting.run_id })).toMatchObject({ state: "blocked" });
    const approval = { ...waiting, approver: "Ada" };
    expect(await call("approval_write", { ...approval, reason: "It is right." }, "approver")).toEqual({
      ...approval,
      status: "approved",
    });
    expect(await call("artifact_read", { ...waiting, artifact_name: "approval.json" })).toMatchObject({
      content: { status: "approved", approver: "Ada", reason: "It is right.", approved_by: "approver" },
    });
    const resumed = await call("task_claim", { worker_id: "my-worker" });
    expect(resumed).toMatchObject({ ...waiting, status: "claimed" });
    expect(await call("run_advance", { run_id: resumed.run_id })).toMatchObject({ state: "step" });
    expect(await call("run_advance", { run_id: resumed.run_id })).toMatchObject({ state: "done" });
  });
});

function toReport(task_id: string, run_id: string) {
  const timestamps = { created_at: "2026-01-01T00:00:00Z" };
  return {
    schema_version: 1,
    task_id,
    run_id,
    timestamps,
    status: "completed",
    metrics: {},
    warnings: [],
    errors: [],
  };
}

/** The flow inside an async function, with `json`, `mcp` and a `report` that is complete once a task is claimed. */
function surround(flow: string): string {
  const body = flow
    .split("\n")
    .map((line) => (line.trim() === "" ? line : `    ${line}`))
    .join("\n");
  return `import asyncio
import json
import sys

sys.path.insert(0, sys.argv[1])
from mcp_shim import Mcp

results = []
report = json.loads('${JSON.stringify(toReport("", ""))}')


def on_result(tool, result):
    results.append({"tool": tool, "result": result})
    if tool == "task_claim":
        report.update(task_id=result["task_id"], run_id=result["run_id"])


async def main():
    mcp = Mcp(sys.argv[2], sys.argv[3], on_result)
${body}

asyncio.run(main())
print(json.dumps(results))
`;
}
