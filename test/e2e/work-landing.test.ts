import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LandingService, openLandingService } from "../helpers/landing-service.ts";
import { createShared } from "../helpers/temporary.ts";

const shared = createShared();
let service: LandingService;

beforeAll(async () => {
  service = await openLandingService({ atEnd: shared.atEnd });
});
afterAll(shared.undoAll);

const patchOf = (path: string, line: string) => `diff --git a/${path} b/${path}
new file mode 100644
--- /dev/null
+++ b/${path}
@@ -0,0 +1 @@
+${line}
`;
const diffOf = (path: string, line: string) => `Apply this diff:\n\n\`\`\`diff\n${patchOf(path, line)}\`\`\`\n`;

/** Does in words what a worker of one's own does: it changes the workspace, plans and reports that, and has the steps done. */
async function work(run_id: string, task_id: string, path: string, line: string) {
  const { call, advance } = service;
  const report = { schema_version: 1, task_id, run_id, timestamps: { created_at: "2026-01-01T00:00:00Z" } };
  const common = { ...report, metrics: {}, warnings: [], errors: [] };
  const write = async (name: string, more: object) => {
    const content = JSON.stringify({ ...common, ...more });
    expect((await call("wim", "artifact_write", { run_id, name, content })).status).toBe(200);
  };
  await write("plan.json", { status: "planned", objective: "x", files: [path], instructions: "x" });
  const patched = await call("wim", "fs_apply_patch", { run_id, patch: patchOf(path, line) });
  expect([patched.status, patched.body.status]).toEqual([200, "applied"]);
  await write("executor_report.json", { status: "completed" });
  return advance(run_id);
}

