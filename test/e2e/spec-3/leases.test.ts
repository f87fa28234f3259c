import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../helpers/eventually.ts";
import { openSpecifiedWork, type Person, type SpecifiedWork } from "../../helpers/specified-work.ts";
import { createShared } from "../../helpers/temporary.ts";

/** Section 5 of the specification of tasks and runs, sentence by sentence: leases, heartbeats, workers. */

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

describe("Tasks are claimed via atomic database operations; only one worker can hold a lease for a task at a time", () => {
  test("[W6] one of thirty claims at once gets a task, and the task has one run", async () => {
    const { task_id } = await create();
    const ask = (at: number) => claim(at % 2 === 0 ? "wim" : "zoe", `w${at}`, { task_id });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => ask(at)));
    const [winner, ...others] = answers.filter(({ task }) => task !== null);
    expect(others).toEqual([]);
    expect((await status(task_id)).run.run_id).toBe(winner.run_id);
    expect((await status(task_id)).attempts).toBe(1);
  });

  test("[W6] thirty claims at once of ten tasks give each to one worker, and the rest nothing", async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create({ workflow: "external" })));
    const ask = (at: number) => claim(at % 2 === 0 ? "wim" : "zoe", `w${at}`, { workflows: ["external"] });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => ask(at)));
    const given = answers.filter(({ task }) => task !== null).map(({ task_id }) => task_id);
    // A claim that loses every race may come away with nothing: then the tasks are still there for the next.
    for (let answer = await ask(0); answer.task !== null; answer = await ask(0)) given.push(answer.task_id);
    expect(given.toSorted()).toEqual(made.map(({ task_id }) => task_id).toSorted());
  });
});

describe("Leases have TTL (default: 300 seconds); claim_task(task_id, worker_id, duration_sec)", () => {
  const toSeconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000;

  test("[W7] a lease ends 300 seconds after its claim unless the claim or the workflow says otherwise", async () => {
    for (const [workflow, more, seconds] of [
      ["bare", {}, 300],
      ["plain", {}, 5],
      ["bare", { duration_sec: 42 }, 42],
    ] as const) {
      const claimed = await work.begin(workflow, "Wait.", more);
      const { run } = await status(claimed.task_id);
      expect(claimed.lease_seconds).toBe(seconds);
      expect(run.lease).toEqual({ seconds, expires_at: claimed.lease_expires_at });
      expect(toSeconds(run.timestamps.created_at, run.lease.expires_at)).toBe(seconds);
    }
  });

  test("[W7] a claim of a task by its id gives that task, older and more urgent ones or not", async () => {
    const [urgent, older] = [await create({ priority: "critical" }), await create({ priority: "low" })];
    const wanted = await create({ priority: "low" });
    expect(await claim("wim", "w1", { task_id: wanted.task_id })).toMatchObject({ task_id: wanted.task_id });
    expect(await claim("zoe", "w2", { task_id: wanted.task_id })).toMatchObject({ task: null });
    for (const { task_id } of [urgent, older]) expect(await status(task_id)).toMatchObject({ status: "pending" });
    for (const duration_sec of [0, -1, 4, 3601, 7.5, "60"]) {
      expect((await work.call("wim", "task_claim", { worker_id: "w1", duration_sec })).status).toBe(400);
    }
  });

  test("[W7] a heartbeat moves the end of the lease, and only its own worker's does", async () => {
    const { run_id, task_id, lease_expires_at } = await work.begin("bare");
    expect((await beat("wim", "w2", run_id)).status).toBe(409);
    expect((await beat("zoe", "w1", run_id)).status).toBe(403);
    expect((await status(task_id)).run.lease.expires_at).toBe(lease_expires_at);
    const { body } = await beat("wim", "w1", run_id);
    expect(body.lease_expires_at > lease_expires_at).toBe(true);
    expect((await status(task_id)).run.lease).toEqual({ seconds: 300, expires_at: body.lease_expires_at });
  });
});

describe("If heartbeat fails, lease expires and task becomes available again; prevents zombie workers", () => {
  test("[W7] heartbeats hold a task beyond its lease; without them another worker gets it, and the zombie nothing", async () => {
    const [kept, left] = [await work.begin("plain"), await work.begin("plain")];
    await work.ask("wim", "artifact_write", { run_id: left.run_id, name: "notes.md", content: "Mine." });
    const early = await claim("zoe", "w2", { task_id: left.task_id });
    expect(early.task).toBeNull();
    const second = await eventually(async () => {
      expect((await beat("wim", "w1", kept.run_id)).status).toBe(200);
      expect((await claim("zoe", "w2", { task_id: kept.task_id })).task).toBeNull();
      const taken = await claim("zoe", "w2", { task_id: left.task_id });
      expect(taken.task).not.toBeNull();
      return taken;
    });
    expect(second.run_id).not.toBe(left.run_id);
    expect(second.fence).toBeGreaterThan(left.fence);
    // Not before its end, by the service's own clock.
    const { run } = await status(left.task_id);
    expect(run.timestamps.created_at >= left.lease_expires_at).toBe(true);

    const { run_id } = left;
    const zombie: readonly (readonly [string, object])[] = [
      ["task_heartbeat", { worker_id: "w1" }],
      ["artifact_write", { name: "notes.md", content: "Still mine." }],
      ["artifact_write", { name: "more.md", content: "More." }],
      ["fs_write_file", { path: "docs/a.md", content: "x" }],
      ["exec_run", { command: ["cat", "docs/harbour.md"] }],
      ["git_commit", { message: "x", allowed_files: [] }],
      ["run_advance", {}],
      ["task_release", { worker_id: "w1" }],
      ["task_complete", { task_id: left.task_id, worker_id: "w1", status: "completed", result_summary: "Me." }],
    ];
    for (const [tool, input] of zombie) {
      expect([tool, (await work.call("wim", tool, { run_id, ...input })).status]).toEqual([tool, 409]);
    }
    // Nor in the run that has taken over.
    const there = { run_id: second.run_id, worker_id: "w1" };
    expect((await work.call("wim", "task_heartbeat", there)).status).toBe(403);
    expect(await work.read(left, "notes.md")).toBe("Mine.");
    expect((await status(left.task_id)).run).toMatchObject({
      run_id: second.run_id,
      worker_id: "w2",
      status: "running",
      artifacts: {},
    });
    const refused = zombie.map(() => "refused");
    expect(await kinds(run_id)).toEqual(["run.began", "evidence.written", "run.lost", ...refused]);
  });
});
