import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const POLICY = "manifests/policies/access.yaml";
const allowNode = (policy: string) =>
  policy.replace(/^commands:\n/m, "commands:\n  - { program: node, arguments: [-e] }\n");
const work = useWork({ workspaces: true, commands: true, changes: { [POLICY]: allowNode } });

/** A command that tries to write a file, and says what came of it. */
function write(path: string): readonly string[] {
  const name = JSON.stringify(path);
  const program = `try { require("fs").writeFileSync(${name}, "1"); console.log("written") } catch (e) { console.log(e.code) }`;
  return ["node", "-e", program];
}

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

  test("[W4] [W10] shows the workspace read-only until there is a plan, and leaves a place for temporary files", async () => {
    if (!work.hasSandbox()) return;
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    const tell = async (path: string) => (await work.output("exec_run", { run_id, command: write(path) }))["stdout"];
    expect(await tell("stray.txt")).toBe("EROFS\n");
    expect(await tell("/tmp/kept.txt")).toBe("written\n");
    expect(await work.error("fs_read", { run_id, path: "stray.txt" })).toBe("NOT_FOUND");
    await work.plan(task_id, run_id, ["note.md"]);
    expect(await tell("note.md")).toBe("written\n");
    const { events } = await work.output("run_events", { run_id });
    const ran = (events as readonly { kind: string; details: { write?: boolean } }[]).filter(
      ({ kind }) => kind === "exec.run",
    );
    expect(ran.map(({ details }) => details.write)).toEqual([false, false, true]);
  });

  test("[W4] shows git the commit that the run began with, and none of its history", async () => {
    if (!work.hasSandbox()) return;
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    await work.plan(task_id, run_id, ["versions.yaml"]);
    const git = (...args: readonly string[]) => work.output("exec_run", { run_id, command: ["git", "diff", ...args] });
    expect(await git()).toMatchObject({ exit_code: 0, stdout: "" });
    await work.output("fs_write_file", { run_id, path: "versions.yaml", content: "None.\n" });
    expect((await git("--stat"))["stdout"]).toContain(" versions.yaml | ");
    expect((await git("HEAD", "--", "versions.yaml"))["stdout"]).toMatch(/\n\+None\.\n$/);
    expect(await git("HEAD~1")).toMatchObject({ exit_code: 128, stdout: "" });
    expect(await work.output("git_status", { run_id })).toMatchObject({ files: [{ path: "versions.yaml" }] });
  });

  test("reports that a command runs, and for how long", async () => {
    if (!work.hasSandbox()) return;
    const { run_id } = await work.claimed({ workflow: "change" });
    const reports: unknown[] = [];
    const command = ["node", "--test", "nowhere.mjs"];
    await work.checkout.call("exec_run", { run_id, command }, undefined, { onProgress: (told) => reports.push(told) });
    expect(reports[0]).toEqual({ progress: 0, message: "`node` has run for 0 s." });
  });

  test("[W10] may write beside the plan's files where there is one, and none of that can be committed", async () => {
    if (!work.hasSandbox()) return;
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    await work.plan(task_id, run_id, ["docs/note.md"]);
    await work.output("fs_write_file", { run_id, path: "docs/note.md", content: "Hello.\n" });
    await work.output("exec_run", { run_id, command: write("docs/stray.md") });
    const commit = (allowed_files: readonly string[]) =>
      work.error("git_commit", { run_id, message: "Say hello", allowed_files });
    expect(await commit(["docs/note.md"])).toBe("FORBIDDEN");
    expect(await commit(["docs/note.md", "docs/stray.md"])).toBe("FORBIDDEN");
  });

  test("[W4] changes nothing in a run whose workflow only reads, whatever its plan says", async () => {
    const { task_id, run_id } = await work.claimed({ workflow: "external" });
    await work.plan(task_id, run_id, ["versions.yaml"]);
    expect(await work.error("fs_write_file", { run_id, path: "versions.yaml", content: "1" })).toBe("FORBIDDEN");
    if (!work.hasSandbox()) return;
    const { stdout } = await work.output("exec_run", { run_id, command: write("versions.yaml") });
    expect(stdout).toBe("EROFS\n");
    expect(await work.output("git_status", { run_id })).toMatchObject({ files: [] });
  });
});
