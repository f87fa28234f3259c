import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  KITCHEN,
  openSpecifiedWork,
  type SpecifiedWork,
  toAddition,
  toEnd,
  toIds,
  toReplacement,
  type WorkAnswer,
} from "../../helpers/specified-work.ts";
import { createShared } from "../../helpers/temporary.ts";

/** Section 2 of the specification of tasks and runs, sentence by sentence: syscalls, git, and the one point that all syscalls pass. */

const shared = createShared();
let work: SpecifiedWork;
beforeAll(async () => {
  work = await openSpecifiedWork(shared.atEnd);
}, 60_000);
afterAll(shared.undoAll);

type Claim = WorkAnswer["body"];
const call = (run: Claim, tool: string, input: object = {}) => work.call("wim", tool, { run_id: run.run_id, ...input });
const ask = (run: Claim, tool: string, input: object = {}) => work.ask("wim", tool, { run_id: run.run_id, ...input });
const changed = async (run: Claim) =>
  (await ask(run, "git_status")).files
    .map(({ path, change }: Record<string, string>) => `${change} ${path}`)
    .toSorted();

describe("Git: git.status, git.diff, git.commit(allowed_files)", () => {
  test("[W4] status and diff have what has changed, and a commit has exactly the allowed files", async () => {
    const run = await work.beginPlanned("docs/kitchen.md", "docs/new.md");
    expect(await changed(run)).toEqual([]);
    expect(await ask(run, "git_diff")).toMatchObject({ diff: "" });
    await ask(run, "fs_write_file", { path: "docs/kitchen.md", content: "Closed.\n" });
    await ask(run, "fs_write_file", { path: "docs/new.md", content: "New.\n" });
    expect(await changed(run)).toEqual(["added docs/new.md", "modified docs/kitchen.md"]);
    const { diff } = await ask(run, "git_diff");
    expect(diff.split("\n").filter((line: string) => /^[-+][^-+]/.test(line))).toEqual([
      ...KITCHEN.trim()
        .split("\n")
        .filter(Boolean)
        .map((line) => `-${line}`),
      "+Closed.",
      "+New.",
    ]);

    const some = await call(run, "git_commit", { message: "Some.", allowed_files: ["docs/new.md"] });
    expect([some.status, some.body.detail]).toEqual([403, expect.stringContaining("docs/kitchen.md")]);
    const { commit } = await ask(run, "git_commit", {
      message: "Both.",
      allowed_files: ["docs/kitchen.md", "docs/new.md"],
    });
    const git = (...args: string[]) => work.repository.git("--git-dir", join(work.data, "mirror.git"), ...args);
    expect(await git("show", "--format=%s", "--name-status", commit)).toBe(
      "Both.\n\nM\tdocs/kitchen.md\nA\tdocs/new.md",
    );
    expect(await git("show", `${commit}:docs/kitchen.md`)).toBe("Closed.");
    expect(await git("rev-parse", `${commit}^`)).toBe(run.task.commit);
  });

  test("[W4] allowed files that the plan does not name are not allowed", async () => {
    const run = await work.beginPlanned("docs/made.md");
    await ask(run, "exec_run", { command: ["node", "--eval", 'fs.writeFileSync("docs/stray.md", "x")'] });
    expect((await call(run, "git_commit", { message: "x", allowed_files: ["docs/stray.md"] })).status).toBe(403);
  });
});

describe("Single enforcement point", () => {
  const WRITES = [
    ["fs_write_file", "fs.write_file", { path: "docs/kitchen.md", content: "x" }],
    ["fs_apply_patch", "fs.apply_patch", { patch: toReplacement("docs/kitchen.md", "a", "b") }],
    ["exec_run", "exec.run", { command: ["cat", "docs/kitchen.md"] }],
    ["git_commit", "git.commit", { message: "x", allowed_files: ["docs/kitchen.md"] }],
    ["artifact_write", "evidence.write", { name: "notes.md", content: "x" }],
    ["task_heartbeat", "lease.renew", { worker_id: "w1" }],
  ] as const;

  test.for(WRITES)(
    "[W4] %s of another worker, tenant or role is refused, and the refusal is in the journal",
    async ([tool, syscall, input]) => {
      const run = await work.beginPlanned("docs/kitchen.md");
      const at = { run_id: run.run_id, ...input };
      expect([
        (await work.call("zoe", tool, at)).status,
        (await work.call("ozan", tool, at)).status,
        (await work.call("rita", tool, at)).status,
      ]).toEqual([403, 404, 403]);
      expect(await changed(run)).toEqual([]);
      const refused = (await work.journal(run.run_id)).filter(({ kind }) => kind === "refused");
      expect(refused).toMatchObject([{ actor: "zoe", error: "FORBIDDEN", details: { syscall } }]);
    },
  );

  test("[W4] every syscall is in the journal, in the order in which it was made, whoever makes it: a worker or a step", async () => {
    const run = await work.beginPlanned("docs/new.md");
    await ask(run, "fs_read", { path: "docs/kitchen.md" });
    await ask(run, "fs_write_file", { path: "docs/new.md", content: "a\n" });
    await ask(run, "fs_apply_patch", { patch: toReplacement("docs/new.md", "a", "b") });
    await ask(run, "exec_run", { command: ["cat", "docs/new.md"] });
    await ask(run, "git_status");
    await ask(run, "git_diff");
    await ask(run, "git_commit", { message: "New.", allowed_files: ["docs/new.md"] });
    const journal = await work.journal(run.run_id);
    expect(journal.map(({ kind }) => kind)).toEqual([
      "run.began",
      "evidence.written",
      "fs.read",
      "fs.write_file",
      "fs.apply_patch",
      "exec.run",
      "git.status",
      "git.diff",
      "git.commit",
    ]);
    expect(journal[5]).toMatchObject({ actor: "wim", details: { command: ["cat", "docs/new.md"], exit_code: 0 } });
    const planned = await work.begin("risky", "```diff\n--- /dev/null\n+++ b/docs/new.md\n@@ -0,0 +1 @@\n+x\n```");
    await work.advance(planned.run_id);
    const made = (await work.journal(planned.run_id)).map(({ kind }) => kind);
    expect(made).toEqual(
      expect.arrayContaining(["fs.write_file", "fs.apply_patch", "git.status", "git.diff", "git.commit"]),
    );
  });
});

