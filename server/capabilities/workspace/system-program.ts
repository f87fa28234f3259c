import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CairnError } from "../../errors.ts";

/** Search path for programs of the system: no folder that a repository or a user can change. */
export const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const TIMEOUT_MS = 60_000;
const run = promisify(execFile);

/**
 * Runs a program of the system that walks a tree which a command has written: these keep to open folders on their way
 * down, so that neither depth nor symlinks lead them astray.
 */
export async function runSystemProgram(program: "chown" | "chmod" | "rm", args: readonly string[]): Promise<void> {
  const options = {
    cwd: "/",
    env: { PATH: SYSTEM_PATH, LC_ALL: "C" },
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL" as const,
  };
  await run(program, [...args], options).catch((cause: unknown) => {
    throw new CairnError("INTERNAL_ERROR", `\`${program}\` failed on a workspace.`, { cause });
  });
}
