import { describe, expect, test } from "vitest";
import { claimTask, type ClaimRequest } from "../../../../server/capabilities/work/claim-task.ts";
import type { FindApprovalGap } from "../../../../server/capabilities/work/approvals/find-approval-gap.ts";
import { createTask, type TaskRequest } from "../../../../server/capabilities/work/create-task.ts";
import { findRun, findTask } from "../../../../server/capabilities/work/desk.ts";
import { cancelTask, completeTask, toBackoff } from "../../../../server/capabilities/work/end-task.ts";
import { writeArtifact } from "../../../../server/capabilities/work/evidence.ts";
import { readJournal } from "../../../../server/capabilities/work/journal.ts";
import { releaseTask, renewLease } from "../../../../server/capabilities/work/lease.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { ADA, BOB, createWorkBench, EVE, type WorkBench } from "../../../helpers/work-bench.ts";

const LEASE_MS = 300_000;

async function setUp() {
  const clock = { at: Date.UTC(2026, 0, 1) };
  const bench = createWorkBench(await openTestStore(() => clock.at), clock);
  return { bench, ...verbs(bench) };
}

/** What the tests do, by whom. */
function verbs(bench: WorkBench) {
  return {
    ask: (request: Partial<TaskRequest> = {}, who = ADA) =>
      bench.act(who, (desk) => createTask(desk, { title: "Tidy up", objective: "Tidy.", ...request })),
    claim: (
      workerId: string,
      more: Partial<ClaimRequest> = {},
      who: { tenant: string; actor: string; servesAll?: boolean } = ADA,
    ) => bench.act(who, (desk) => claimTask(desk, { workerId, ...more })),
    complete: (
      taskId: string,
      runId: string,
      status: "completed" | "failed" = "completed",
      workerId = "w1",
      who = ADA,
    ) => bench.act(who, (desk) => completeTask(desk, { taskId, runId, status, summary: "Done.", workerId })),
    beat: (runId: string, workerId = "w1", who = ADA) => bench.act(who, (desk) => renewLease(desk, runId, workerId)),
    task: async (taskId: string, who = ADA) => (await bench.act(who, (desk) => findTask(desk, taskId))).record,
    run: async (runId: string, who = ADA) => (await bench.act(who, (desk) => findRun(desk, runId))).record,
  };
}

