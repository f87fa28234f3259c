import { PassThrough } from "node:stream";
import type { CliContext } from "../../../server/cli/command.ts";
import { runCli } from "../../../server/cli/cli.ts";

/** Runs one command in this process, in a folder, at a fixed time. Returns everything that it printed. */
export async function runIn(
  folder: string,
  argv: readonly string[],
  given: Partial<CliContext> = {},
): Promise<{ code: number; printed: string }> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await runCli(argv, {
    environment: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    folder,
    input: () => new PassThrough(),
    out: print,
    err: print,
    now: () => Date.UTC(2026, 5, 1),
    stopped: () => new Promise<void>(() => undefined),
    ...given,
  });
  return { code, printed: lines.join("\n") };
}
