import { setTimeout } from "node:timers/promises";
import { createWorkClient, createWorker } from "../../server/worker/public.ts";

/** Milliseconds between two notes. */
const WRITE_MS = 100;

/** A worker of somebody's own, as a process: leaves notes for some milliseconds, and completes. Tells what happens. */
const [url = "", workerId = "", slowestMs = "20", fastestMs = "0"] = process.argv.slice(2);
const client = createWorkClient({ url });
const worker = createWorker({
  client,
  workerId,
  pollInterval: 100,
  // It does not mind being told that its lease is lost: the service has to.
  execute: async ({ run_id }) => {
    const end = performance.now() + Number(fastestMs) + Math.random() * (Number(slowestMs) - Number(fastestMs));
    for (let count = 0; ; count++) {
      await client.artifactWrite({ run_id, name: "notes.md", content: `Note ${count} of ${workerId}.` });
      const left = end - performance.now();
      if (left <= 0) return { status: "completed", summary: workerId };
      await setTimeout(Math.min(left, WRITE_MS));
    }
  },
  onEvent: ({ kind, task_id, run_id, message }) => {
    if (kind !== "idle") process.stdout.write(`${JSON.stringify({ kind, task_id, run_id, message })}\n`);
  },
});
process.on("SIGTERM", () => void worker.stop());
await worker.start();
