import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true, commands: true });

describe("exec_run", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "exec_run"));

  test("[W4] refuses a program that no policy allows", async () => {
    const { run_id } = await work.claimed({ workflow: "change" });
    expect(await work.error("exec_run", { run_id, command: ["rm", "-rf", "/"] })).toBe("FORBIDDEN");
    expect(await work.error("exec_run", { run_id, command: ["/bin/sh", "-c", "true"] })).toBe("BAD_REQUEST");
  });

  test("[W4] runs one that is allowed in the workspace, and in no other place", async () => {
    if (!work.hasSandbox()) return;
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    await work.plan(task_id, run_id, ["docs/seen.test.mjs"]);
    const content = [
      'import { existsSync, writeFileSync } from "node:fs";',
      'import test from "node:test";',
      'import assert from "node:assert/strict";',
      'test("sees its workspace", () => {',
      '  assert.ok(existsSync("versions.yaml"));',
      '  assert.ok(!existsSync("/root") && !existsSync("/etc/passwd"));',
      '  assert.throws(() => writeFileSync("/usr/escaped", ""));',
      "});",
    ].join("\n");
    await work.output("fs_write_file", { run_id, path: "docs/seen.test.mjs", content });
    const ran = await work.output("exec_run", { run_id, command: ["node", "--test", "docs/seen.test.mjs"] });
    expect(ran).toMatchObject({ exit_code: 0, timed_out: false, connections: [] });
    const { events } = await work.output("run_events", { run_id });
    expect(events).toContainEqual(
      expect.objectContaining({ kind: "exec.run", details: expect.objectContaining({ connections: [] }) }),
    );
  });
});
