import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createWorkClient, createWorker, type WorkerOptions } from "../../../server/worker/public.ts";
import { eventually } from "../../helpers/eventually.ts";
import { openSpecifiedWork, type Person, type SpecifiedWork, toAddition, toEnd } from "../../helpers/specified-work.ts";
import { createShared } from "../../helpers/temporary.ts";
import { startWorker } from "../../helpers/worker-process.ts";

/** Section 5 of the specification of tasks and runs, sentence by sentence: workers. */

const shared = createShared();
let work: SpecifiedWork;
beforeAll(async () => {
  work = await openSpecifiedWork(shared.atEnd);
}, 60_000);
afterAll(shared.undoAll);

const create = (more: object = {}) =>
  work.ask("rita", "task_create", { title: "Count", objective: "Count the chairs.", workflow: "plain", ...more });
const claim = (who: Person, worker_id: string, more: object = {}) =>
  work.ask(who, "task_claim", { worker_id, ...more });
const beat = (who: Person, worker_id: string, run_id: string) =>
  work.call(who, "task_heartbeat", { run_id, worker_id });
const status = (task_id: string) => work.ask("rita", "task_status", { task_id });
const kinds = async (run_id: string) => (await work.journal(run_id)).map(({ kind }) => kind);
const token = (who: Person) => work.as(who)["authorization"]?.slice("Bearer ".length) ?? "";

/** For what processes do on a busy machine. */
const PATIENT = { timeout: 90_000, interval: 100 };
const SLOW = { timeout: 180_000 };

describe("Worker Lifecycle: startup, poll, claim, heartbeat, execute, complete", () => {
  test(
    "[W8] workers without a name have unique ids, poll for a task that comes later, and one of them completes it",
    SLOW,
    async () => {
      const args = ["--token-file", work.tokenFile("wim"), "--workflow", "brief"];
      const started = [startWorker(work.url, args), startWorker(work.url, args)];
      const ids = await eventually(async () => {
        const { workers } = await work.ask("olga", "worker_list");
        const found = workers.filter(({ workflows }: { workflows?: string[] }) => workflows?.[0] === "brief");
        expect(found).toHaveLength(2);
        return found.map(({ worker_id }: { worker_id: string }) => worker_id);
      });
      expect(new Set(ids).size).toBe(2);
      const { task_id } = await create({ workflow: "brief", objective: toAddition("docs/cake.md", "Cake.") });
      await expect.poll(() => status(task_id), PATIENT).toMatchObject({ status: "completed", attempts: 1 });
      const { run } = await status(task_id);
      expect(ids).toContain(run.worker_id);
      expect((await kinds(run.run_id)).at(-1)).toBe("run.completed");
      for (const { child, ended } of started) {
        child.kill("SIGTERM");
        expect(await ended).toBe(0);
      }
    },
  );

  test("[W8] heartbeats in the background keep the lease of a worker that executes for longer; stop() lets it finish", async () => {
    const { task_id } = await create({ priority: "critical" });
    const client = createWorkClient({ url: work.url, token: token("wim") });
    const worker = createWorker({
      client,
      workerId: "patient",
      workflows: ["plain"],
      pollInterval: 50,
      async execute({ run_id, lease_expires_at = "" }) {
        worker.stop();
        await expect
          .poll(
            async () => {
              expect((await claim("zoe", "w2", { task_id })).task).toBeNull();
              await client.artifactWrite({ run_id, name: "notes.md", content: "Still here." });
              return (await status(task_id)).run.timestamps.updated_at > lease_expires_at;
            },
            { timeout: 30_000, interval: 200 },
          )
          .toBe(true);
        return { status: "completed", summary: "Slowly." };
      },
    });
    const { task_id: next } = await create();
    await worker.start();
    expect(await status(task_id)).toMatchObject({ status: "completed", attempts: 1, result_summary: "Slowly." });
    expect(await status(next)).toMatchObject({ status: "pending" });
  });

  test("[W8] plan, execute, verify, gate are executed in this order, each after the one before", async () => {
    const run = await work.begin("risky", toAddition("docs/tea.md", "Tea."));
    await work.advance(run.run_id);
    const steps = (await work.journal(run.run_id)).filter(({ kind }) => String(kind).startsWith("step."));
    expect(steps.map(({ kind, details }) => `${kind} ${(details as { step: string }).step}`)).toEqual(
      ["plan", "execute", "verify", "gate"].flatMap((step) => [`step.began ${step}`, `step.completed ${step}`]),
    );
  });
});

