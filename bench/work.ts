/**
 * How many tasks a second are claimed: by one process straight on the store, and by four processes over HTTP.
 * `node bench/work.ts [tasks]`. Every claim is flushed to the disk twice, when it is leased and when its run is written.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLmdbStore } from "../server/store/lmdb/lmdb.ts";
import type { Store } from "../server/store/store.ts";
import { claimTask } from "../server/capabilities/work/claim-task.ts";
import { createTask } from "../server/capabilities/work/create-task.ts";
import { completeTask } from "../server/capabilities/work/end-task.ts";
import { createWorkClient } from "../server/worker/work-client.ts";
import { startCairn } from "../test/helpers/cairn.ts";
import { createShared } from "../test/helpers/temporary.ts";
import { createWorkAgent } from "../test/helpers/work-agent.ts";
import { ADA, createWorkBench } from "../test/helpers/work-bench.ts";

const CLIENTS = 4;
/** Claims that a client has under way at a time; the one process on the store has those of all. */
const LANES = 8;
/** Claims a second that the kernel must reach. */
const GOAL = 500;

const [role = "2000", target = "", worker = ""] = process.argv.slice(2);
if (role === "store") await claimFromStore(target, worker);
else if (role === "service") await claimFromService(target, worker);
else await compare(Number(role));

async function compare(tasks: number): Promise<void> {
  const { atEnd, undoAll } = createShared();
  const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
  try {
    const store = await openLmdbStore({ directory: folder });
    await fill(tasks, () =>
      actOn(store)(ADA, (desk) => createTask(desk, { title: "A task", objective: "Be claimed." })),
    );
    await store.admin.close();
    const kernel = await measure("store", folder, tasks, 1);
    const cairn = await startCairn(
      ["serve", await createWorkAgent({ atEnd })],
      { CAIRN_DATA: join(folder, "data") },
      atEnd,
    );
    const client = createWorkClient({ url: cairn.url });
    await fill(tasks, () => client.taskCreate({ title: "A task", objective: "Be claimed." }));
    const http = await measure("service", cairn.url, tasks, CLIENTS);
    const passed = kernel.claims >= GOAL;
    process.stdout.write(
      `kernel: ${kernel.claims} claims/s, ${kernel.ends} completions/s; at least ${GOAL}: ${passed ? "pass" : "FAIL"}\n` +
        `HTTP: ${http.claims} claims/s, ${http.ends} completions/s\n`,
    );
    process.exitCode = passed ? 0 : 1;
  } finally {
    await undoAll();
    await rm(folder, { recursive: true });
  }
}

async function fill(tasks: number, create: () => Promise<unknown>): Promise<void> {
  // The first opens the queue, which the others would all want to do.
  await create();
  let left = tasks - 1;
  await Promise.all(
    Array.from({ length: 4 * LANES }, async () => {
      while (left-- > 0) await create();
    }),
  );
}

/** All processes begin at once, first to claim and then to complete; each says how many it did. */
async function measure(
  part: string,
  where: string,
  tasks: number,
  processes: number,
): Promise<{ claims: number; ends: number }> {
  const children = Array.from({ length: processes }, (_, index) =>
    fork(import.meta.filename, [part, where, `w${index}`], { stdio: ["ignore", "inherit", "inherit", "ipc"] }),
  );
  const exits = Promise.all(children.map((child) => once(child, "exit")));
  await Promise.all(children.map((child) => once(child, "message")));
  const phase = async () => {
    const began = performance.now();
    const counts = children.map(async (child) => Number((await once(child, "message"))[0]));
    for (const child of children) child.send("go");
    const done = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    if (done !== tasks) throw new Error(`${done} of ${tasks} tasks`);
    return Math.round((done * 1000) / (performance.now() - began));
  };
  const [claims, ends] = [await phase(), await phase()];
  await exits;
  return { claims, ends };
}

interface Held {
  readonly task_id: string;
  readonly run_id: string;
}

async function takePart(
  lanes: number,
  claim: () => Promise<Held | undefined>,
  complete: (held: Held) => Promise<unknown>,
) {
  const held: Held[] = [];
  const inLanes = (work: () => Promise<void>) => Promise.all(Array.from({ length: lanes }, work));
  const go = once(process, "message");
  process.send?.("ready");
  await go;
  await inLanes(async () => {
    for (let next = await claim(); next !== undefined; next = await claim()) held.push(next);
  });
  const count = held.length;
  const goOn = once(process, "message");
  process.send?.(count);
  await goOn;
  await inLanes(async () => {
    for (let next = held.pop(); next !== undefined; next = held.pop()) await complete(next);
  });
  process.send?.(count);
  process.disconnect();
}

async function claimFromStore(directory: string, workerId: string): Promise<void> {
  const store = await openLmdbStore({ directory });
  const act = actOn(store);
  await takePart(
    CLIENTS * LANES,
    async () => {
      const claimed = await act(ADA, (desk) => claimTask(desk, { workerId }));
      return claimed && { task_id: claimed.task.task_id, run_id: claimed.run.run_id };
    },
    ({ task_id, run_id }) =>
      act(ADA, (desk) =>
        completeTask(desk, { taskId: task_id, runId: run_id, status: "completed", summary: "Done.", workerId }),
      ),
  );
  await store.admin.close();
}

async function claimFromService(url: string, worker_id: string): Promise<void> {
  const client = createWorkClient({ url });
  await takePart(
    LANES,
    async () => {
      const claimed = await client.taskClaim({ worker_id });
      return claimed.task === null ? undefined : claimed;
    },
    ({ task_id, run_id }) =>
      client.taskComplete({ task_id, run_id, status: "completed", result_summary: "Done.", worker_id }),
  );
}

function actOn(store: Store) {
  const clock = {
    get at() {
      return Date.now();
    },
    set at(_at: number) {
      throw new TypeError("time passes by itself");
    },
  };
  return createWorkBench(store, clock).act;
}
