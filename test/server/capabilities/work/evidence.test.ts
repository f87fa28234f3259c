import { describe, expect, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import { approveRun } from "../../../../server/capabilities/work/approve-run.ts";
import { claimTask } from "../../../../server/capabilities/work/claim-task.ts";
import { createTask } from "../../../../server/capabilities/work/create-task.ts";
import { findRun, findTask } from "../../../../server/capabilities/work/desk.ts";
import { completeTask } from "../../../../server/capabilities/work/end-task.ts";
import { ARTIFACT_BYTES, readArtifact, writeArtifact } from "../../../../server/capabilities/work/evidence.ts";
import { judgeRun, specPath, toRiskLevel } from "../../../../server/capabilities/work/gate.ts";
import { readJournal } from "../../../../server/capabilities/work/journal.ts";
import { noteRefusal } from "../../../../server/capabilities/work/note-refusal.ts";
import { beginStep, endStep } from "../../../../server/capabilities/work/steps.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { ADA, BOB, createWorkBench, EVE } from "../../../helpers/work-bench.ts";

interface Options {
  readonly requester?: { readonly tenant: string; readonly actor: string };
  readonly selfApproval?: boolean;
  readonly skippedChecks?: boolean;
}

async function setUp(workflow = "change", { requester = ADA, ...options }: Options = {}) {
  const clock = { at: Date.UTC(2026, 0, 1) };
  const bench = createWorkBench(await openTestStore(() => clock.at), clock, options);
  const asked = { title: "Tidy up", objective: "Tidy.", workflow };
  const { task_id } = await bench.act(requester, (desk) => createTask(desk, asked));
  const claim = async () => (await bench.act(ADA, (desk) => claimTask(desk, { workerId: "w1" })))?.run.run_id ?? "";
  const run_id = await claim();
  const report = (status: string, more: object = {}) => ({
    schema_version: 1,
    task_id,
    run_id,
    timestamps: { created_at: "2026-01-01T00:00:00Z" },
    status,
    metrics: {},
    warnings: [],
    errors: [],
    ...more,
  });
  return {
    bench,
    task_id,
    run_id,
    claim,
    report,
    plan: (files: readonly string[]) => report("planned", { objective: "Tidy.", files, instructions: "Do." }),
    write: (name: string, content: unknown, tool = "work.any") => {
      const text = typeof content === "string" ? content : JSON.stringify(content);
      return bench.act(ADA, (desk) => writeArtifact(desk, { runId: run_id, name, content: text, tool }));
    },
    judge: (changed: readonly string[]) => bench.act(ADA, (desk) => judgeRun(desk, run_id, changed)),
    complete: () =>
      bench.act(ADA, (desk) =>
        completeTask(desk, { taskId: task_id, runId: run_id, status: "completed", summary: "Done.", workerId: "w1" }),
      ),
    approve: (who = BOB, decision: "approved" | "rejected" = "approved") =>
      bench.act(who, (desk) =>
        approveRun(desk, {
          taskId: task_id,
          runId: run_id,
          approver: "Bob",
          reason: "It is right.",
          decision,
          decider: {
            right: "caller",
            roles: desk.roles,
            allowsSelf: desk.allowsSelfApproval,
            commit: bench.version.commit,
            tool: "approval_write",
          },
        }),
      ),
    run: async () => (await bench.act(ADA, (desk) => findRun(desk, run_id))).record,
    task: async () => (await bench.act(ADA, (desk) => findTask(desk, task_id))).record,
  };
}

/** Everything that the gate asks for, but its own report. */
async function doWork(
  { write, report, plan }: Awaited<ReturnType<typeof setUp>>,
  files: readonly string[],
  withPatch = true,
) {
  await write("plan.json", plan(files));
  await write("executor_report.json", report("completed"));
  await write("patch_apply_report.json", report("applied"));
  await write("verifier_report.json", report("passed"), "step.verify");
  if (withPatch) await write("patch.diff", "--- a/README.md\n");
}

describe("evidence", () => {
  test("[W2] is kept as it was written, and found by its digest", async () => {
    const { bench, write, report, run_id } = await setUp();
    const text = JSON.stringify(report("completed"), undefined, 2);
    const run = await write("executor_report.json", text);
    expect(run.artifacts["executor_report.json"]).toMatchObject({ bytes: text.length });
    expect(await bench.act(ADA, (desk) => readArtifact(desk, "acme", run, "executor_report.json"))).toBe(text);
    expect(await bench.act(ADA, (desk) => readArtifact(desk, "acme", run, "constructor"))).toBeUndefined();
    expect(await bench.act(ADA, async (desk) => (await findRun(desk, run_id)).record.artifacts)).toEqual(run.artifacts);
  });

  test.each([
    ["without its common fields", { status: "completed" }, "must have required property"],
    ["of a later schema", { schema_version: 2 }, "`/schema_version`"],
    ["with a status that it cannot have", { status: "perhaps" }, "`/status`"],
    ["with a member that it has not", { mood: "good" }, "(`mood`)"],
    ["with a number that is none", { metrics: { count: "many" } }, "`/metrics/count`"],
    ["of another run", { run_id: "00000000-0000-7000-8000-000000000000" }, "`run_id` is"],
    ["of no run, whatever the worker calls it", { task_id: "t" }, "`/task_id`", "findings.json"],
  ])("[W2] is refused %s", async (what, change, message, name = "executor_report.json") => {
    const { write, report } = await setUp();
    const content = what.startsWith("without") ? change : { ...report("completed"), ...change };
    await expect(write(name, content)).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: expect.stringContaining(message),
    });
  });

  test("[W2] of a kind of the worker's own has what all reports have, and anything else", async () => {
    const { write, report } = await setUp();
    const content = { ...report("undecided"), findings: [{ file: "README.md" }] };
    expect((await write("findings.json", content)).artifacts).toHaveProperty(["findings.json"]);
  });

  test.each([
    ["no JSON", "executor_report.json", "{", "PARSE_ERROR"],
    ["a name twice", "executor_report.json", '{"a":1,"a":2}', "INVALID_REQUEST"],
    ["a path", "../plan.json", "{}", "BAD_REQUEST"],
    ["a folder", "notes/plan.json", "{}", "BAD_REQUEST"],
    ["a program", "run.sh", "rm", "BAD_REQUEST"],
    ["the journal", "journal/events.jsonl", "", "FORBIDDEN"],
    ["an approval", "approval.json", "{}", "FORBIDDEN"],
    ["the gate's report", "gate_report.json", "{}", "FORBIDDEN"],
    ["what a step alone writes", "verifier_report.json", "{}", "FORBIDDEN"],
    ["more than it may hold", "notes.md", "x".repeat(ARTIFACT_BYTES + 1), "PAYLOAD_TOO_LARGE"],
  ])("refuses %s", async (_, name, content, error) => {
    const { write, run } = await setUp();
    await expect(write(name, content)).rejects.toMatchObject({ name: error });
    expect((await run()).artifacts).toEqual({});
  });

  test("may be as large as it may be, and no more pieces than there may be", async () => {
    const { write } = await setUp();
    await write("notes.md", "x".repeat(ARTIFACT_BYTES));
    for (let count = 1; count < 64; count++) await write(`notes-${count}.md`, "x");
    await expect(write("one-more.md", "x")).rejects.toMatchObject({ name: "CONFLICT" });
    await write("notes.md", "replaced");
  });

  test("cannot change once the run has ended", async () => {
    const { write, complete, report } = await setUp("external");
    await write("executor_report.json", report("completed"));
    await complete();
    await expect(write("notes.md", "later")).rejects.toMatchObject({ name: "CONFLICT" });
  });

  test("says in the journal what was refused, and to nobody else that there is such a run", async () => {
    const { bench, run_id, write } = await setUp();
    const refused = await write("run.sh", "rm").catch((error: unknown) => error);
    await bench.act(ADA, (desk) => noteRefusal(desk, run_id, "evidence.write", refused));
    await bench.act(EVE, (desk) => noteRefusal(desk, run_id, "evidence.write", refused));
    const events = await readJournal(bench.store, "acme", run_id, { from: 1, limit: 10 });
    expect(events).toHaveLength(1);
    expect(events[0]?.event).toMatchObject({
      kind: "refused",
      error: "BAD_REQUEST",
      details: { syscall: "evidence.write", message: expect.stringContaining("`run.sh`") },
    });
  });

  test("[W3] has in its journal what a command reached before it was given up", async () => {
    const { bench, run_id } = await setUp();
    const connections = [{ host: "api.example", port: 443, allowed: true }];
    const refused = new CairnError("CANCELLED", "Given up.", { details: { connections } });
    await bench.act(ADA, (desk) => noteRefusal(desk, run_id, "exec.run", refused));
    const [line] = await readJournal(bench.store, "acme", run_id, { from: 1, limit: 10 });
    expect(line?.event.details).toEqual({ syscall: "exec.run", message: "Given up.", connections });
  });
});

