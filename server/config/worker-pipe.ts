import type { Environment } from "./config.ts";

/** Variable by which a primary says at which descriptor its worker has their pipe. */
export const WORKER_PIPE = "CAIRN_WORKER_PIPE";

/** Finds the descriptor of the pipe to the primary; `undefined` for a process that is no worker. */
export function findWorkerPipe(environment: Environment): number | undefined {
  const text = environment[WORKER_PIPE];
  return text === undefined ? undefined : Number(text);
}
