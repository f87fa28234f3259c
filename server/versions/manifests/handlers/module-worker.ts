import { parentPort } from "node:worker_threads";
import { initSync } from "es-module-lexer";
import { type ModuleRead, readModule } from "./read-module.ts";

/** Undefined after a crash that leaves this thread unable to read anything else. */
export type WorkerAnswer = ModuleRead | undefined;

initSync();
parentPort?.on("message", ({ path, text }: { path: string; text: string }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(read(path, text));
});

function read(path: string, text: string): WorkerAnswer {
  try {
    return readModule(path, text);
  } catch {
    // Whatever it was, it was no syntax error: a new thread is cheaper than finding out whether this one still works.
    return undefined;
  }
}