describe("a run that may change files", () => {
  test("[W3] does not complete without its baseline evidence, and says what is missing", async () => {
    const { write, plan, complete } = await setUp();
    await write("plan.json", plan([]));
    await expect(complete()).rejects.toMatchObject({
      name: "CONFLICT",
      details: {
        missing: ["executor_report.json", "patch_apply_report.json", "verifier_report.json", "gate_report.json"],
      },
    });
  });

  test("[W3] completes with all of it, once its gate has passed", async () => {
    const work = await setUp();
    await doWork(work, ["README.md"]);
    const report = await work.judge(["README.md", specPath(work.task_id)]);
    expect(report).toMatchObject({ status: "passed", risk_level: "low" });
    expect(await work.complete()).toMatchObject({ task: { status: "completed" }, run: { risk_level: "low" } });
  });

  test("[W3] does not complete without the patch of what it has changed", async () => {
    const work = await setUp();
    await doWork(work, ["README.md"], false);
    await work.judge(["README.md", specPath(work.task_id)]);
    await expect(work.complete()).rejects.toMatchObject({ name: "CONFLICT", details: { missing: ["patch.diff"] } });
    await work.judge([]);
    expect(await work.complete()).toMatchObject({ task: { status: "completed" } });
  });

  test("[W10] does not pass its gate with a file that its plan does not name, nor without a spec", async () => {
    const work = await setUp();
    await doWork(work, ["README.md"]);
    const stray = await work.judge(["README.md", "tools/stray.ts", specPath(work.task_id)]);
    expect(stray.status).toBe("failed");
    expect(stray.checks).toContainEqual({
      name: "traceability",
      passed: false,
      message: "The plan does not name `tools/stray.ts`.",
    });
    const unspecified = await work.judge(["README.md"]);
    expect(unspecified.checks.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual(["spec"]);
    await expect(work.complete()).rejects.toMatchObject({ name: "CONFLICT" });
  });

  test.each([
    ["plan.json", "plan"],
    ["executor_report.json", "executor_report.json"],
    ["patch_apply_report.json", "patch_apply_report.json"],
    ["verifier_report.json", "verifier_report.json"],
  ])("does not pass its gate without %s", async (missing, check) => {
    const work = await setUp();
    const { write, plan, report } = work;
    const all: Record<string, () => Promise<unknown>> = {
      "plan.json": () => write("plan.json", plan([])),
      "executor_report.json": () => write("executor_report.json", report("completed")),
      "patch_apply_report.json": () => write("patch_apply_report.json", report("nothing")),
      "verifier_report.json": () => write("verifier_report.json", report("passed"), "step.verify"),
    };
    for (const [name, leave] of Object.entries(all)) if (name !== missing) await leave();
    const judged = await work.judge([]);
    expect([judged.status, judged.checks.filter(({ passed }) => !passed).map(({ name }) => name)]).toEqual([
      "failed",
      [check],
    ]);
  });

  test("is as risky as the riskiest of its files, each by the first rule that matches", () => {
    const risk = [
      { paths: ["manifests/policies/**"], level: "high" },
      { paths: ["manifests/**", "tools/**"], level: "medium" },
    ] as const;
    expect(toRiskLevel({ risk }, ["docs/a.md"])).toBe("low");
    expect(toRiskLevel({ risk }, ["docs/a.md", "tools/a/b.ts"])).toBe("medium");
    expect(toRiskLevel({ risk }, ["tools/a/b.ts", "manifests/policies/p.yaml", "docs/a.md"])).toBe("high");
    expect(toRiskLevel({ risk }, [])).toBe("low");
  });
});

describe("a run whose verification did not try all that is declared", () => {
  const FILE = "docs/note.md";
  async function verifiedWith(metrics: object, options: Options = {}) {
    const work = await setUp("change", options);
    await doWork(work, [FILE]);
    await work.write("verifier_report.json", work.report("passed", { metrics }), "step.verify");
    return work.judge([FILE, specPath(work.task_id)]);
  }

  test.each([
    [{ examples_not_run: 2 }, "The verification did not try 2 of the examples that the change may break."],
    [{ tests: 1, tests_not_run: 1 }, "The verification did not try 1 of the declared checks."],
  ])("waits for an approval with %j, whatever its risk", async (metrics, message) => {
    const report = await verifiedWith(metrics);
    expect(report).toMatchObject({ status: "blocked", risk_level: "low" });
    expect(report.checks).toContainEqual({ name: "tried", passed: false, message });
  });

  test("passes where all was tried, or a policy takes it as it is", async () => {
    expect((await verifiedWith({ tests: 2, tests_not_run: 0, examples: 4 })).status).toBe("passed");
    expect((await verifiedWith({ examples_not_run: 2 }, { skippedChecks: true })).status).toBe("passed");
  });
});

describe("a run that needs somebody's approval", () => {
  const FILE = "manifests/policies/people.yaml";

  async function block(options = {}) {
    const work = await setUp("change", options);
    await doWork(work, [FILE]);
    const changed = [FILE, specPath(work.task_id)];
    const { bench, run_id } = work;
    for (const step of ["plan", "verify"]) {
      expect((await bench.act(ADA, (desk) => beginStep(desk, run_id)))?.step.name).toBe(step);
      await bench.act(ADA, (desk) => endStep(desk, { runId: run_id, step, status: "completed", beganAt: desk.now }));
    }
    expect(await work.judge(changed)).toMatchObject({ status: "blocked", risk_level: "high" });
    await bench.act(ADA, (desk) =>
      endStep(desk, { runId: run_id, step: "gate", status: "blocked", beganAt: desk.now, message: "Waits." }),
    );
    return { ...work, changed };
  }

  test("[W11] waits without a lease, and goes on where it stopped once there is one", async () => {
    const { bench, run_id, task_id, claim, approve, judge, changed, run, task, complete } = await block();
    expect([(await run()).status, (await task()).status]).toEqual(["blocked", "blocked"]);
    expect(await claim()).toBe("");
    bench.at += 24 * 60 * 60_000;
    expect(await claim()).toBe("");
    expect(await approve()).toMatchObject({ status: "approved" });
    expect(await claim()).toBe(run_id);
    expect((await bench.act(ADA, (desk) => beginStep(desk, run_id)))?.step.name).toBe("gate");
    expect(await judge(changed)).toMatchObject({ status: "passed" });
    await bench.act(ADA, (desk) =>
      endStep(desk, { runId: run_id, step: "gate", status: "completed", beganAt: desk.now }),
    );
    expect(await bench.act(ADA, (desk) => beginStep(desk, run_id))).toBeUndefined();
    expect(await complete()).toMatchObject({ task: { task_id, status: "completed", attempts: 1 } });
  });

  test("[W11] leaves the approval as evidence", async () => {
    const { bench, approve, run, task_id, run_id } = await block();
    await approve();
    const text = await bench.act(ADA, async (desk) => readArtifact(desk, "acme", await run(), "approval.json"));
    expect(JSON.parse(text ?? "")).toMatchObject({
      schema_version: 1,
      task_id,
      run_id,
      status: "approved",
      approver: "Bob",
      reason: "It is right.",
      approved_by: "bob",
    });
  });

  test("has ended, and its task with it, when that is refused", async () => {
    const { approve, run, task, claim } = await block();
    await approve(BOB, "rejected");
    expect([(await run()).status, (await task()).status]).toEqual(["rejected", "rejected"]);
    expect(await claim()).toBe("");
    await expect(approve()).rejects.toMatchObject({ name: "CONFLICT" });
  });

  test("cannot be approved with the credentials that did it, unless the policy allows that", async () => {
    const { approve, run } = await block();
    await expect(approve(ADA)).rejects.toMatchObject({ name: "FORBIDDEN" });
    expect((await run()).status).toBe("blocked");
    const lenient = await block({ selfApproval: true });
    expect(await lenient.approve(ADA)).toMatchObject({ status: "approved" });
  });

  test("cannot be approved by who asked for it, whoever did it, unless the policy allows that", async () => {
    const EVA = { tenant: "acme", actor: "eva" };
    const { approve, run } = await block({ requester: EVA });
    await expect(approve(EVA)).rejects.toMatchObject({ name: "FORBIDDEN", message: expect.stringContaining("`eva`") });
    expect((await run()).status).toBe("blocked");
    const lenient = await block({ requester: EVA, selfApproval: true });
    expect(await lenient.approve(EVA)).toMatchObject({ status: "approved" });
  });

  test("cannot be approved by another tenant, nor before it waits", async () => {
    const { approve } = await block();
    await expect(approve(EVE)).rejects.toMatchObject({ name: "NOT_FOUND" });
    const early = await setUp();
    await expect(early.approve()).rejects.toMatchObject({ name: "CONFLICT" });
  });
});
