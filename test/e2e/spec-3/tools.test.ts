import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectMcp } from "../../helpers/mcp-client.ts";
import {
  openSpecifiedWork,
  type Person,
  type SpecifiedWork,
  toEnd,
  toIds,
  toReport,
} from "../../helpers/specified-work.ts";
import { createShared } from "../../helpers/temporary.ts";

/** Section 3 of the specification of tasks and runs, sentence by sentence: the tools, over MCP. */

const shared = createShared();
let work: SpecifiedWork;
beforeAll(async () => {
  work = await openSpecifiedWork(shared.atEnd);
}, 60_000);
afterAll(shared.undoAll);

const connect = (who: Person) => connectMcp(`${work.url}/agent/latest/work`, work.as(who));
/** What a tool answers, without what names the call. */
async function call(client: Client, name: string, args: object) {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: { ...args } });
  if (isError === true) throw new Error(JSON.stringify(content));
  const { conversation_id: _, ...answer } = structuredContent as Record<string, unknown>;
  return answer as Record<string, string>;
}
const create = (more: object = {}) =>
  work.ask("rita", "task_create", { title: "Count", objective: "Count the chairs.", workflow: "external", ...more });
/** Ends what earlier tests have left. */
async function empty() {
  const { tasks } = await work.ask("rita", "task_list", { limit: 200 });
  for (const { task_id, status } of tasks) {
    if (["pending", "running", "blocked"].includes(status)) await work.ask("rita", "task_cancel", { task_id });
  }
}

describe("The MCP server exposes 7+ tools for external clients", () => {
  test.for([
    ["task_create", "title objective priority"],
    ["task_status", "task_id"],
    ["task_claim", "worker_id"],
    ["task_complete", "task_id run_id status result_summary worker_id"],
    ["artifact_read", "task_id run_id artifact_name"],
    ["artifact_write", "run_id name content"],
    ["approval_write", "task_id run_id approver reason"],
  ] as const)("[W5] %s(%s) is listed with these arguments, and needs no other", async ([name, args]) => {
    const { tools } = await (await connect(name === "approval_write" ? "pat" : "wim")).listTools();
    const found =
      tools.find((tool) => tool.name === name) ??
      (await (await connect("rita")).listTools()).tools.find((tool) => tool.name === name);
    expect(Object.keys(found?.inputSchema.properties ?? {})).toEqual(expect.arrayContaining(args.split(" ")));
    expect(args.split(" ")).toEqual(expect.arrayContaining(found?.inputSchema.required ?? ["?"]));
  });
});

describe("Task Management", () => {
  test("[W5] task_create returns {task_id, title, objective, status, priority}; task_status has the latest run", async () => {
    await empty();
    const [rita, wim] = [await connect("rita"), await connect("wim")];
    const asked = { title: "Count", objective: "Count the chairs.", priority: "high" };
    const created = await call(rita, "task_create", asked);
    expect(created).toMatchObject({ ...asked, status: "pending", task_id: expect.stringMatching(/./) });
    const { task_id } = created;
    expect(await call(rita, "task_status", { task_id })).toMatchObject({
      ...asked,
      task_id,
      status: "pending",
      run: null,
    });

    const first = await call(wim, "task_claim", { worker_id: "w1" });
    expect(first).toMatchObject({ task_id, title: asked.title, objective: asked.objective, status: "claimed" });
    await call(wim, "task_complete", { ...toEnd(first as never), status: "failed", result_summary: "No chairs." });
    const failed = await call(rita, "task_status", { task_id });
    expect(failed).toMatchObject({ status: "pending", run: { run_id: first["run_id"], status: "failed" } });
    await expect
      .poll(() => call(wim, "task_claim", { worker_id: "w1" }), { timeout: 20_000 })
      .toMatchObject({ task_id });
    const { run } = await work.ask("rita", "task_status", { task_id });
    expect(run).toMatchObject({ status: "running", attempt: 2 });
    expect(run.run_id).not.toBe(first["run_id"]);
    await expect(call(rita, "task_status", { task_id: "none" })).rejects.toThrow("There is no task `none`");
  });

  test("[W5] task_claim returns {task: null} if none is available, and nothing else", async () => {
    await empty();
    expect(await call(await connect("wim"), "task_claim", { worker_id: "w1" })).toEqual({ task: null });
  });

  test("[W5] task_complete returns lease_released: true, and the lease is released: the run is over for its worker", async () => {
    const { task_id } = await create({ workflow: "plain" });
    const claim = await work.ask("wim", "task_claim", { worker_id: "w1", task_id });
    expect(await call(await connect("wim"), "task_complete", toEnd(claim))).toEqual({
      ...toIds(claim),
      status: "completed",
      result_summary: "Done.",
      lease_released: true,
    });
    expect((await work.call("wim", "task_heartbeat", { run_id: claim.run_id, worker_id: "w1" })).status).toBe(409);
    expect(await work.ask("zoe", "task_claim", { worker_id: "w2", task_id })).toMatchObject({ task: null });
    const { status, run } = await work.ask("rita", "task_status", { task_id });
    expect([status, run.status, run.result_summary]).toEqual(["completed", "completed", "Done."]);
  });

  test("[W5] a released lease of a failed run lets another worker claim before the lease would have ended", async () => {
    const { task_id } = await create();
    const claim = await work.ask("wim", "task_claim", { worker_id: "w1", task_id });
    await work.ask("wim", "task_complete", { ...toEnd(claim), status: "failed" });
    await expect
      .poll(async () => (await work.ask("zoe", "task_claim", { worker_id: "w2", task_id })).task?.attempts, {
        timeout: 20_000,
      })
      .toBe(2);
  });

  test("[W5] only the worker that holds the run completes it, and only once", async () => {
    const { task_id } = await create({ workflow: "plain" });
    const claim = await work.ask("wim", "task_claim", { worker_id: "w1", task_id });
    const other = await work.begin("plain");
    const attempts = [
      ["wim", { ...toEnd(claim), worker_id: "w2" }],
      ["zoe", toEnd(claim)],
      ["wim", { ...toEnd(claim), run_id: other.run_id }],
      ["wim", { ...toEnd(claim), status: "perfect" }],
    ] as const;
    for (const [who, input] of attempts) {
      expect((await work.call(who, "task_complete", input)).status).toBeGreaterThanOrEqual(400);
      expect(await work.ask("rita", "task_status", { task_id })).toMatchObject({
        status: "running",
        result_summary: null,
      });
    }
    await work.ask("wim", "task_complete", toEnd(claim));
    const again = await work.call("wim", "task_complete", { ...toEnd(claim), result_summary: "Thirteen." });
    expect(again.status).toBe(409);
    expect(await work.ask("rita", "task_status", { task_id })).toMatchObject({ result_summary: "Done." });
  });
});

