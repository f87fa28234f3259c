import { spawnSync } from "node:child_process";
import { onTestFinished, type TestContext } from "vitest";
import { temporaryFolder } from "./temporary.ts";

/** A disk of so many MiB, for the current test; without the right to mount one the test is skipped, and says so. */
export async function openSmallDisk(context: TestContext, size = 8): Promise<string> {
  const folder = await temporaryFolder();
  const { status, stderr, error } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}m`, "tmpfs", folder]);
  if (status !== 0) {
    const reason = `needs a small disk: ${error?.message ?? String(stderr).trim()}`;
    process.stderr.write(`SKIPPED "${context.task.name}": ${reason}\n`);
    return context.skip(reason);
  }
  onTestFinished(() => void spawnSync("umount", ["-l", folder]));
  return folder;
}
