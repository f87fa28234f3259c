import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { followPage } from "../helpers/follow-page.ts";

test("docs/work.md: every command answers as the page shows", { timeout: 480_000 }, async (context) => {
  if (spawnSync("bwrap", ["--version"]).status !== 0) {
    if (process.env["CI"] !== undefined) throw new Error("bubblewrap is not installed");
    process.stderr.write(`SKIPPED "${context.task.name}": bubblewrap is not installed\n`);
    return context.skip("bubblewrap is not installed");
  }
  expect(await followPage("docs/work.md")).toBeGreaterThan(10);
});
