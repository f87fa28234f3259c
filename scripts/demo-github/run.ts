import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Of this checkout. */
const COMMAND = fileURLToPath(new URL("../../bin/cairn.mjs", import.meta.url));

/** Runs a program and returns its trimmed output; rejects when it fails. */
export async function run(program: string, args: readonly string[], folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder });
  return stdout.trim();
}

/** The `cairn` command of this checkout: whether it succeeded, and what it printed. */
export async function cairn(args: readonly string[], folder: string): Promise<{ ok: boolean; text: string }> {
  return promisify(execFile)(process.execPath, [COMMAND, ...args], { cwd: folder }).then(
    ({ stdout }) => ({ ok: true, text: stdout.trim() }),
    (error: { stdout: string }) => ({ ok: false, text: error.stdout.trim() }),
  );
}
