import type { CliContext } from "./command.ts";

/** Milliseconds between lines about work that takes long. */
const EVERY_MS = 5_000;

/** Says on standard error how far long work has come, every few seconds and never for short work. */
export function createProgress({ err, now }: Pick<CliContext, "err" | "now">): (text: string) => void {
  let saidAt = now();
  return (text) => {
    if (now() - saidAt < EVERY_MS) return;
    saidAt = now();
    err(`cairn: ${text}`);
  };
}

/** Aborts when the process is asked to end. */
export function toSignal({ stopped }: Pick<CliContext, "stopped">): AbortSignal {
  const stopping = new AbortController();
  void stopped().then(() => stopping.abort());
  return stopping.signal;
}