describe("a lease", () => {
  test("[W6] has one holder at a time, of tasks in order of urgency and then of age", async () => {
    const { ask, claim } = await setUp();
    const low = await ask({ title: "low", priority: "low" });
    const first = await ask({ title: "first" });
    const second = await ask({ title: "second" });
    const urgent = await ask({ title: "urgent", priority: "critical" });
    const order = [];
    for (let count = 0; count < 5; count++) order.push((await claim(`w${count}`))?.task.task_id);
    expect(order).toEqual([urgent.task_id, first.task_id, second.task_id, low.task_id, undefined]);
  });

  test("[W6] is not given twice to 40 who ask at once", async () => {
    const { ask, claim } = await setUp();
    for (let count = 0; count < 20; count++) await ask({ title: `task ${count}` });
    const claims = await Promise.all(Array.from({ length: 40 }, (_, at) => claim(`w${at}`)));
    const given = claims.flatMap((claimed) => (claimed === undefined ? [] : [claimed.task.task_id]));
    expect(given).toHaveLength(20);
    expect(new Set(given).size).toBe(20);
  });

  test("[W7] lasts 300 s from each heartbeat on, and then frees the task for another attempt", async () => {
    const { bench, ask, claim, beat, run, complete } = await setUp();
    const { task_id } = await ask();
    const held = await claim("w1");
    const runId = held?.run.run_id ?? "";
    expect(held?.run.lease).toEqual({ seconds: 300, expires_at: "2026-01-01T00:05:00.000Z" });
    bench.at += LEASE_MS - 1;
    expect(await claim("w2")).toBeUndefined();
    expect((await beat(runId)).lease.expires_at).toBe("2026-01-01T00:09:59.999Z");
    bench.at += LEASE_MS - 1;
    expect(await claim("w2")).toBeUndefined();
    bench.at += 1;
    const taken = await claim("w2");
    expect(taken).toMatchObject({ task: { task_id, attempts: 2 }, run: { attempt: 2 }, lost: { run_id: runId } });
    expect(await run(runId)).toMatchObject({ status: "lost" });
    await expect(complete(task_id, runId)).rejects.toMatchObject({ name: "CONFLICT" });
  });

  test("cannot be extended once it ran out, even if nobody else has the task yet", async () => {
    const { bench, ask, claim, beat } = await setUp();
    await ask();
    const held = await claim("w1");
    bench.at += LEASE_MS;
    await expect(beat(held?.run.run_id ?? "")).rejects.toMatchObject({
      name: "CONFLICT",
      message: expect.stringContaining("ran out at 2026-01-01T00:05:00.000Z"),
    });
  });

  test("lets whoever lost it write nothing: no evidence, no heartbeat, no result", async () => {
    const { bench, ask, claim, beat, complete, run } = await setUp();
    const { task_id } = await ask();
    const runId = (await claim("w1"))?.run.run_id ?? "";
    bench.at += LEASE_MS;
    await claim("w2");
    const write = bench.act(ADA, (desk) => writeArtifact(desk, { runId, name: "notes.md", content: "x", tool: "t" }));
    await expect(write).rejects.toMatchObject({ name: "CONFLICT", message: expect.stringContaining("it is lost") });
    await expect(beat(runId)).rejects.toMatchObject({ name: "CONFLICT" });
    await expect(complete(task_id, runId)).rejects.toMatchObject({ name: "CONFLICT" });
    expect((await run(runId)).artifacts).toEqual({});
  });

  test("is renewed in the middle of a long piece of work without disturbing it", async () => {
    const { bench, ask, claim, beat, run } = await setUp();
    await ask();
    const runId = (await claim("w1"))?.run.run_id ?? "";
    await bench.act(ADA, async (desk) => {
      await writeArtifact(desk, { runId, name: "notes.md", content: "after a while", tool: "t" });
      bench.at += LEASE_MS - 1;
      await beat(runId);
    });
    bench.at += LEASE_MS - 1;
    expect(await beat(runId)).toMatchObject({ lease: { expires_at: "2026-01-01T00:14:59.998Z" } });
    expect(Object.keys((await run(runId)).artifacts)).toEqual(["notes.md"]);
  });

  test("is checked once more when the effect is written: a takeover in between keeps it from being written", async () => {
    const { bench, ask, claim } = await setUp();
    await ask();
    const runId = (await claim("w1"))?.run.run_id ?? "";
    const late = bench.act(ADA, async (desk) => {
      await writeArtifact(desk, { runId, name: "notes.md", content: "late", tool: "t" });
      bench.at += LEASE_MS;
      expect(await claim("w2")).toMatchObject({ run: { attempt: 2 } });
    });
    await expect(late).rejects.toMatchObject({ name: "CONFLICT" });
  });

  test("given back frees the task at once, and the attempt does not count", async () => {
    const { bench, ask, claim, run } = await setUp();
    await ask();
    const held = await claim("w1");
    const runId = held?.run.run_id ?? "";
    const released = await bench.act(ADA, (desk) => releaseTask(desk, runId, "w1", "not for me"));
    expect(released).toMatchObject({ status: "pending", attempts: 0 });
    expect(await run(runId)).toMatchObject({ status: "released" });
    expect(await claim("w2")).toMatchObject({ task: { attempts: 1 } });
  });

  test("is the credentials' that claimed it, and the worker's", async () => {
    const { ask, claim, complete, beat } = await setUp();
    const { task_id } = await ask();
    const runId = (await claim("w1"))?.run.run_id ?? "";
    await expect(complete(task_id, runId, "completed", "w1", BOB)).rejects.toMatchObject({ name: "FORBIDDEN" });
    await expect(beat(runId, "w2")).rejects.toMatchObject({ name: "CONFLICT" });
    await expect(beat(runId, "w1", EVE)).rejects.toMatchObject({ name: "NOT_FOUND" });
  });
});

