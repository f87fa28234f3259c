import { describe, expect, onTestFinished, test } from "vitest";
import { CairnError } from "../../../server/errors.ts";
import type { Execute, Outcome } from "../../../server/worker/execute.ts";
import { createWorkClient } from "../../../server/worker/work-client.ts";
import { createWorker, type WorkerOptions } from "../../../server/worker/worker.ts";
import { createFakeTime } from "../../helpers/fake-time.ts";

type Answer = (input: Readonly<Record<string, unknown>>) => unknown;

/** A worker whose service has `tasks` tasks, and answers calls as `answers` say; with all that was called and told. */
function setUp(options: Partial<WorkerOptions> & { tasks?: number; answers?: Record<string, Answer> } = {}) {
  const { tasks = 1, answers = {}, ...rest } = options;
  const time = createFakeTime();
  const calls: [tool: string, input: Readonly<Record<string, unknown>>][] = [];
  const events: string[] = [];
  let given = 0;
  const claim = () => {
    if (given === tasks) return { task: null };
    const id = ++given;
    return { task: {}, task_id: `t${id}`, run_id: `r${id}`, title: `Task ${id}`, workflow: "plain", lease_seconds: 30 };
  };
  const client = createWorkClient({
    url: "http://cairn.test",
    fetch: (async (url: string, init: RequestInit) => {
      const tool = url.split("/").at(-1) ?? "";
      const input = JSON.parse(String(init.body)) as Readonly<Record<string, unknown>>;
      calls.push([tool, input]);
      try {
        return Response.json((await (answers[tool] ?? (tool === "task_claim" ? claim : () => ({})))(input)) ?? {});
      } catch (error) {
        if (!(error instanceof CairnError)) throw error;
        return Response.json({ name: error.name, detail: error.message }, { status: error.row.status });
      }
    }) as typeof fetch,
    sleep: time.sleep,
  });
  const worker = createWorker({
    client,
    workerId: "w1",
    clock: time.clock,
    sleep: time.sleep,
    random: () => 0.5,
    onEvent: ({ kind, message }) => events.push(`${kind}: ${message}`),
    ...rest,
  });
  const ended = worker.start();
  onTestFinished(async () => {
    const stopped = worker.stop();
    await time.advance(3_600_000);
    await stopped;
    await ended.catch(() => undefined);
  });
  const called = (tool: string) => calls.filter(([name]) => name === tool).map(([, input]) => input);
  return { time, worker, ended, calls, called, events };
}

const COMPLETED: Outcome = { status: "completed", summary: "Done." };
const done: Execute = async () => COMPLETED;
/** Never ends by itself, and does not mind being told to. */
const stubborn: Execute = () => new Promise(() => undefined);
const conflict = () => {
  throw new CairnError("CONFLICT", "Run `r1` was taken over.");
};

