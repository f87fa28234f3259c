import { runCli } from "./cli/cli.ts";

/** The process around the `cairn` command: its arguments, streams and signals. */
export async function main(argv: readonly string[]): Promise<void> {
  const stopping = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.resolve());
  process.exitCode = await runCli(argv, {
    environment: process.env,
    folder: process.cwd(),
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    stopped: () => stopping.promise,
  });
}
