import { spawnSync } from "node:child_process";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { TestContext } from "vitest";
import { temporaryFolder } from "./temporary.ts";

const SOURCE = resolve("test/fixtures/native/slow-maps.c");

/** A Node whose processes take long over LMDB's file. */
export interface SlowNode {
  /** To be run in place of Node. */
  readonly program: string;
  /** Core dumps of processes that have crashed, where the system leaves them beside processes. */
  findCores(): Promise<readonly string[]>;
}

/**
 * A Node whose processes take long over LMDB's file, and leave core dumps when they crash. It is compiled here: without a C compiler the test is skipped and says so, but in continuous integration.
 */
export async function createSlowNode(context: TestContext): Promise<SlowNode> {
  const folder = await temporaryFolder();
  const library = join(folder, "slow-maps.so");
  const made = spawnSync("cc", ["-shared", "-fPIC", "-O2", "-o", library, SOURCE, "-ldl"]);
  if (made.status !== 0) {
    const reason = `needs a C compiler: ${made.error?.message ?? String(made.stderr).trim()}`;
    if (process.env["CI"] !== undefined) throw new Error(reason);
    process.stderr.write(`SKIPPED "${context.task.name}": ${reason}\n`);
    return context.skip(reason);
  }
  const program = join(folder, "node");
  await writeFile(
    program,
    `#!/bin/sh\ncd '${folder}'\nulimit -c unlimited\nLD_PRELOAD='${library}' exec '${process.execPath}' "$@"\n`,
  );
  await chmod(program, 0o700);
  return {
    program,
    async findCores() {
      const pattern = (await readFile("/proc/sys/kernel/core_pattern", "utf8")).trim();
      if (/^[|/]/.test(pattern)) return [];
      return (await readdir(folder)).filter((name) => name.startsWith(pattern.replace(/%.*/, "")));
    },
  };
}