describe("Artifact Management", () => {
  test("[W5] artifact_write returns its path and `written`; artifact_read {content, raw} is what was written, byte for byte", async () => {
    const run = await work.begin("plain");
    const [wim, rita] = [await connect("wim"), await connect("rita")];
    const content = `${toReport(run, { found: "Zwölf Stühle 🪑" })}\n`;
    const {
      artifact_path,
      digest: _,
      ...rest
    } = await call(wim, "artifact_write", { run_id: run.run_id, name: "found.json", content });
    expect(rest).toEqual({ run_id: run.run_id, artifact_name: "found.json", status: "written" });
    expect(artifact_path).toBe(`${run.run_path}/artifacts/found.json`);
    const asked = { ...toIds(run), artifact_name: "found.json" };
    expect(await call(rita, "artifact_read", asked)).toEqual({ content: JSON.parse(content), raw: content });
    await call(wim, "artifact_write", { run_id: run.run_id, name: "notes.md", content: "{}" });
    expect(await call(rita, "artifact_read", { ...asked, artifact_name: "notes.md" })).toMatchObject({ raw: "{}" });
    const missing = await call(rita, "artifact_read", { ...asked, artifact_name: "gate_report.json" });
    expect(Object.keys(missing)).toEqual(["error"]);
  });

  test.for([
    "../found.json",
    "/etc/found.json",
    "a/b.json",
    "found",
    "found.json\0",
    ".json",
    "..",
    "approval.json",
    "journal/events.jsonl",
  ])(
    "[W5] artifact_write of %j is refused: it is not a name of the run's artifacts directory, or the service's own",
    async (name) => {
      const run = await work.begin("plain");
      const { status } = await work.call("wim", "artifact_write", { run_id: run.run_id, name, content: toReport(run) });
      expect([400, 403]).toContain(status);
      expect((await work.ask("rita", "task_status", { task_id: run.task_id })).run.artifacts).toEqual({});
    },
  );

  test("[W5] nothing can be written once the run has ended, nor by those who do not hold it", async () => {
    const run = await work.begin("plain");
    const note = { run_id: run.run_id, name: "notes.md" };
    await work.ask("wim", "artifact_write", { ...note, content: "Mine." });
    expect((await work.call("zoe", "artifact_write", { ...note, content: "Hers." })).status).toBe(403);
    expect((await work.call("ozan", "artifact_write", { ...note, content: "His." })).status).toBe(404);
    await work.ask("wim", "task_complete", toEnd(run));
    expect((await work.call("wim", "artifact_write", { ...note, content: "Late." })).status).toBe(409);
    expect(await work.read(run, "notes.md")).toBe("Mine.");
    const elsewhere = await work.call("ozan", "artifact_read", { ...toIds(run), artifact_name: "notes.md" });
    expect(JSON.stringify(elsewhere.body)).not.toContain("Mine.");
  });
});

describe("Example: External Worker Flow", () => {
  test("[W5] claim, write artifacts, complete: as it is written", async () => {
    await empty();
    const { task_id: asked } = await create();
    const mcp = await connect("wim");
    const result = await call(mcp, "task_claim", { worker_id: "my-worker" });
    expect(result["task"]).toBeTruthy();
    const [task_id, run_id] = [String(result["task_id"]), String(result["run_id"])];
    const content = toReport({ task_id, run_id });
    await call(mcp, "artifact_write", { run_id, name: "executor_report.json", content });
    await call(mcp, "task_complete", {
      ...toEnd({ task_id, run_id }),
      worker_id: "my-worker",
      result_summary: "Work done",
    });
    expect(await work.ask("rita", "task_status", { task_id: asked })).toMatchObject({
      status: "completed",
      result_summary: "Work done",
      run: { worker_id: "my-worker", status: "completed" },
    });
    expect(await work.read({ task_id: asked, run_id }, "executor_report.json")).toBe(content);
  });
});