describe("[W8] a worker", () => {
  test("gives a task back whose work a limit refuses for good: no attempt is lost", async () => {
    const limited = () => {
      throw new CairnError("RATE_LIMITED", "The actor `a` has no more of its 300 calls a minute; try again in 1 s.");
    };
    const { time, called, events } = setUp({ execute: limited });
    await time.advance(0);
    const reason = "RATE_LIMITED: The actor `a` has no more of its 300 calls a minute; try again in 1 s.";
    expect(called("task_release")).toEqual([{ run_id: "r1", worker_id: "w1", reason }]);
    expect(called("task_complete")).toEqual([]);
    expect(events.at(-1)).toBe(`released: ${reason}`);
  });

  test("claims, does and completes one task after the other, and then asks every poll interval", async () => {
    const { time, called, events, calls } = setUp({ tasks: 2, execute: done });
    await time.advance(0);
    await time.advance(4999);
    expect(calls.map(([tool]) => tool)).toEqual([
      "task_claim",
      "task_complete",
      "task_claim",
      "task_complete",
      "task_claim",
    ]);
    expect(called("task_complete")).toEqual([
      { run_id: "r1", worker_id: "w1", task_id: "t1", status: "completed", result_summary: "Done." },
      { run_id: "r2", worker_id: "w1", task_id: "t2", status: "completed", result_summary: "Done." },
    ]);
    await time.advance(1);
    expect(called("task_claim")).toHaveLength(4);
    expect(events.slice(0, 2)).toEqual(["claimed: Task 1", "completed: Done."]);
  });

  test("asks for what it can do, and by itself only for tasks with steps", async () => {
    const own = setUp({ execute: done, capabilities: ["gpu"], workflows: ["change"] });
    const steps = setUp({ tasks: 0 });
    await own.time.advance(0);
    await steps.time.advance(0);
    expect(own.called("task_claim")[0]).toEqual({ worker_id: "w1", capabilities: ["gpu"], workflows: ["change"] });
    expect(steps.called("task_claim")[0]).toEqual({ worker_id: "w1", with_steps: true });
  });

  test("has as many tasks at a time as it may, and no more", async () => {
    const { time, called } = setUp({ tasks: 5, concurrency: 3, execute: stubborn });
    await time.advance(0);
    await time.advance(5000);
    expect(called("task_claim")).toHaveLength(3);
  });

  test("has the service do the steps of a workflow until it is done", async () => {
    const states = ["step", "step", "done"];
    const run_advance: Answer = () => {
      const state = states.shift();
      return { run_id: "r1", state, ...(state === "step" ? { step: `s${2 - states.length}`, message: "Fine." } : {}) };
    };
    const { time, called, events } = setUp({ answers: { run_advance } });
    await time.advance(100);
    expect(called("run_advance")).toHaveLength(3);
    expect(called("task_complete")).toMatchObject([{ status: "completed", result_summary: "s1: Fine." }]);
    expect(events).toContain("progress: s0: Fine.");
  });

  test("leaves a blocked run as it is, and fails one whose step failed", async () => {
    const blocked = setUp({ answers: { run_advance: () => ({ state: "blocked", step: "gate", message: "Wait." }) } });
    await blocked.time.advance(100);
    expect([blocked.called("task_complete"), blocked.events[2]]).toEqual([[], "blocked: gate: Wait."]);
    const failed = setUp({ answers: { run_advance: () => ({ state: "failed", step: "verify", message: "Red." }) } });
    await failed.time.advance(100);
    expect(failed.called("task_complete")).toMatchObject([{ status: "failed", result_summary: "verify: Red." }]);
  });

  test("does not take a workflow without steps for done", async () => {
    const { time, called } = setUp({ answers: { run_advance: () => ({ state: "done" }) } });
    await time.advance(100);
    expect(called("task_complete")).toMatchObject([
      { status: "failed", result_summary: "The workflow `plain` has no steps, so nothing was done." },
    ]);
  });

  test("fails a task that it cannot do, with what went wrong", async () => {
    const { time, called } = setUp({
      execute: () => {
        throw new TypeError("no such file");
      },
    });
    await time.advance(100);
    expect(called("task_complete")).toMatchObject([{ status: "failed", result_summary: "TypeError: no such file" }]);
  });

  test("fails a task that may not complete for lack of evidence", async () => {
    const { time, called } = setUp({
      execute: done,
      answers: {
        task_complete({ status }) {
          if (status === "completed") throw new CairnError("CONFLICT", "Cannot complete without `a.json`.");
          return {};
        },
      },
    });
    await time.advance(100);
    expect(called("task_complete").at(-1)).toMatchObject({
      status: "failed",
      result_summary: "Cannot complete without `a.json`.",
    });
  });

  test("gives a task back that its executor does not want, and waits before it claims again", async () => {
    const { time, called } = setUp({ tasks: 9, execute: async () => ({ status: "released", summary: "Not mine." }) });
    await time.advance(0);
    await time.advance(4999);
    expect(called("task_release")).toEqual([{ run_id: "r1", worker_id: "w1", reason: "Not mine." }]);
    await time.advance(1);
    expect(called("task_claim")).toHaveLength(2);
  });

  test("sends heartbeats while it works, three in the time of a lease, and none after", async () => {
    let finish: (outcome: Outcome) => void = () => undefined;
    const { time, called } = setUp({ execute: () => new Promise((resolve) => (finish = resolve)) });
    await time.advance(0);
    await time.advance(35_000);
    expect(called("task_heartbeat")).toEqual(Array.from({ length: 3 }, () => ({ run_id: "r1", worker_id: "w1" })));
    finish(COMPLETED);
    await time.advance(60_000);
    expect(called("task_heartbeat")).toHaveLength(3);
  });

  test("whose heartbeat is refused tells its executor, and writes nothing more for the run", async () => {
    const aborted: string[] = [];
    const { time, called, calls, events } = setUp({
      answers: { task_heartbeat: conflict },
      execute: (_, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            aborted.push(String(signal.reason));
            resolve(COMPLETED);
          }),
        ),
    });
    await time.advance(0);
    await time.advance(15_000);
    expect(aborted).toEqual(["Run `r1` was taken over."]);
    expect(events).toContain("lost: Run `r1` was taken over.");
    expect(called("task_complete").concat(called("task_release"))).toEqual([]);
    expect(calls.at(-1)?.[0]).toBe("task_claim");
  });

  test("does not wait for an executor that goes on with a lost run", async () => {
    const { time, called } = setUp({ tasks: 2, answers: { task_heartbeat: conflict }, execute: stubborn });
    await time.advance(0);
    await time.advance(15_000);
    expect(called("task_claim")).toHaveLength(2);
  });

  test("goes on when the service was away", async () => {
    let away = true;
    const { time, events, called } = setUp({
      execute: done,
      answers: {
        task_claim: () => {
          if (away) throw new CairnError("UNAVAILABLE", "Starting.");
          return { task: null };
        },
      },
    });
    await time.advance(15_000);
    expect(events[0]).toBe("trouble: Starting.");
    away = false;
    await time.advance(60_000);
    expect(events.at(-1)).toBe("idle: There is nothing to do.");
    expect(called("task_claim").length).toBeGreaterThan(6);
  });

  test("ends when its claims are refused for good", async () => {
    const { ended, time } = setUp({
      answers: {
        task_claim: () => {
          throw new CairnError("UNAUTHENTICATED", "The token ran out.");
        },
      },
    });
    const told = expect(ended).rejects.toMatchObject({ name: "UNAUTHENTICATED", message: "The token ran out." });
    await time.advance(100);
    await told;
  });

  test("that is stopped claims nothing more and finishes what it has begun", async () => {
    let finish: (outcome: Outcome) => void = () => undefined;
    const { time, worker, called } = setUp({
      tasks: 3,
      execute: () => new Promise((resolve) => (finish = resolve)),
    });
    await time.advance(0);
    let isStopped = false;
    const stopped = worker.stop().then(() => (isStopped = true));
    await time.advance(29_000);
    expect(isStopped).toBe(false);
    finish(COMPLETED);
    await time.advance(0);
    await stopped;
    expect([called("task_claim").length, called("task_complete").length]).toEqual([1, 1]);
  });

  test("gives back what does not end within the grace period", async () => {
    const { time, worker, called, ended } = setUp({ execute: stubborn, stopGrace: 2000 });
    await time.advance(0);
    const stopped = worker.stop();
    await time.advance(1999);
    expect(called("task_release")).toEqual([]);
    await time.advance(1);
    await stopped;
    await ended;
    expect(called("task_release")).toEqual([{ run_id: "r1", worker_id: "w1", reason: "The worker stops." }]);
  });

  test("gives back a task that reaches it when it is stopped already", async () => {
    let answer: (claimed: object) => void = () => undefined;
    const { time, worker, called } = setUp({
      execute: done,
      answers: { task_claim: () => new Promise((resolve) => (answer = resolve)) },
    });
    await time.advance(0);
    const stopped = worker.stop();
    answer({ task: {}, task_id: "t1", run_id: "r1", title: "Task 1", lease_seconds: 30 });
    await time.advance(0);
    await stopped;
    expect(called("task_release")).toEqual([{ run_id: "r1", worker_id: "w1", reason: "The worker stops." }]);
  });
});