describe("Governance: migrate.check/apply", () => {
  test("[W4] check counts the records by their schema version, apply is for operators, and changes nothing that is up to date", async () => {
    await work.beginPlanned();
    const checked = await work.ask("olga", "migrate_check");
    expect(checked).toMatchObject({ schema_version: 1, outdated: 0, problems: [] });
    const { tasks } = await work.ask("rita", "task_list", { limit: 200 });
    expect(checked.records.task).toEqual({ 1: tasks.length });
    const { conversation_id: _, ...applied } = await work.ask("olga", "migrate_apply");
    expect(applied).toMatchObject({ outdated: 0, problems: [], records: { task: { 1: tasks.length } } });
    expect((await work.ask("rita", "task_list", { limit: 200 })).tasks).toEqual(tasks);
    expect((await work.call("wim", "migrate_apply")).status).toBe(403);
    expect((await work.call("rita", "migrate_check")).status).toBe(403);
  });

  test("[W4] worker.*: a worker is known with what it can do once it has asked for a task", async () => {
    await work.ask("zoe", "task_claim", { worker_id: "welder", capabilities: ["welding"], workflows: ["none-such"] });
    const { workers } = await work.ask("olga", "worker_list");
    expect(workers).toContainEqual(
      expect.objectContaining({ worker_id: "welder", actor: "zoe", capabilities: ["welding"] }),
    );
    expect((await work.call("zoe", "worker_list")).status).toBe(403);
    const { task_id } = await work.ask("rita", "task_create", {
      title: "Weld",
      objective: "Weld.",
      requires: ["welding"],
    });
    expect((await work.ask("wim", "task_claim", { worker_id: "w1", task_id })).task).toBeNull();
    expect(
      await work.ask("zoe", "task_claim", { worker_id: "welder", task_id, capabilities: ["welding"] }),
    ).toMatchObject({ task_id });
  });
});

describe("Governance: approvals.write; Approval Management: approval_write(task_id, run_id, approver, reason)", () => {
  test("[W11] approval_write creates approval.json, and the blocked run resumes where it stopped", async () => {
    const run = await work.begin("risky", toAddition("docs/danger/mine.md", "Mind the gap."));
    expect(await work.advance(run.run_id)).toMatchObject({ state: "blocked", step: "gate" });
    // It waits: for nobody but a person.
    expect(await work.ask("zoe", "task_claim", { worker_id: "w2", task_id: run.task_id })).toMatchObject({
      task: null,
    });
    expect((await work.call("wim", "run_advance", { run_id: run.run_id })).status).toBe(409);
    const decision = { ...toIds(run), approver: "pat", reason: "I have read it." };
    for (const who of ["rita", "wim"] as const)
      expect((await work.call(who, "approval_write", decision)).status).toBe(403);
    expect(
      (await work.ask("rita", "artifact_read", { ...toIds(run), artifact_name: "approval.json" })).error,
    ).toBeTruthy();

    const before = (await work.journal(run.run_id)).length;
    expect(await work.ask("pat", "approval_write", decision)).toMatchObject({
      ...toIds(run),
      approver: "pat",
      status: "approved",
    });
    expect(JSON.parse(await work.read(run, "approval.json"))).toMatchObject({
      ...decision,
      status: "approved",
      approved_by: "pat",
    });
    expect((await work.call("pat", "approval_write", decision)).status).toBe(409);

    const resumed = await work.ask("wim", "task_claim", { worker_id: "w1", task_id: run.task_id });
    expect(resumed.run_id).toBe(run.run_id);
    expect(await work.advance(run.run_id)).toMatchObject({ state: "done" });
    await work.ask("wim", "task_complete", toEnd(run));
    const since = (await work.journal(run.run_id)).slice(before).filter(({ kind }) => kind === "step.began");
    expect(since.map(({ details }) => (details as { step: string }).step)).toEqual(["gate"]);
    expect(JSON.parse(await work.read(run, "gate_report.json"))).toMatchObject({
      status: "passed",
      risk_level: "high",
    });
  });

  test("[W11] a run that waits for nobody cannot be approved, and a rejected one never goes on", async () => {
    const plain = await work.begin("plain");
    const decision = { approver: "pat", reason: "Why not." };
    expect((await work.call("pat", "approval_write", { ...toIds(plain), ...decision })).status).toBe(409);
    const run = await work.begin("risky", toAddition("docs/danger/field.md", "Mines."));
    await work.advance(run.run_id);
    await work.ask("pat", "approval_write", { ...toIds(run), ...decision, decision: "rejected" });
    expect(await work.ask("zoe", "task_claim", { worker_id: "w2", task_id: run.task_id })).toMatchObject({
      task: null,
    });
    expect(await work.ask("rita", "task_status", { task_id: run.task_id })).toMatchObject({ status: "rejected" });
  });
});
