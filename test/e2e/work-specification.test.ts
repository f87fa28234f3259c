import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** What the specification of tasks and runs says, and the test of it: file and title. */
const SENTENCES: readonly (readonly [sentence: string, file: string, title: string])[] = [
  // 1. Contracts
  [
    "Task: task_id, title, objective, status, priority, schema_version, timestamps, workspace_path",
    "test/server/capabilities/work/claim-task.test.ts",
    "[W1] has all its fields, and so has its run",
  ],
  [
    "Run: run_id, task_id, workflow, status, risk_level, run_path, timestamps, schema_version",
    "test/server/capabilities/work/claim-task.test.ts",
    "[W1] has all its fields, and so has its run",
  ],
  [
    "All artifacts/*.json must include schema_version, task_id, run_id, timestamps, status, metrics, warnings/errors",
    "test/server/capabilities/work/evidence.test.ts",
    "[W2] of a kind of the worker's own has what all reports have, and anything else",
  ],
  [
    "... and are refused without them",
    "test/server/capabilities/work/evidence.test.ts",
    "of no run, whatever the worker calls it",
  ],
  [
    "Baseline of any write-capable workflow: patch.diff (if changes)",
    "test/server/capabilities/work/evidence.test.ts",
    "[W3] does not complete without the patch of what it has changed",
  ],
  [
    "Baseline: executor_report.json, patch_apply_report.json, verifier_report.json, gate_report.json",
    "test/server/capabilities/work/evidence.test.ts",
    "[W3] does not complete without its baseline evidence, and says what is missing",
  ],
  ["Baseline: journal/events.jsonl", "test/tools/work/artifact_read.test.ts", "[W3] gives the journal, line by line"],
  [
    "Spec files are stored in docs/specs/<task_id>_SPEC.md (not run artifacts)",
    "test/tools/work/workflow_gate.test.ts",
    "[W3] leaves the baseline as evidence, and the spec in the commit instead",
  ],
  // 2. Syscalls
  ["fs.read", "test/tools/work/fs_read.test.ts", "[W4] shows a file of the commit that the run began with"],
  [
    "fs.write_file",
    "test/tools/work/fs_write_file.test.ts",
    "[W10] writes nothing before there is a plan, and nothing that it does not name",
  ],
  ["fs.apply_patch", "test/tools/work/fs_apply_patch.test.ts", "applies whole or not at all"],
  [
    "exec.run is sandboxed",
    "test/tools/work/exec_run.test.ts",
    "[W4] runs one that is allowed in the workspace, and in no other place",
  ],
  ["exec.run is allowlisted", "test/tools/work/exec_run.test.ts", "[W4] refuses a program that no policy allows"],
  [
    "exec.run has a network policy",
    "test/server/capabilities/workspace/sandbox/command-policy.test.ts",
    "opens the hosts of whatever allows the very command, and no others",
  ],
  ["git.status", "test/tools/work/git_status.test.ts", "names what has changed"],
  ["git.diff", "test/tools/work/git_diff.test.ts", "shows what has changed, new files included"],
  [
    "git.commit(allowed_files)",
    "test/tools/work/git_commit.test.ts",
    "[W4] commits the allowed files, and refuses when others have changed",
  ],
  [
    "DB: task.*, run.*, lease.*",
    "test/server/capabilities/work/claim-task.test.ts",
    "leaves a journal of what happened to its run, chained",
  ],
  [
    "DB: worker.*",
    "test/tools/work/worker_list.test.ts",
    "[W8] shows who asked for tasks, with what it can do and when it was last heard of",
  ],
  [
    "approvals.write",
    "test/tools/work/approval_write.test.ts",
    "[W5] [W11] lets a blocked run go on, and is kept as evidence",
  ],
  ["migrate.check", "test/tools/work/migrate_check.test.ts", "counts the records of the caller's tenant"],
  ["migrate.apply", "test/server/capabilities/work/migrate.test.ts", "upgrade every older record, and only once"],
  // 3. MCP tools
  [
    "task_create(title, objective, priority) returns {task_id, title, objective, status, priority}",
    "test/tools/work/task_create.test.ts",
    "[W5] answers with what was asked for, in the words it was asked in, and a worker finds it",
  ],
  [
    "task_status(task_id): task and latest run information",
    "test/tools/work/task_status.test.ts",
    "[W5] tells of the task and its latest run",
  ],
  [
    "task_claim(worker_id) returns the run, run_path and status claimed, or task: null",
    "test/tools/work/task_claim.test.ts",
    "[W5] gives the task and the run that has begun, or says that there is nothing",
  ],
  [
    "Only one worker can claim a task at a time",
    "test/tools/work/task_claim.test.ts",
    "[W6] of many at once gives each task once",
  ],
  [
    "task_complete(...): mark complete and release lease",
    "test/tools/work/task_complete.test.ts",
    "[W5] ends the run and lets go of its lease",
  ],
  [
    "artifact_read returns {content, raw}",
    "test/tools/work/artifact_read.test.ts",
    "[W5] gives a report as what it says and as it was written",
  ],
  ["artifact_read returns {error}", "test/tools/work/artifact_read.test.ts", "[W5] says in `error` what is not there"],
  [
    "artifact_write returns {run_id, artifact_name, artifact_path, status: written}",
    "test/tools/work/artifact_write.test.ts",
    "[W5] keeps it and says where",
  ],
  [
    "approval_write creates approval.json, which allows the run to resume",
    "test/tools/work/approval_write.test.ts",
    "[W5] [W11] lets a blocked run go on, and is kept as evidence",
  ],
  [
    "Example: External Worker Flow",
    "test/e2e/external-worker.test.ts",
    "[W5] runs as it is printed there, in Python, with nothing but what surrounds it added",
  ],
  // 4. Planner protocol
  [
    "Plan: objective, files, instructions, steps, referenced_context",
    "test/tools/work/workflow_plan.test.ts",
    "[W9] plans what it cannot read for a worker: files, instructions and steps, with context retrieved and impact analysed",
  ],
  [
    "Planner queries vector store (RAG) for relevant context",
    "test/server/capabilities/knowledge/meaning/find-passages.test.ts",
    "finds what no word of the query names, and what its words name",
  ],
  [
    "Planner uses Code Graph for impact analysis",
    "test/tools/work/repository_impact.test.ts",
    "tells what depends on a file, and why",
  ],
  [
    "Planner uses legacy code context (if available)",
    "test/server/capabilities/knowledge/gather-context.test.ts",
    "has what the objective names first, then what fits its words",
  ],
  [
    "LLM generates structured JSON plan",
    "test/server/architect/objectives/create-plan-objective.test.ts",
    "asks the model where readings do not suffice",
  ],
  [
    "Plan includes impact warnings from dependency analysis",
    "test/server/capabilities/knowledge/gather-context.test.ts",
    "warns of what the change affects",
  ],
  [
    "Spec Writer creates technical spec",
    "test/tools/work/workflow_plan.test.ts",
    "[W3] writes the spec into the workspace",
  ],
  [
    "Executor implements plan exactly",
    "test/tools/work/workflow_execute.test.ts",
    "[W9] carries out what words ask for, in the run's workspace, and writes what it has done",
  ],
  [
    "All code must trace back to a plan/spec",
    "test/server/capabilities/work/evidence.test.ts",
    "[W10] does not pass its gate with a file that its plan does not name, nor without a spec",
  ],
  // 5. Worker protocol
  [
    "Tasks are claimed via atomic database operations",
    "test/server/capabilities/work/claim-task.test.ts",
    "[W6] is not given twice to 40 who ask at once",
  ],
  [
    "Only one worker can hold a lease for a task at a time",
    "test/server/capabilities/work/claim-task.test.ts",
    "[W6] has one holder at a time, of tasks in order of urgency and then of age",
  ],
  [
    "Leases have TTL (default: 300 seconds)",
    "test/server/capabilities/work/claim-task.test.ts",
    "[W7] lasts 300 s from each heartbeat on, and then frees the task for another attempt",
  ],
  [
    "Workers must send heartbeats to renew leases",
    "test/tools/work/task_heartbeat.test.ts",
    "[W7] moves the end of the lease",
  ],
  [
    "Startup: unique worker_id; Poll Loop every poll_interval seconds",
    "test/server/worker/worker.test.ts",
    "claims, does and completes one task after the other, and then asks every poll interval",
  ],
  [
    "Claim via claim_task(task_id, worker_id, duration_sec)",
    "test/tools/work/task_claim.test.ts",
    "[W6] [W7] gives the task that is named, for the seconds that the worker chooses",
  ],
  [
    "Heartbeat every heartbeat_interval seconds",
    "test/server/worker/worker.test.ts",
    "sends heartbeats while it works, three in the time of a lease, and none after",
  ],
  [
    "Execute: plan, execute, verify, gate",
    "test/tools/work/run_advance.test.ts",
    "does the steps of a workflow one after the other, each once",
  ],
  [
    "Complete: Worker updates task status and releases lease",
    "test/tools/work/task_complete.test.ts",
    "[W5] ends the run and lets go of its lease",
  ],
  [
    "If heartbeat fails, lease expires and task becomes available again",
    "test/server/capabilities/work/steps.test.ts",
    "the other one does the task once, and the dead one changes nothing more",
  ],
  [
    "Prevents zombie workers from holding tasks indefinitely",
    "test/e2e/worker-clock.test.ts",
    "of a worker that stands still goes to another one, and what it does when it wakes up is refused",
  ],
  ["start(): runs until stopped", "test/server/worker/worker.test.ts", "ends when its claims are refused for good"],
  [
    "stop(): gracefully stop worker",
    "test/server/worker/worker.test.ts",
    "that is stopped claims nothing more and finishes what it has begun",
  ],
];

describe("the specification of tasks and runs", () => {
  test.each(SENTENCES)("has a test: %s", (_sentence, file, title) => {
    expect(title).not.toBe("");
    expect(readFileSync(file, "utf8")).toContain(title);
  });
});
