import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { createApprovingAgent } from "../helpers/approving-agent.ts";
import { runInProcess } from "../helpers/cairn.ts";
import { askModern } from "../helpers/modern-mcp.ts";
import { openTestService } from "../helpers/open-service.ts";
import type { TestRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

const shared = createShared();
let repository: TestRepository;
beforeAll(async () => {
  repository = await createApprovingAgent(shared.atEnd);
}, 60_000);
afterAll(shared.undoAll);

const NAMES = ["call.json", "journal/events.jsonl"] as const;

interface Handle {
  readonly task_id: string;
  readonly run_id: string;
}

function open(data: string): Promise<Service> {
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, PORT: "0", CAIRN_REPO: repository.path, CAIRN_DATA: data };
  return openTestService(environment, repository.path, { atEnd: shared.atEnd });
}

async function call({ url }: Service, tool: string, input: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/agent/1.0.0/api/tools/${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  return (await response.json()) as Record<string, unknown>;
}

/** Evidence of a run, over REST and over MCP, with the run's record. */
async function readRun(service: Service, { task_id, run_id }: Handle) {
  const rest = await Promise.all(
    NAMES.map(
      async (artifact_name) => (await call(service, "artifact_read", { task_id, run_id, artifact_name }))["raw"],
    ),
  );
  const { run } = await call(service, "task_status", { task_id });
  const read = async (uri: string) => {
    const result = await askModern(`${service.url}/agent/1.0.0/work`, { method: "resources/read", params: { uri } });
    return (result as unknown as { contents: readonly [{ text: string }] }).contents[0].text;
  };
  const { run_path } = run as { run_path: string };
  const mcp = await Promise.all(NAMES.map((name) => read(`${run_path.replace("/", "://")}/artifacts/${name}`)));
  const record = JSON.parse(await read(`runs://${run_id}`)) as Record<string, unknown>;
  return { rest, mcp, run: run as Record<string, unknown>, record };
}

test("[W5] the path of a run leads to its evidence over REST and MCP alike, and after a restore as well", async () => {
  const data = await temporaryFolder(shared.atEnd);
  const service = await open(data);
  const asked = await call(service, "bank.transfer", { amount: 2000 });
  const handle = asked["details"] as Handle;
  const before = await readRun(service, handle);
  expect(before.mcp).toEqual(before.rest);
  expect(before.rest).toEqual([expect.stringContaining('"amount": 2000'), expect.stringContaining("call.asked")]);
  expect(before.run["run_path"]).toBe(`runs/${handle.run_id}`);
  expect(before.record).toMatchObject({ run_id: handle.run_id, status: "blocked" });

  const backup = join(await temporaryFolder(shared.atEnd), "backup");
  expect(await runInProcess(["backup", backup, "--data", data])).toMatchObject({ code: 0 });
  await service.close();
  const restored = join(await temporaryFolder(shared.atEnd), "restored");
  expect(await runInProcess(["restore", backup, "--data", restored])).toMatchObject({ code: 0 });
  const again = await open(restored);
  expect(await readRun(again, handle)).toEqual(before);
  const approved = ["work", "approve", handle.task_id, "--reason", "Due.", "--data", restored];
  expect(await runInProcess(approved)).toMatchObject({ code: 0 });
});
