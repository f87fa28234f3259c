import { spawnSync } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { TestContext } from "vitest";
import { temporaryFolder } from "./temporary.ts";

/** A program to be run in place of Node, and the folder that its processes dump their cores in. */
export interface PreloadedNode {
  readonly program: string;
  readonly folder: string;
}

/**
 * A Node with a library of `test/fixtures/native` in front of its C library. The library is compiled here: without a C
 * compiler the test is skipped and says so, but in continuous integration it fails.
 */
export async function createPreloadedNode(context: TestContext, source: string): Promise<PreloadedNode> {
  const folder = await temporaryFolder();
  const library = join(folder, "preloaded.so");
  const path = resolve("test/fixtures/native", source);
  const made = spawnSync("cc", ["-shared", "-fPIC", "-O2", "-o", library, path, "-ldl"]);
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
  return { program, folder };
}
