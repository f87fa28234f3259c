import type { Declarations, Grant } from "../declaration.ts";
import type { Work } from "./api.ts";

export const WORK_GRANTS = {
  "work.read": { breaks: ["deterministic", "no tenant"] },
  "work.write": { breaks: ["deterministic", "no side effect", "no tenant"] },
  "work.execute": { breaks: ["deterministic", "no side effect", "no tenant"] },
  "work.approve": { breaks: ["deterministic", "no side effect", "no tenant"] },
  "work.propose": { breaks: ["deterministic", "no side effect", "no tenant"] },
} as const satisfies Readonly<Record<string, Grant>>;

export const MIGRATION_GRANTS = {
  migrate: { breaks: ["deterministic", "no side effect", "no tenant"] },
} as const satisfies Readonly<Record<string, Grant>>;

/** `ctx.work`. */
export const WORK = {
  tasks: {
    create: {
      name: "task.create",
      takes: [["title", "objective", "priority?", "workflow?", "requires?"]],
      needs: "work.write",
      mutates: true,
      inPreviews: true,
    },
    get: { name: "task.get", takes: ["taskId"], needs: "work.read", inPreviews: true },
    list: { name: "task.list", takes: [["status?", "after?", "limit?"]], needs: "work.read", inPreviews: true },
    answer: { name: "task.answer", takes: ["taskId", "answer"], needs: "work.write", mutates: true, inPreviews: true },
    cancel: { name: "task.cancel", takes: ["taskId", "reason"], needs: "work.write", mutates: true, inPreviews: true },
  },
  leases: {
    claim: {
      name: "lease.claim",
      takes: [["workerId", "capabilities?", "workflows?", "withSteps?", "taskId?", "leaseSeconds?"]],
      needs: "work.execute",
      mutates: true,
      inPreviews: true,
    },
    renew: {
      name: "lease.renew",
      takes: ["runId", "workerId"],
      needs: "work.execute",
      mutates: true,
      inPreviews: true,
    },
    release: {
      name: "lease.release",
      takes: ["runId", "workerId", "reason"],
      needs: "work.execute",
      mutates: true,
      inPreviews: true,
    },
  },
  runs: {
    get: { name: "run.get", takes: ["runId"], needs: "work.read", inPreviews: true },
    complete: {
      name: "run.complete",
      takes: [["taskId", "runId", "status", "summary", "workerId"]],
      needs: "work.execute",
      mutates: true,
      inPreviews: true,
    },
    beginStep: { name: "run.begin_step", takes: ["runId"], needs: "work.execute", mutates: true, inPreviews: true },
    endStep: {
      name: "run.end_step",
      takes: [["runId", "step", "status", "beganAt", "message?"]],
      needs: "work.execute",
      mutates: true,
      inPreviews: true,
    },
    propose: { name: "run.propose", takes: ["runId"], needs: "work.propose", mutates: true },
    judge: { name: "run.judge", takes: ["runId"], needs: "workspace.write", mutates: true },
    events: {
      name: "run.events",
      takes: ["runId", ["from?", "limit?", "wait?"]],
      needs: "work.read",
      inPreviews: true,
    },
  },
  evidence: {
    read: { name: "evidence.read", takes: ["runId", "name"], needs: "work.read", inPreviews: true },
    write: {
      name: "evidence.write",
      takes: ["runId", "name", "content"],
      needs: "work.execute",
      mutates: true,
      inPreviews: true,
    },
  },
  approvals: {
    write: {
      name: "approvals.write",
      takes: [["taskId", "runId", "approver", "reason", "decision"]],
      needs: "work.approve",
      mutates: true,
      inPreviews: true,
    },
  },
  workers: {
    list: { name: "worker.list", needs: "work.read", inPreviews: true },
  },
  migrations: {
    check: { name: "migrate.check", needs: "work.read", inPreviews: true },
    apply: { name: "migrate.apply", needs: "migrate", mutates: true, inPreviews: true },
  },
} as const satisfies Declarations<Work, keyof typeof WORK_GRANTS | keyof typeof MIGRATION_GRANTS | "workspace.write">;
