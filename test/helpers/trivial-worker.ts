import { setTimeout } from "node:timers/promises";
import { createWorkClient, createWorker } from "../../server/worker/public.ts";

/** A worker of somebody's own, as a process: leaves a note and completes, within some milliseconds. Tells each completion. */
const [url = "", workerId = "", slowestMs = "20", fastestMs = "0"] = process.argv.slice(2);
const client = createWorkClient({ url });
const worker = createWorker({
  client,
  workerId,
  pollInterval: 100,
  execute: async ({ run_id }, { signal }) => {
    await client.artifactWrite({ run_id, name: "notes.md", content: `By ${workerId}.` }, { signal });
    const ms = Number(fastestMs) + Math.random() * (Number(slowestMs) - Number(fastestMs));
    await setTimeout(ms, undefined, { signal });
    return { status: "completed", summary: workerId };
  },
  onEvent: ({ kind, task_id, run_id, message }) => {
    if (kind !== "idle") process.stdout.write(`${JSON.stringify({ kind, task_id, run_id, message })}\n`);
  },
});
process.on("SIGTERM", () => void worker.stop());
await worker.start();
