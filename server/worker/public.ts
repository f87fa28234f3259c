/** All of `cairn-gitops/worker`, for people's own workers. */
export { createWorkClient, type CallOptions, type WorkClient, type WorkClientOptions } from "./work-client.ts";
export { createWorker, type Worker, type WorkerOptions } from "./worker.ts";
export { type Execute, type ExecuteContext, type Outcome } from "./execute.ts";
export type { WorkerEvent } from "./worker-event.ts";
export type * from "./work-tools.ts";
