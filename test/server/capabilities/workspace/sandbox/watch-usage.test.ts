import { statfs, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMAND_LIMITS } from "../../../../../server/capabilities/workspace/limits.ts";
import { isOverfull, watchUsage } from "../../../../../server/capabilities/workspace/sandbox/watch-usage.ts";
import { temporaryFolder } from "../../../../helpers/temporary.ts";

const LIMITS = { ...COMMAND_LIMITS, memoryBytes: Infinity, workspaceFiles: 500 };

/** Some file systems do not. */
const countsFiles = (await statfs(tmpdir())).files > 0;

test.skipIf(!countsFiles)("too many files are found before a walk is due", async () => {
  const folder = await temporaryFolder();
  const over = new AbortController();
  // A clock that stands still: no walk ever becomes due.
  const options = { pid: process.pid, tree: folder, limits: LIMITS, signal: over.signal, now: () => 0 };
  const watching = watchUsage(options).finally(() => over.abort());
  for (let made = 0; !over.signal.aborted && made < 100_000; made += 1) {
    await writeFile(join(folder, `f${made}`), "");
  }
  over.abort();
  expect(await watching).toBe("workspace");
});

test("a file of holes is as large as it says", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "sparse"), "");
  await truncate(join(folder, "sparse"), LIMITS.workspaceBytes + 1);
  expect(await isOverfull(folder, LIMITS)).toBe(true);
});
