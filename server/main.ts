import { runCli } from "./cli/cli.ts";

/** The process around the `cairn` command: its arguments, streams and signals. */
export async function main(argv: readonly string[]): Promise<void> {
  const stopping = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.resolve());
  // Whoever read what we print is gone, and so is the reason to go on.
  process.stdout.on("error", () => stopping.resolve());
  process.exitCode = await runCli(argv, {
    environment: process.env,
    folder: process.cwd(),
    input: () => process.stdin,
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    stopped: () => stopping.promise,
  });
}