describe("a task", () => {
  test("[W1] has all its fields, and so has its run", async () => {
    const { ask, claim } = await setUp();
    const task = await ask({ requires: ["node"] });
    expect(task).toMatchObject({
      schema_version: 1,
      title: "Tidy up",
      objective: "Tidy.",
      status: "pending",
      priority: "medium",
      timestamps: { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z", ended_at: null },
      workspace_path: null,
    });
    const claimed = await claim("w1", { capabilities: ["node"] });
    const runId = claimed?.run.run_id;
    expect(claimed?.task.workspace_path).toBe(`workspaces/${runId}`);
    expect(claimed?.run).toMatchObject({
      schema_version: 1,
      task_id: task.task_id,
      workflow: "external",
      status: "running",
      risk_level: null,
      run_path: `runs/${runId}`,
    });
  });

  test("goes to workers that can do what it requires, and follow its workflow", async () => {
    const { ask, claim } = await setUp();
    const { task_id } = await ask({ requires: ["gpu", "node"], workflow: "change" });
    expect(await claim("w1")).toBeUndefined();
    expect(await claim("w1", { capabilities: ["gpu"] })).toBeUndefined();
    expect(await claim("w1", { capabilities: ["gpu", "node"], workflows: ["external"] })).toBeUndefined();
    const claimed = await claim("w1", { capabilities: ["node", "gpu", "more"], workflows: ["change"] });
    expect(claimed).toMatchObject({ task: { task_id }, run: { lease: { seconds: 60 } } });
  });

  test("without steps is left alone by workers that only do steps", async () => {
    const { ask, claim } = await setUp();
    await ask();
    const { task_id } = await ask({ workflow: "change" });
    expect(await claim("w1", { withSteps: true })).toMatchObject({ task: { task_id } });
    expect(await claim("w1", { withSteps: true })).toBeUndefined();
  });

  test("that failed is tried again after a while, each time a longer one, and then is dead", async () => {
    const { bench, ask, claim, complete, task } = await setUp();
    const { task_id } = await ask();
    for (const attempt of [1, 2, 3]) {
      const claimed = await claim("w1");
      expect(claimed?.run.attempt).toBe(attempt);
      await complete(task_id, claimed?.run.run_id ?? "", "failed");
      expect(await claim("w1")).toBeUndefined();
      if (attempt < 3) expect(await task(task_id)).toMatchObject({ status: "pending" });
      bench.at += toBackoff(attempt);
    }
    expect(await task(task_id)).toMatchObject({ status: "dead", attempts: 3, result_summary: "Done." });
    expect(await claim("w1")).toBeUndefined();
  });

  test("whose leases ran out too often is given up by whoever asks next", async () => {
    const { bench, ask, claim, task } = await setUp();
    const { task_id } = await ask();
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await claim("w1")).toMatchObject({ run: { attempt } });
      bench.at += LEASE_MS;
    }
    expect(await claim("w1")).toBeUndefined();
    expect(await task(task_id)).toMatchObject({
      status: "dead",
      result_summary: expect.stringContaining("3 attempts"),
    });
  });

  test("completes once: a second time is refused, and leaves the first as it was", async () => {
    const { ask, claim, complete, task } = await setUp();
    const { task_id } = await ask();
    const runId = (await claim("w1"))?.run.run_id ?? "";
    await complete(task_id, runId);
    await expect(complete(task_id, runId, "failed")).rejects.toMatchObject({
      name: "CONFLICT",
      message: expect.stringContaining("it is completed"),
    });
    expect(await task(task_id)).toMatchObject({ status: "completed", timestamps: { ended_at: expect.any(String) } });
    expect(await claim("w2")).toBeUndefined();
  });

  test("that is cancelled takes the run of its worker with it", async () => {
    const { bench, ask, claim, complete, run } = await setUp();
    const { task_id } = await ask();
    const runId = (await claim("w1"))?.run.run_id ?? "";
    expect(await bench.act(ADA, (desk) => cancelTask(desk, task_id, "no need"))).toMatchObject({ status: "cancelled" });
    expect(await run(runId)).toMatchObject({ status: "cancelled" });
    await expect(complete(task_id, runId)).rejects.toMatchObject({ name: "CONFLICT" });
    await expect(bench.act(ADA, (desk) => cancelTask(desk, task_id, "again"))).rejects.toMatchObject({
      name: "CONFLICT",
    });
  });

  test("of another tenant is like one that there is not", async () => {
    const { ask, claim, task } = await setUp();
    const { task_id } = await ask();
    const missing = "00000000-0000-7000-8000-000000000000";
    const foreign = await task(task_id, EVE).catch((error: Error) => error.message.replace(task_id, "X"));
    const absent = await task(missing, EVE).catch((error: Error) => error.message.replace(missing, "X"));
    expect(foreign).toBe(absent);
    expect(await claim("w1", {}, EVE)).toBeUndefined();
  });

  test("of several tenants has its turn with a worker that serves all", async () => {
    const { ask, claim, complete } = await setUp();
    for (let count = 0; count < 6; count++) await ask({ title: `acme ${count}` });
    for (let count = 0; count < 2; count++) await ask({ title: `evil ${count}` }, EVE);
    const shared = { tenant: "ops", actor: "shared", servesAll: true };
    const served = [];
    for (let count = 0; count < 6; count++) {
      const claimed = await claim("w1", {}, shared);
      served.push(claimed?.tenant);
      await complete(claimed?.task.task_id ?? "", claimed?.run.run_id ?? "", "completed", "w1", shared as typeof ADA);
    }
    expect(served.slice(0, 4).toSorted()).toEqual(["acme", "acme", "evil", "evil"]);
    expect(served.slice(4)).toEqual(["acme", "acme"]);
  });

  test("leaves a journal of what happened to its run, chained", async () => {
    const { bench, ask, claim, complete } = await setUp();
    const { task_id } = await ask();
    const runId = (await claim("w1"))?.run.run_id ?? "";
    await bench.act(ADA, (desk) => writeArtifact(desk, { runId, name: "notes.md", content: "x", tool: "t" }));
    await complete(task_id, runId);
    const events = await readJournal(bench.store, "acme", runId, { from: 0, limit: 10 });
    expect(events.map(({ seq, event }) => [seq, event.kind])).toEqual([
      [0, "run.began"],
      [1, "evidence.written"],
      [2, "run.completed"],
    ]);
    expect(await bench.store.admin.check()).toEqual([]);
  });
});

