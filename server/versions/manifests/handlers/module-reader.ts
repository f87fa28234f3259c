import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { createSerial } from "../../../serial.ts";
import { createProblem } from "../create-problem.ts";
import { START } from "../position.ts";
import type { WorkerAnswer } from "./module-worker.ts";
import type { ModuleRead } from "./read-module.ts";

export type ModuleReader = (path: string, text: string) => Promise<ModuleRead & { readonly isUncertain?: boolean }>;

/** Milliseconds for one module. */
const TIME_LIMIT = 10_000;
const MEMORY_MB = 256;
/** Milliseconds after which a worker with nothing to do ends. */
const IDLE = 5000;

/**
 * Reads modules in a thread of their own. Node's type stripper is WebAssembly: a file of a kilobyte that nests deeply
 * overflows its stack, and from then on it refuses every file of the thread, so one bad version would keep all later
 * ones from being loaded. Here such a file costs a thread, which the next one replaces.
 */
export function createModuleReader(timeLimit = TIME_LIMIT): ModuleReader {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const inTurn = createSerial();
  return (path, text) => inTurn(() => readNext(path, text));

  async function readNext(path: string, text: string): ReturnType<ModuleReader> {
    clearTimeout(idle);
    worker ??= startWorker();
    const answer = await ask(worker, { path, text }, timeLimit);
    if (typeof answer === "object") {
      idle = setTimeout(stop, IDLE).unref();
      return answer;
    }
    await stop();
    const message = "The module nests too deeply, or is otherwise too complex, to be read.";
    const fix = "Split long expressions and types into parts with names.";
    // A machine under load can make a harmless module look like one that takes too long; nothing makes one crash.
    const isUncertain = answer === "timeout";
    return { problems: [createProblem(path, START, "handler-syntax", message, fix)], isUncertain };
  }

  async function stop(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }
}

function startWorker(): Worker {
  const worker = new Worker(new URL(`./module-worker${extname(import.meta.url)}`, import.meta.url), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  worker.unref();
  return worker;
}

/** Resolves to the worker's answer; after anything else than an object it must be stopped. */
function ask(
  worker: Worker,
  question: { path: string; text: string },
  timeLimit: number,
): Promise<WorkerAnswer | "timeout"> {
  return new Promise((resolve) => {
    const finish = (answer?: WorkerAnswer | "timeout"): void => {
      clearTimeout(timer);
      worker.off("message", finish).off("error", crash).off("exit", crash);
      resolve(answer);
    };
    const crash = (): void => finish();
    // Keeps the process alive while a module is read; the worker itself does not.
    const timer = setTimeout(finish, timeLimit, "timeout");
    worker.on("message", finish).on("error", crash).on("exit", crash);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(question);
  });
}
