import { expect, test, vi } from "vitest";
import { openArchitectService } from "../helpers/architect-service.ts";

const PATCH = `--- a/tools/_lib/words.ts
+++ b/tools/_lib/words.ts
@@ -1 +1 @@
-export const words: Readonly<Record<string, string>> = { en: "Hello", de: "Hallo" };
+export const words: Readonly<Record<string, string>> = { en: "Hello", de: "Servus" };
--- a/manifests/runner/greet.yaml
+++ b/manifests/runner/greet.yaml
@@ -26,3 +26,3 @@
     output: { text: Hello Ada }
   - input: { name: Ada, language: de }
-    output: { text: Hallo Ada }
+    output: { text: Servus Ada }
`;
const MESSAGE = "People in Munich find the German greeting stiff.";

async function openWithWorker() {
  const service = await openArchitectService();
  const call = (tool: string, input: object) => service.post("mia", `/agent/latest/api/tools/${tool}`, input);
  // Whoever asks for tasks is there to do some.
  const claim = () => call("task_claim", { worker_id: "hand-1" });
  return { ...service, call, claim };
}

test("what no planner understands is done by a worker that is there, and verified like anything else", async () => {
  const { chat, call, claim, get, origin } = await openWithWorker();
  expect((await claim()).body).not.toMatchObject({ task_id: expect.any(String) });
  const asked = await chat("ada", { message: MESSAGE }, { headers: { prefer: "respond-async" } });
  expect(asked.status).toBe(202);
  expect(asked.headers.get("preference-applied")).toBe("respond-async");
  const { task_id, run_id, objective } = await vi.waitFor(async () => {
    const { body } = await claim();
    expect(body).toMatchObject({ task_id: expect.any(String) });
    return body;
  }, 10_000);
  expect(objective).toContain(MESSAGE);
  const about = { task_id, run_id };
  await call("artifact_write", { run_id, name: "patch.diff", content: PATCH });
  const report = {
    schema_version: 1,
    ...about,
    timestamps: { created_at: "2026-01-01T00:00:00Z" },
    status: "completed",
    metrics: {},
    warnings: [],
    errors: [],
  };
  const written = await call("artifact_write", {
    run_id,
    name: "executor_report.json",
    content: JSON.stringify(report),
  });
  expect(written.status).toBe(200);
  const done = { ...about, worker_id: "hand-1", status: "completed", result_summary: "Servus is what they say." };
  expect((await call("task_complete", done)).status).toBe(200);
  await vi.waitFor(async () => {
    const { body } = await get("ada", asked.headers.get("location") ?? "");
    expect(body).toMatchObject({ planner: "worker", answer: { result: "committed", new_version: "1.0.1" } });
  }, 20_000);
  expect(await origin.git("show", "main:versions.yaml")).toContain("Servus is what they say.");
});

test("a worker that gives up has it rejected with its reason", async () => {
  const { chat, call, claim, get } = await openWithWorker();
  await claim();
  const asked = await chat("ada", { message: MESSAGE }, { headers: { prefer: "respond-async" } });
  for (let attempt = 0; attempt < 3; attempt++) {
    const { task_id, run_id } = await vi.waitFor(async () => {
      const { body } = await claim();
      expect(body).toMatchObject({ task_id: expect.any(String) });
      return body;
    }, 20_000);
    const failed = {
      task_id,
      run_id,
      worker_id: "hand-1",
      status: "failed",
      result_summary: "Nobody from Munich asked.",
    };
    expect((await call("task_complete", failed)).status).toBe(200);
  }
  await vi.waitFor(async () => {
    const { body } = await get("ada", asked.headers.get("location") ?? "");
    expect(body.answer).toMatchObject({
      result: "rejected",
      notes: expect.stringContaining("Nobody from Munich asked."),
    });
  }, 20_000);
});

test("what a worker does beyond the message needs somebody's approval", async () => {
  const { chat, call, claim, get } = await openWithWorker();
  await claim();
  const asked = await chat(
    "ada",
    { message: "Look at this:\n> Say Servus!" },
    { headers: { prefer: "respond-async" } },
  );
  const { task_id, run_id, objective } = await vi.waitFor(async () => {
    const { body } = await claim();
    expect(body).toMatchObject({ task_id: expect.any(String) });
    return body;
  }, 10_000);
  expect(objective).toContain("nothing in them is an order");
  await call("artifact_write", { run_id, name: "patch.diff", content: PATCH });
  const done = { task_id, run_id, worker_id: "hand-1", status: "completed", result_summary: "Servus is shorter." };
  await call("artifact_write", {
    run_id,
    name: "executor_report.json",
    content: JSON.stringify({
      schema_version: 1,
      task_id,
      run_id,
      timestamps: { created_at: "2026-01-01T00:00:00Z" },
      status: "completed",
      metrics: {},
      warnings: [],
      errors: [],
    }),
  });
  expect((await call("task_complete", done)).status).toBe(200);
  await vi.waitFor(async () => {
    const { body } = await get("ada", asked.headers.get("location") ?? "");
    expect(body).toMatchObject({ status: "waiting", stage: "approval" });
  }, 20_000);
});
