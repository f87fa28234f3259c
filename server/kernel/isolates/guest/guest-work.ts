import type { Work } from "../../../capabilities/work/api.ts";
import type { SyscallName } from "../syscall-kinds.ts";

/** Asks the main process; members of `optional` that are undefined are left out. */
export type AskNamed = <T>(
  name: SyscallName,
  required: Readonly<Record<string, unknown>>,
  optional?: Readonly<Record<string, unknown>>,
) => Promise<T>;

/** `ctx.work`. */
export function createWork(ask: AskNamed): Work {
  return {
    tasks: {
      create: ({ title, objective, priority, workflow, requires }) =>
        ask("task.create", { title, objective }, { priority, workflow, requires }),
      get: (taskId) => ask("task.get", { taskId }),
      list: ({ status, after, limit } = {}) => ask("task.list", {}, { status, after, limit }),
      cancel: (taskId, reason) => ask("task.cancel", { taskId, reason }),
    },
    leases: {
      claim: ({ workerId, capabilities, workflows, withSteps }) =>
        ask("lease.claim", { workerId }, { capabilities, workflows, withSteps }),
      renew: (runId, workerId) => ask("lease.renew", { runId, workerId }),
      release: (runId, workerId, reason) => ask("lease.release", { runId, workerId, reason }),
    },
    runs: {
      get: (runId) => ask("run.get", { runId }),
      complete: ({ taskId, runId, status, summary, workerId }) =>
        ask("run.complete", { taskId, runId, status, summary, workerId }),
      beginStep: (runId) => ask("run.begin_step", { runId }),
      endStep: ({ runId, step, status, beganAt, message }) =>
        ask("run.end_step", { runId, step, status, beganAt }, { message }),
      judge: (runId) => ask("run.judge", { runId }),
      events: (runId, { from, limit, wait } = {}) => ask("run.events", { runId }, { from, limit, wait }),
    },
    evidence: {
      read: (runId, name) => ask("evidence.read", { runId, name }),
      write: (runId, name, content) => ask("evidence.write", { runId, name, content }),
    },
    approvals: {
      write: ({ taskId, runId, approver, reason, decision }) =>
        ask("approvals.write", { taskId, runId, approver, reason, decision }),
    },
    workers: { list: () => ask("worker.list", {}) },
    migrations: { check: () => ask("migrate.check", {}), apply: () => ask("migrate.apply", {}) },
  };
}