describe("Workers and services die", () => {
  test(
    "[W7] [W8] a worker killed at work loses its task to another, which completes it as a new run",
    SLOW,
    async () => {
      const { task_id } = await create({ workflow: "brief", objective: toAddition("docs/soup.md", "Soup.") });
      const args = ["--token-file", work.tokenFile("wim"), "--workflow", "brief"];
      const doomed = startWorker(work.url, ["--id", "doomed", ...args, "--exec", "exec sleep 8"]);
      await eventually(async () => expect(await status(task_id)).toMatchObject({ run: { worker_id: "doomed" } }));
      doomed.child.kill("SIGKILL");
      await doomed.ended;
      const heir = startWorker(work.url, ["--id", "heir", ...args]);
      await expect.poll(() => status(task_id), PATIENT).toMatchObject({ status: "completed", attempts: 2 });
      expect((await status(task_id)).run.worker_id).toBe("heir");
      heir.child.kill("SIGTERM");
      expect(await heir.ended).toBe(0);
    },
  );

  test("[W6] [W7] a service killed keeps tasks, leases and evidence: the holder goes on, and nobody else gets the task", async () => {
    const held = await work.begin("bare");
    await work.ask("wim", "artifact_write", { run_id: held.run_id, name: "notes.md", content: "Before." });
    const waiting = await create();
    await work.kill();
    await work.restart();
    expect(await claim("zoe", "w2", { task_id: held.task_id })).toMatchObject({ task: null });
    expect((await beat("wim", "w1", held.run_id)).status).toBe(200);
    expect(await work.read(held, "notes.md")).toBe("Before.");
    expect(await claim("zoe", "w2", { task_id: waiting.task_id })).toMatchObject({ task_id: waiting.task_id });
  });
});