describe("a run of the workflow `change`", { timeout: 120_000 }, () => {
  test("lands its change, and its record says as what", async () => {
    const { call, begin, advance, settled, origin } = service;
    const { task_id, run_id } = await begin("ada", diffOf("docs/hello.md", "Hello!"), "Say hello");
    expect(await advance(run_id)).toMatchObject({ state: "blocked", step: "propose" });
    const { status, run } = await settled("ada", task_id, (body) => body.status !== "blocked");
    expect([status, run.status]).toEqual(["completed", "completed"]);
    const commit = (await origin.git("rev-parse", "main")).trim();
    expect(run.proposal).toMatchObject({ state: "landed", base: "main", commit });
    expect(await origin.git("show", "main:docs/hello.md")).toBe("Hello!");
    expect(await origin.git("log", "-1", "--format=%B", "main")).toContain(`Cairn-Work: ${run_id}`);
    const { body } = await call("ada", "run_report", { run_id });
    expect(body.landing).toMatchObject({ state: "landed", commit, since: expect.any(String), approval: null });
    expect(body.markdown).toMatch(/## Landing\n\nIt has landed, since /);
  });

  test("makes a version of what changes one", async () => {
    const { begin, advance, settled, origin } = service;
    const before = await origin.git("show", "main:tools/_lib/words.ts");
    const objective = `Apply this diff:\n\n\`\`\`diff\n--- a/tools/_lib/words.ts\n+++ b/tools/_lib/words.ts\n@@ -1 +1 @@\n-${before.trim()}\n+${before.trim().replace("}", ', fr: "Salut" }')}\n\`\`\`\n`;
    const { task_id, run_id } = await begin("ada", objective);
    await advance(run_id);
    const { run } = await settled("ada", task_id, (body) => body.status !== "blocked");
    expect(run.proposal).toMatchObject({ state: "live", version: "1.0.1" });
    expect(await origin.git("tag", "--list")).toContain("v1.0.1");
    // The page of the task is left out of what lands, and so is its mention.
    expect(await origin.git("show", "main:versions.yaml")).not.toContain("_SPEC.md");
  });

  test("lands what somebody approved on a base that others have moved meanwhile, and nobody who made it approves it", async () => {
    const { call, begin, advance, settled, chat, origin } = service;
    const { task_id, run_id } = await begin("ada", "Set the default limit of task_list to 20.", "Shorter lists");
    await advance(run_id);
    const { run } = await settled("ada", task_id, ({ run: { proposal } }) => proposal?.state === "approval");
    const moved = await chat("ada", { message: 'Set the title of runner.greet to "When we are open".' });
    expect(moved.body.result).toBe("committed");
    const ids = { task_id: run.proposal.feedback, run_id: run.proposal.run_id };
    // The worker's owner may approve other changes, and its name is no other person's.
    for (const [who, approver] of [
      ["wim", "Wim"],
      ["pat", "w1"],
    ] as const) {
      const refused = await call(who, "approval_write", { ...ids, approver, reason: "Mine." });
      expect([who, refused.status]).toEqual([who, 403]);
    }
    const approved = await call("pat", "approval_write", { ...ids, approver: "Pat", reason: "Long lists are slow." });
    expect(approved.status).toBe(200);
    const done = await settled("ada", task_id, ({ status }) => status !== "blocked");
    expect([done.status, done.run.proposal.state]).toEqual(["completed", "live"]);
    expect(await origin.git("show", "main:manifests/work/task_list.yaml")).toContain("default: 20");
    expect(await origin.git("show", "main:manifests/runner/greet.yaml")).toContain("When we are open");
  });

  test("waits for a person who has neither asked for it nor made it, where a worker did what the words do not say", async () => {
    const { call, begin, advance, settled, origin } = service;
    const { task_id, run_id } = await begin("mia", "Let people know who may greet.");
    const path = "manifests/policies/more.yaml";
    // The gate of the run asks first.
    const line = "roles: { guest: [tool:runner.greet] }";
    expect(await work(run_id, task_id, path, line)).toMatchObject({ state: "blocked", step: "gate" });
    const asked = { task_id, run_id, approver: "Pat", reason: "Guests only greet." };
    expect((await call("pat", "approval_write", asked)).status).toBe(200);
    expect((await call("wim", "task_claim", { worker_id: "w1" })).body.run_id).toBe(run_id);
    expect(await advance(run_id)).toMatchObject({ state: "blocked", step: "propose" });
    const { run } = await settled("ada", task_id, ({ run: { proposal } }) => proposal.state === "approval");
    // This run cannot be approved a second time: what waits is its proposal.
    const again = await call("pat", "approval_write", asked);
    expect([again.status, JSON.stringify(again.body)]).toEqual([409, expect.stringContaining(run.proposal.run_id)]);
    const decided = { ...asked, task_id: run.proposal.feedback, run_id: run.proposal.run_id };
    expect((await call("pat", "approval_write", decided)).status).toBe(200);
    const done = await settled("ada", task_id, (now) => now.status !== "blocked");
    expect(done.run.proposal).toMatchObject({ state: "live" });
    expect(await origin.git("show", `main:${path}`)).toBe(line);
    const { body } = await call("ada", "run_report", { run_id });
    expect(body.landing.approval).toMatchObject({ decision: "approved", by: "Pat (pat)" });
  });

  test("does not land by the approval of those who have asked for it or made it", async () => {
    const { call, begin, advance, settled, origin } = service;
    const { task_id, run_id } = await begin("mia", "Let people know who may greet.");
    const path = "manifests/policies/mine.yaml";
    await work(run_id, task_id, path, "roles: { guest: [tool:runner.greet] }");
    const asked = { task_id, run_id, approver: "Mia", reason: "It is mine." };
    expect((await call("pat", "approval_write", asked)).status).toBe(200);
    await call("wim", "task_claim", { worker_id: "w1" });
    await advance(run_id);
    const { run } = await settled("ada", task_id, ({ run: { proposal } }) => proposal.state === "approval");
    const decided = { ...asked, task_id: run.proposal.feedback, run_id: run.proposal.run_id };
    expect((await call("mia", "approval_write", decided)).status).toBe(403);
    expect((await call("wim", "approval_write", decided)).status).toBe(403);
    // Nothing came of that: somebody else may still decide.
    const rejected = await call("pat", "approval_write", { ...decided, decision: "rejected" });
    expect(rejected.status).toBe(200);
    expect((await settled("ada", task_id, (now) => now.status !== "blocked")).status).toBe("rejected");
    await expect(origin.git("show", `main:${path}`)).rejects.toThrow(path);
  });

  test.each([
    ["gives its worker rights", "manifests/policies/own.yaml", 'roles: { critic: ["*"] }', "could approve"],
    ["runs on the forge", ".github/workflows/own.yml", "on: push", ".github/workflows/own.yml"],
    ["is outside of what is served", "hello.md", "Hello!", "hello.md"],
  ])("goes back to the workers with the findings where it %s", async (_, path, line, finding) => {
    const { call, begin, advance, settled, origin } = service;
    const main = await origin.git("rev-parse", "main");
    const { task_id, run_id } = await begin("ada", "Have the agent greet in more ways.");
    const { step } = await work(run_id, task_id, path, line);
    if (step === "gate") {
      await call("pat", "approval_write", { task_id, run_id, approver: "Pat", reason: "I did not look." });
      await call("wim", "task_claim", { worker_id: "w1" });
      await advance(run_id);
    }
    const { status, run, result_summary } = await settled("ada", task_id, (now) => now.status !== "blocked");
    expect([status, run.status, run.proposal.state]).toEqual(["pending", "failed", "refused"]);
    expect(result_summary).toContain(finding);
    expect(await origin.git("rev-parse", "main")).toBe(main);
    // The next attempt has them before it begins.
    const next = (await call("wim", "task_claim", { worker_id: "w1" })).body;
    expect([next.task_id, next.task.result_summary]).toEqual([task_id, result_summary]);
    await call("ada", "task_cancel", { task_id, reason: "Enough." });
  });

  test("is refused for good where its words themselves say what cannot land", async () => {
    const { begin, advance, settled } = service;
    const { task_id, run_id } = await begin("ada", diffOf("docs/hello.md", "Hello once more!"));
    await advance(run_id);
    const { status, run } = await settled("ada", task_id, (now) => now.status !== "blocked");
    expect([status, run.status, run.proposal.state]).toEqual(["rejected", "rejected", "refused"]);
    expect(run.proposal.reason).toContain("`main` has changed `docs/hello.md`");
  });

  test("is refused for good where its words are a diff that no feedback may land, however often that is approved", async () => {
    const { begin, advance, call, settled } = service;
    const { task_id, run_id } = await begin("ada", diffOf(".github/workflows/own.yml", "on: push"));
    expect(await advance(run_id)).toMatchObject({ state: "blocked", step: "gate" });
    const approval = { task_id, run_id, approver: "Pat", reason: "Why not." };
    expect((await call("pat", "approval_write", approval)).status).toBe(200);
    expect((await call("wim", "task_claim", { worker_id: "w1" })).body.run_id).toBe(run_id);
    await advance(run_id);
    const { status, run, attempts } = await settled("ada", task_id, (now) => now.status !== "blocked");
    expect([status, attempts, run.proposal.state]).toEqual(["rejected", 1, "refused"]);
    expect(run.proposal.reason).toContain("`.github/workflows/own.yml` cannot be changed by feedback");
  });

  test.each([
    ["rob", "who has created it may not", "`rob`, who has created this task, may not have the repository changed"],
    ["eve", "it was created with a token of the work server", "`eve`, who has created this task"],
  ])("is left to people where %s: %s", async (who, _, reason) => {
    const { begin, advance, call, origin } = service;
    const main = await origin.git("rev-parse", "main");
    const { task_id, run_id } = await begin(who, diffOf("docs/other.md", "Hello!"));
    expect(await advance(run_id)).toMatchObject({ state: "done" });
    const done = { task_id, run_id, worker_id: "w1", status: "completed", result_summary: "Done." };
    expect((await call("wim", "task_complete", done)).status).toBe(200);
    const { run } = (await call("ada", "task_status", { task_id })).body;
    expect(run.proposal).toMatchObject({ state: "by_hand", feedback: null, reason: expect.stringContaining(reason) });
    expect(run.proposal.reason).toContain("git apply");
    expect(await origin.git("rev-parse", "main")).toBe(main);
  });

  test("does not land once its task is cancelled", async () => {
    const { begin, call, settled, advance, origin } = service;
    const main = await origin.git("rev-parse", "main");
    const { task_id, run_id } = await begin("mia", "Let people know who may greet.");
    await work(run_id, task_id, "manifests/policies/third.yaml", "roles: { guest: [tool:runner.greet] }");
    await call("pat", "approval_write", { task_id, run_id, approver: "Pat", reason: "Good." });
    await call("wim", "task_claim", { worker_id: "w1" });
    await advance(run_id);
    const { run } = await settled("ada", task_id, ({ run: { proposal } }) => proposal.state === "approval");
    expect((await call("mia", "task_cancel", { task_id, reason: "Not now." })).status).toBe(200);
    const { feedback, run_id: architect } = run.proposal;
    const late = { task_id: feedback, run_id: architect, approver: "Pat", reason: "Good." };
    expect((await call("pat", "approval_write", late)).status).toBe(409);
    expect((await call("ada", "task_status", { task_id: feedback })).body.status).toBe("cancelled");
    expect((await call("ada", "task_status", { task_id })).body).toMatchObject({ status: "cancelled" });
    expect(await origin.git("rev-parse", "main")).toBe(main);
  });
});