describe("a run whose change may have to be approved", () => {
  test("says at its beginning that nobody could, and its record and journal keep that", async () => {
    const clock = { at: Date.UTC(2026, 0, 1) };
    const needs: unknown[] = [];
    const findApprovalGap: FindApprovalGap = async ({ tenant, taskId, others }) => {
      needs.push({ tenant, taskId, others });
      return "Nobody could.";
    };
    const bench = createWorkBench(await openTestStore(() => clock.at), clock, { findApprovalGap });
    const { ask, claim, run } = verbs(bench);
    const { task_id: taskId } = await ask({ workflow: "change" });
    const claimed = await claim("w1", {}, BOB);
    const warnings = ["A change of high risk will wait. Nobody could."];
    expect(needs).toEqual([{ tenant: "acme", taskId, others: ["ada", "bob"] }]);
    expect((await run(claimed?.run.run_id ?? "")).warnings).toEqual(warnings);
    const [began] = await readJournal(bench.store, "acme", claimed?.run.run_id ?? "", { from: 0, limit: 1 });
    expect(began?.event).toMatchObject({ kind: "run.began", details: { warnings } });
  });

  test("has no warnings where somebody could, or where its workflow asks for no approval", async () => {
    const { ask, claim } = await setUp();
    await ask({ workflow: "change" });
    expect((await claim("w1"))?.run).not.toHaveProperty("warnings");
    const clock = { at: Date.UTC(2026, 0, 1) };
    const strict = verbs(
      createWorkBench(await openTestStore(), clock, { findApprovalGap: async () => "Nobody could." }),
    );
    await strict.ask({ workflow: "external" });
    expect((await strict.claim("w1"))?.run).not.toHaveProperty("warnings");
  });
});
