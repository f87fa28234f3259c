import { runCli } from "./cli/cli.ts";

/** As shells tell of a process that a signal ended. */
const EXIT_AT_ONCE = 130;

/** The process around the `cairn` command: its arguments, streams and signals. */
export async function main(argv: readonly string[]): Promise<void> {
  const stopping = Promise.withResolvers<void>();
  let asked = false;
  const stop = () => {
    // Asked twice, somebody does not want to wait; what is not written then was not answered either.
    if (asked) process.exit(EXIT_AT_ONCE);
    asked = true;
    stopping.resolve();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  // Whoever read what we print is gone, and so is the reason to go on.
  process.stdout.on("error", () => stopping.resolve());
  process.exitCode = await runCli(argv, {
    environment: process.env,
    folder: process.cwd(),
    input: () => process.stdin,
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    isTerminal: process.stdout.isTTY === true,
    now: Date.now,
    stopped: () => stopping.promise,
  });
}
