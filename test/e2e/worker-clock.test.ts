import { globSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, type TestContext, test, vi } from "vitest";
import { createWorkClient } from "../../server/worker/work-client.ts";
import type { ClaimedTask } from "../../server/worker/work-tools.ts";
import { startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { temporaryFolder } from "../helpers/temporary.ts";
import { createWorkAgent } from "../helpers/work-agent.ts";
import { NODE, startNode } from "../helpers/worker-process.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A service whose machine's clock is set as the test says; what has passed since its start, nobody can set. */
async function setUp(context: TestContext, leaseSeconds: number) {
  const [library] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
  if (library === undefined) {
    if (process.env["CI"] !== undefined) throw new Error("faketime is not installed");
    const reason = "without faketime (`apt-get install faketime`) nobody can set the clock";
    process.stderr.write(`SKIPPED "${context.task.name}": ${reason}\n`);
    return context.skip(reason);
  }
  const folder = await temporaryFolder();
  const offset = join(folder, "offset");
  await writeFile(offset, "+0\n");
  const agent = await createWorkAgent({ leaseSeconds });
  const environment = {
    CAIRN_DATA: join(folder, "data"),
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: offset,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  const start = async () => {
    const cairn = await startCairn(["serve", agent], environment, undefined, undefined, NODE);
    const client = createWorkClient({ url: cairn.url });
    const serviceTime = async () => Date.parse((await fetch(`${cairn.url}/versions`)).headers.get("date") ?? "");
    return { cairn, client, serviceTime };
  };
  return {
    start,
    /** Sets the clock, and waits until the service shows that it is set. */
    async setClock(days: number, serviceTime: () => Promise<number>): Promise<void> {
      await writeFile(offset, `${days < 0 ? "" : "+"}${days}d\n`);
      await vi.waitFor(async () => {
        expect(Math.round(((await serviceTime()) - Date.now()) / DAY_MS)).toBe(days);
      }, 10_000);
    },
  };
}

const held = ({ run_id }: ClaimedTask) => ({ run_id, worker_id: "w1" });

describe("[W7] a lease", { timeout: 60_000 }, () => {
  test("is neither freed nor kept longer when the clock is set two days forward and back", async (context) => {
    const { start, setClock } = await setUp(context, 5);
    const { client, serviceTime } = await start();
    await client.taskCreate({ title: "Held", objective: "Be held." });
    const claimed = await client.taskClaim({ worker_id: "w1" });
    if (claimed.task === null) throw new Error("there was a task");

    await setClock(2, serviceTime);
    expect(await client.taskClaim({ worker_id: "w2" })).toMatchObject({ task: null });
    await client.taskHeartbeat(held(claimed));
    await setClock(-2, serviceTime);
    expect(await client.taskClaim({ worker_id: "w2" })).toMatchObject({ task: null });
    const { lease_expires_at } = await client.taskHeartbeat(held(claimed));

    const taken = await vi.waitFor(
      async () => {
        const next = await client.taskClaim({ worker_id: "w2" });
        if (next.task === null) throw new Error("nobody let go of it");
        return next;
      },
      { timeout: 20_000, interval: 100 },
    );
    expect(taken).toMatchObject({ task_id: claimed.task_id });
    const { events } = await client.runEvents({ run_id: claimed.run_id });
    const lost = events.find(({ kind }) => kind === "run.lost");
    expect(Date.parse(lost?.at ?? "")).toBeGreaterThanOrEqual(Date.parse(lease_expires_at));
    await expect(client.artifactWrite({ run_id: claimed.run_id, name: "late.md", content: "x" })).rejects.toMatchObject(
      { name: "CONFLICT" },
    );
  });

  test("is kept by a service that starts anew under another clock", async (context) => {
    const { start, setClock } = await setUp(context, 60);
    const first = await start();
    await first.client.taskCreate({ title: "Held", objective: "Be held." });
    const claimed = await first.client.taskClaim({ worker_id: "w1" });
    if (claimed.task === null) throw new Error("there was a task");
    await setClock(2, first.serviceTime);
    await first.cairn.stop();
    const second = await start();
    expect(Math.round(((await second.serviceTime()) - Date.now()) / DAY_MS)).toBe(2);
    expect(await second.client.taskClaim({ worker_id: "w2" })).toMatchObject({ task: null });
    const { lease_expires_at } = await second.client.taskHeartbeat(held(claimed));
    expect(Date.parse(lease_expires_at) - Date.parse(claimed.lease_expires_at)).toBeLessThan(60_000);
  });

  test("of a worker that stands still goes to another one, and what it does when it wakes up is refused", async () => {
    const cairn = await startCairn(["serve", await createWorkAgent({ leaseSeconds: 5 })], {
      CAIRN_DATA: await temporaryFolder(),
    });
    const client = createWorkClient({ url: cairn.url });
    const { task_id } = await client.taskCreate({ title: "Stuck", objective: "Be taken over." });
    // It works for a minute, so that it is always in the middle of it.
    const stuck = startNode(["test/helpers/trivial-worker.ts", cairn.url, "stuck", "60000", "60000"]);
    await stuck.said("claimed");
    stuck.child.kill("SIGSTOP");
    const stuckRun = (await client.taskStatus({ task_id })).run?.run_id ?? "";
    const next = startNode(["test/helpers/trivial-worker.ts", cairn.url, "next", "0"]);
    await next.said("completed");
    const { events: before } = await client.runEvents({ run_id: stuckRun });
    stuck.child.kill("SIGCONT");
    await stuck.said('"lost"');
    await eventually(async () => {
      const { events } = await client.runEvents({ run_id: stuckRun, from: before.length });
      expect(events).toContainEqual(
        expect.objectContaining({ kind: "refused", details: expect.objectContaining({ syscall: "evidence.write" }) }),
      );
    });
    const { events: after, status } = await client.runEvents({ run_id: stuckRun });
    expect(status).toBe("lost");
    const lostAt = Date.parse(after.find(({ kind }) => kind === "run.lost")?.at ?? "");
    const expiredAt = Date.parse(String(before.at(-1)?.details["expired_at"]));
    expect(lostAt - expiredAt).toBeLessThan(5000);
    expect(
      after
        .slice(before.length)
        .map(({ kind }) => kind)
        .filter((kind) => kind !== "refused"),
    ).toEqual([]);
    const { run, status: end } = await client.taskStatus({ task_id });
    expect([end, run?.worker_id, run?.attempt]).toEqual(["completed", "next", 2]);
  });
});