describe("Poll loop, execute, complete: what becomes of a worker's task", () => {
  /** A worker of `wim` for one urgent task that only it can do, from `start()` to its end. */
  async function perform(execute: NonNullable<WorkerOptions["execute"]>, more: Partial<WorkerOptions> = {}) {
    const able = `able-${randomUUID().slice(0, 8)}`;
    const { task_id } = await create({ priority: "critical", requires: [able] });
    const events: string[] = [];
    const worker = createWorker({
      client: createWorkClient({ url: work.url, token: token("wim") }),
      execute,
      workerId: able,
      capabilities: [able],
      workflows: ["plain"],
      pollInterval: 50,
      ...more,
      onEvent: ({ kind, task_id: of }) => void (of === task_id && events.push(kind)),
    });
    const ended = worker.start();
    onTestFinished(async () => {
      worker.stop();
      await ended;
    });
    return { task_id, worker, ended, events, able };
  }

  test("[W8] an attempt that throws has failed, and the task is dead after as many attempts as its workflow allows", async () => {
    const { task_id, worker, ended } = await perform(() => Promise.reject(new Error("No chairs.")), {
      pollInterval: 20,
    });
    await expect.poll(() => status(task_id), { timeout: 50_000 }).toMatchObject({ status: "dead", attempts: 3 });
    worker.stop();
    await ended;
    const told = expect.stringContaining("No chairs.");
    expect(await status(task_id)).toMatchObject({ result_summary: told, run: { status: "failed", attempt: 3 } });
    expect(await claim("zoe", "w2", { task_id })).toMatchObject({ task: null });
  });

  test("[W7] [W8] a worker whose heartbeat is refused is told that the lease is lost, and completes nothing", async () => {
    const begun = Promise.withResolvers<string>();
    const { task_id, worker, ended, events } = await perform(async ({ run_id }, { signal }) => {
      begun.resolve(run_id);
      await once(signal, "abort");
      return { status: "completed", summary: "I did not notice." };
    });
    const run_id = await begun.promise;
    await work.ask("rita", "task_cancel", { task_id, reason: "No need." });
    await expect.poll(() => events, { timeout: 20_000 }).toEqual(["claimed", "lost"]);
    worker.stop();
    await ended;
    expect(await status(task_id)).toMatchObject({ status: "cancelled", run: { run_id, status: "cancelled" } });
    expect(await kinds(run_id)).not.toContain("run.completed");
  });

  test("[W8] stop() gives back a task that takes longer than its grace, at once and without counting the attempt", async () => {
    const begun = Promise.withResolvers<void>();
    const hang: WorkerOptions["execute"] = async (_, { signal }) => {
      begun.resolve();
      await once(signal, "abort");
      throw new Error("Stopped.");
    };
    const { task_id, worker, ended, able } = await perform(hang, { stopGrace: 50 });
    await begun.promise;
    worker.stop();
    await ended;
    expect(await status(task_id)).toMatchObject({ status: "pending", attempts: 0, run: { status: "released" } });
    expect(await claim("zoe", "w2", { task_id, capabilities: [able] })).toMatchObject({ task_id });
  });

  test("[W6] whoever comes first at the end of a lease, a late completion or the next claim, the task has one outcome", async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, () => work.begin("plain")));
    const expires = runs
      .map(({ lease_expires_at }) => lease_expires_at)
      .toSorted()
      .at(-1);
    await expect.poll(() => new Date().toISOString() > expires, { timeout: 20_000 }).toBe(true);
    await Promise.all(
      runs.map(async (run) => {
        const [ended, next] = await Promise.all([
          work.call("wim", "task_complete", toEnd(run)),
          claim("zoe", "w2", { task_id: run.task_id }),
        ]);
        const now = await status(run.task_id);
        const held = next.task === null ? run.run_id : next.run_id;
        expect([ended.status, now.status, now.run.run_id]).toEqual(
          next.task === null ? [200, "completed", held] : [409, "running", held],
        );
      }),
    );
  });

  test("[W5] [W6] a claim, a task and a completion that are sent again with their key are done once", async () => {
    const post = async (who: Person, tool: string, input: object, key = randomUUID()) => {
      const send = async () => {
        const response = await fetch(`${work.url}/agent/latest/api/tools/${tool}`, {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": key, ...work.as(who) },
          body: JSON.stringify(input),
        });
        return response.json() as Promise<Record<string, string>>;
      };
      const [first, ...again] = [await send(), ...(await Promise.all([send(), send()]))];
      expect(again).toEqual([first, first]);
      return first;
    };
    const made = await post("rita", "task_create", { title: "Once", objective: "Once.", workflow: "bare" });
    const { tasks } = await work.ask("rita", "task_list", { limit: 200 });
    expect(tasks.filter(({ title }: { title: string }) => title === "Once")).toHaveLength(1);
    const claimed = await post("wim", "task_claim", { worker_id: "w1", task_id: made["task_id"] });
    expect(claimed["run_id"]).toBeTruthy();
    expect((await kinds(claimed["run_id"] ?? "")).length).toBe(1);
    const end = toEnd({ task_id: made["task_id"] ?? "", run_id: claimed["run_id"] ?? "" }, { status: "failed" });
    expect(await post("wim", "task_complete", end)).toMatchObject({ lease_released: true });
    expect(await kinds(claimed["run_id"] ?? "")).toEqual(["run.began", "run.failed"]);
  });
});
