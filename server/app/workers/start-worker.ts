import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { WORKER_PIPE } from "../../config/worker-pipe.ts";
import type { StartWorker } from "./open-slot.ts";

/** Descriptor at which a worker has the pipe to its primary. */
const PIPE = 3;

/** Creates what starts processes of workers, by the program and the arguments that this process was started with. */
export function createStartWorker([program = "", ...args]: readonly string[], folder: string): StartWorker {
  return (environment) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...environment, [WORKER_PIPE]: String(PIPE) },
      // The pipe is a pair of sockets without a name, so nobody else can come by it; it ends with either process.
      stdio: ["ignore", "ignore", "inherit", "pipe"],
      // A terminal asks all of its processes to end, and the primary asks its workers: twice would mean at once.
      detached: true,
    });
    const socket = child.stdio[PIPE];
    if (!(socket instanceof Socket)) throw new TypeError("A child's pipe is no socket.");
    const ended = new Promise<Awaited<ReturnType<StartWorker>["ended"]>>((resolve) => {
      child.once("error", (error) => resolve({ code: null, signal: error.message }));
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    return { socket, ended, kill: () => void child.kill("SIGKILL") };
  };
}
