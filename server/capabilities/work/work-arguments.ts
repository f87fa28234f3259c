import type { Decision } from "./approve-run.ts";
import type { ClaimRequest } from "./claim-task.ts";
import type { TaskRequest } from "./create-task.ts";
import type { Completion } from "./end-task.ts";
import type { TaskFilter } from "./list-tasks.ts";
import type { StepOutcome } from "./steps.ts";
import { createMemberCheck } from "../../kernel/arguments.ts";

const ID = { type: "string", minLength: 1, maxLength: 64 };
const NAME = { type: "string", minLength: 1, maxLength: 128 };
const TEXT = { type: "string", maxLength: 10_000 };
const PRIORITY = { enum: ["critical", "high", "medium", "low"] };
const CAPABILITIES = { type: "array", maxItems: 32, items: { type: "string", pattern: "^[a-z0-9][a-z0-9._-]{0,63}$" } };
export const EVENT_LIMIT = 1000;

export const createArguments = createMemberCheck<TaskRequest>("task.create", ["title", "objective"], {
  title: { type: "string", minLength: 1, maxLength: 200 },
  objective: { type: "string", minLength: 1, maxLength: 100_000 },
  priority: PRIORITY,
  workflow: NAME,
  requires: { ...CAPABILITIES, maxItems: 8, uniqueItems: true },
});
export const taskArguments = createMemberCheck<{ taskId: string }>("task.get", ["taskId"], { taskId: ID });
export const answerArguments = createMemberCheck<{ taskId: string; answer: string }>(
  "task.answer",
  ["taskId", "answer"],
  { taskId: ID, answer: { ...TEXT, pattern: "\\S" } },
);
export const listArguments = createMemberCheck<Partial<TaskFilter>>("task.list", [], {
  status: { enum: ["pending", "running", "blocked", "completed", "rejected", "cancelled", "dead"] },
  after: ID,
  limit: { type: "integer", minimum: 1, maximum: 200 },
});
export const cancelArguments = createMemberCheck<{ taskId: string; reason: string }>(
  "task.cancel",
  ["taskId", "reason"],
  {
    taskId: ID,
    reason: TEXT,
  },
);
export const claimArguments = createMemberCheck<ClaimRequest>("lease.claim", ["workerId"], {
  workerId: NAME,
  capabilities: CAPABILITIES,
  workflows: { type: "array", maxItems: 32, items: NAME },
  withSteps: { type: "boolean" },
  taskId: ID,
  leaseSeconds: { type: "integer", minimum: 5, maximum: 3600 },
});
export const renewArguments = createMemberCheck<{ runId: string; workerId: string }>(
  "lease.renew",
  ["runId", "workerId"],
  {
    runId: ID,
    workerId: NAME,
  },
);
export const releaseArguments = createMemberCheck<{ runId: string; workerId: string; reason: string }>(
  "lease.release",
  ["runId", "workerId", "reason"],
  { runId: ID, workerId: NAME, reason: TEXT },
);
export const runArguments = createMemberCheck<{ runId: string }>("run.get", ["runId"], { runId: ID });
export const completeArguments = createMemberCheck<Completion>(
  "run.complete",
  ["taskId", "runId", "status", "summary", "workerId"],
  { taskId: ID, runId: ID, status: { enum: ["completed", "failed"] }, summary: TEXT, workerId: NAME },
);
export const endStepArguments = createMemberCheck<StepOutcome>("run.end_step", ["runId", "step", "status", "beganAt"], {
  runId: ID,
  step: NAME,
  status: { enum: ["completed", "blocked", "failed", "released"] },
  beganAt: { type: "number", minimum: 0 },
  message: TEXT,
});
export const eventsArguments = createMemberCheck<{ runId: string; from?: number; limit?: number; wait?: number }>(
  "run.events",
  ["runId"],
  {
    runId: ID,
    from: { type: "integer", minimum: 0 },
    limit: { type: "integer", minimum: 1, maximum: EVENT_LIMIT },
    wait: { type: "integer", minimum: 0, maximum: 60_000 },
  },
);
export const readArguments = createMemberCheck<{ runId: string; name: string }>("evidence.read", ["runId", "name"], {
  runId: ID,
  name: NAME,
});
export const writeArguments = createMemberCheck<{ runId: string; name: string; content: string }>(
  "evidence.write",
  ["runId", "name", "content"],
  { runId: ID, name: NAME, content: { type: "string" } },
);
export const approveArguments = createMemberCheck<Omit<Decision, "tool">>(
  "approvals.write",
  ["taskId", "runId", "approver", "reason", "decision"],
  {
    taskId: ID,
    runId: ID,
    approver: { type: "string", minLength: 1, maxLength: 200 },
    reason: { ...TEXT, minLength: 1 },
    decision: { enum: ["approved", "rejected"] },
  },
);
