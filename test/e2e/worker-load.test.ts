import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openLmdbStore } from "../../server/store/lmdb/lmdb.ts";
import type { Store } from "../../server/store/store.ts";
import { type JournalEvent, readJournal } from "../../server/capabilities/work/journal.ts";
import { readRun, type Run } from "../../server/capabilities/work/run.ts";
import { createWorkClient } from "../../server/worker/work-client.ts";
import { startCairn } from "../helpers/cairn.ts";
import { temporaryFolder } from "../helpers/temporary.ts";
import { createWorkAgent } from "../helpers/work-agent.ts";
import { startNode, type WorkerProcess } from "../helpers/worker-process.ts";

const LONG = process.env["CAIRN_LONG"] !== undefined;
const TASKS = LONG ? 5000 : 300;
const WORKERS = 4;
/** Milliseconds from one harm to the next, more or less. */
const HARM_MS = LONG ? 3000 : 1500;
const LEASE_SECONDS = 5;
const THAW_MS = 1500 * LEASE_SECONDS;

interface History {
  readonly run: Run;
  readonly events: readonly JournalEvent[];
}

describe("many tasks, and workers that are killed or stand still", () => {
  test(
    `[W6] each of ${TASKS} tasks is completed once, and nothing is written for a run that was lost`,
    {
      timeout: LONG ? 1_800_000 : 120_000,
    },
    async () => {
      const data = await temporaryFolder();
      const agent = await createWorkAgent({ leaseSeconds: LEASE_SECONDS, maxAttempts: 10 });
      const cairn = await startCairn(["serve", agent], { CAIRN_DATA: data });
      const client = createWorkClient({ url: cairn.url });
      const ids = await createTasks(client);

      const all: WorkerProcess[] = [];
      const start = () => {
        const worker = startNode(["test/helpers/trivial-worker.ts", cairn.url, `w${all.length}`]);
        all.push(worker);
        return worker;
      };
      const alive = Array.from({ length: WORKERS }, start);
      let harmed = 0;
      const thawing: Promise<unknown>[] = [];
      let isOver = false;
      const harming = (async () => {
        for (;;) {
          await setTimeout(HARM_MS * (0.5 + Math.random()));
          if (isOver) return;
          const victim = Math.floor(Math.random() * WORKERS);
          const { child } = alive[victim] ?? start();
          // Every third one stands still for longer than a lease, and then goes on as if nothing had happened.
          const isFrozen = (harmed += 1) % 3 === 0;
          child.kill(isFrozen ? "SIGSTOP" : "SIGKILL");
          alive[victim] = start();
          if (isFrozen) thawing.push(setTimeout(THAW_MS).then(() => child.kill("SIGCONT")));
        }
      })();
      const began = Date.now();
      for (let outstanding = ids; outstanding.length > 0;) {
        await setTimeout(200);
        outstanding = await findOutstanding(client, outstanding);
      }
      isOver = true;
      await harming;
      await Promise.all(thawing);
      const seconds = (Date.now() - began) / 1000;
      for (const { child } of all) child.kill("SIGTERM");
      await Promise.all(all.map(({ ended }) => ended));
      await cairn.stop();

      const store = await openLmdbStore({ directory: `${data}/store` });
      const histories = await readHistories(store);
      expect(await store.admin.check()).toEqual([]);
      await store.admin.close();
      expect(findWrongs(ids, histories)).toEqual([]);
      // What a worker was told is true.
      const told = all.flatMap(({ output }) => readCompletions(output()));
      const byRun = new Map(histories.map(({ run }) => [run.run_id, run.status]));
      expect(told.filter((runId) => byRun.get(runId) !== "completed")).toEqual([]);
      const lost = histories.filter(({ run }) => run.status === "lost").length;
      expect(histories.length).toBe(TASKS + lost);
      process.stderr.write(`${TASKS} tasks in ${seconds.toFixed(1)} s, ${harmed} workers harmed, ${lost} runs lost\n`);
    },
  );
});

async function createTasks(client: ReturnType<typeof createWorkClient>): Promise<readonly string[]> {
  const ids: string[] = [];
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let count = lane; count < TASKS; count += 8) {
      const { task_id } = await client.taskCreate({ title: `Task ${count}`, objective: "Leave a note." });
      ids.push(task_id);
    }
  });
  await Promise.all(lanes);
  return ids;
}

async function findOutstanding(
  client: ReturnType<typeof createWorkClient>,
  ids: readonly string[],
): Promise<readonly string[]> {
  // Older ones come first, so the ends of the list tell most.
  const open: string[] = [];
  for (const [index, task_id] of ids.entries()) {
    if ((await client.taskStatus({ task_id })).status !== "completed") open.push(task_id);
    if (open.length === 5) return [...open, ...ids.slice(index + 1)];
  }
  return open;
}

async function readHistories(store: Store): Promise<readonly History[]> {
  const histories: History[] = [];
  for await (const { key, value } of store.scan({ prefix: ["run"] })) {
    const run = readRun(value);
    const journal = await readJournal(store, String(key[1]), run.run_id, { from: 0, limit: 1000 });
    histories.push({ run, events: journal.map(({ event }) => event) });
  }
  return histories;
}

function findWrongs(ids: readonly string[], histories: readonly History[]): string[] {
  const wrongs: string[] = [];
  for (const task of ids) {
    const runs = histories.filter(({ run }) => run.task_id === task).toSorted((a, b) => a.run.fence - b.run.fence);
    const completed = runs.filter(({ events }) => events.some(({ kind }) => kind === "run.completed"));
    if (completed.length !== 1) wrongs.push(`${task} was completed ${completed.length} times`);
    if (new Set(runs.map(({ run }) => run.fence)).size !== runs.length) wrongs.push(`${task} has a fence twice`);
    for (const [index, { run, events }] of runs.entries()) {
      const kinds = events.map(({ kind }) => kind);
      const end = kinds.findIndex((kind) => kind === "run.lost" || kind === "run.completed");
      const after = kinds.slice(end + 1).filter((kind) => kind !== "refused");
      if (end === -1 || after.length > 0) wrongs.push(`${run.run_id}: ${kinds.join(", ")}`);
      if (kinds.filter((kind) => kind === "run.began").length !== 1) wrongs.push(`${run.run_id} began more than once`);
      const next = runs[index + 1]?.events[0];
      if (next !== undefined && next.at < (events[end]?.at ?? ""))
        wrongs.push(`${run.run_id} ends after the next began`);
    }
  }
  return wrongs;
}

function readCompletions(output: string): string[] {
  return output.split("\n").flatMap((line) => {
    // The last line of one that was killed may be torn.
    if (!line.endsWith("}")) return [];
    const { kind, run_id } = JSON.parse(line) as { kind: string; run_id: string };
    return kind === "completed" ? [run_id] : [];
  });
}
