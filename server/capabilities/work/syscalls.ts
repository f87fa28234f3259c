import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { workersOf } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { approveRun } from "./approve-run.ts";
import { claimTask } from "./claim-task.ts";
import { createTask } from "./create-task.ts";
import { findRun, findTask, type Owned, type WorkDesk } from "./desk.ts";
import { cancelTask, completeTask } from "./end-task.ts";
import { JOURNAL, readArtifact, writeArtifact } from "./evidence.ts";
import { readJournal } from "./journal.ts";
import { releaseTask, renewLease } from "./keep-lease.ts";
import { findLease } from "./lease.ts";
import { listTasks } from "./list-tasks.ts";
import { applyMigration, checkMigration } from "./migrate.ts";
import { noteRefusal } from "./note-refusal.ts";
import type { Run } from "./run.ts";
import { beginStep, endStep } from "./steps.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { defineSyscalls, type RunSyscall, toJson } from "../../kernel/dispatch.ts";
import { waitForEvents } from "./wait-for-events.ts";
import {
  EVENT_LIMIT,
  approveArguments,
  cancelArguments,
  claimArguments,
  completeArguments,
  createArguments,
  endStepArguments,
  eventsArguments,
  listArguments,
  readArguments,
  releaseArguments,
  renewArguments,
  runArguments,
  taskArguments,
  writeArguments,
} from "./work-arguments.ts";
import { toWorkDesk, workAtOnce, type WorkDeskOptions } from "./work-desk.ts";

export interface WorkSyscallOptions extends WorkDeskOptions {
  /** Told that a run has ended, so that its workspace can go. */
  readonly onRunEnded: (runId: string) => void;
}

/** `ctx.work`: tasks, runs, leases, evidence and approvals, staged in the call's transaction. */
export function createWorkSyscalls(options: WorkSyscallOptions) {
  const { store, onRunEnded } = options;
  const read =
    (run: (desk: WorkDesk, args: unknown, call: RunningCall) => Promise<unknown>): RunSyscall =>
    async (call, args) =>
      toJson(await run(toWorkDesk(call, options), args, call));
  const write =
    (name: string, run: (desk: WorkDesk, args: unknown, call: RunningCall) => Promise<unknown>): RunSyscall =>
    async (call, args) => {
      const desk = toWorkDesk(call, options);
      try {
        return toJson(await run(desk, args, call));
      } catch (error) {
        if (isObject(args) && typeof args["runId"] === "string") await noteRefusal(desk, args["runId"], name, error);
        throw error;
      }
    };
  return defineSyscalls({
    "task.create": write("task.create", (desk, args) => createTask(desk, createArguments(args))),
    "task.get": read(async (desk, args) => {
      const { record: task } = await findTask(desk, taskArguments(args).taskId);
      return { task, run: task.run_id === null ? null : await show(desk, await findRun(desk, task.run_id)) };
    }),
    "task.list": read((desk, args) => listTasks(desk, { limit: 50, ...listArguments(args) })),
    "task.cancel": write("task.cancel", async (desk, args) => {
      const { taskId, reason } = cancelArguments(args);
      const task = await cancelTask(desk, taskId, reason);
      if (task.run_id !== null) onRunEnded(task.run_id);
      return task;
    }),
    "lease.claim": write("lease.claim", async (desk, args, call) => {
      const claimed = await claimTask(desk, claimArguments(args));
      if (claimed === undefined) return null;
      // Doing the call over would lease another task.
      call.effects.markIrreversible();
      const { task, run, lost } = claimed;
      if (lost !== undefined) onRunEnded(lost.run_id);
      return { task, run };
    }),
    "lease.renew": write("lease.renew", (desk, args) => {
      const { runId, workerId } = renewArguments(args);
      return renewLease(desk, runId, workerId);
    }),
    "lease.release": write("lease.release", async (desk, args) => {
      const { runId, workerId, reason } = releaseArguments(args);
      const task = await releaseTask(desk, runId, workerId, reason);
      onRunEnded(runId);
      return task;
    }),
    "run.get": read(async (desk, args) => show(desk, await findRun(desk, runArguments(args).runId))),
    "run.complete": write("run.complete", async (desk, args) => {
      const ended = await completeTask(desk, completeArguments(args));
      onRunEnded(ended.run.run_id);
      return ended;
    }),
    // Between these two a step's own tool writes what it found, and heartbeats come in.
    "run.begin_step": write("run.begin_step", async (desk, args, call) => {
      const { runId } = runArguments(args);
      const begun = await workAtOnce(call, options, (own) => beginStep(own, runId));
      if (begun === undefined) return null;
      const { taskId, step } = begun;
      return { task_id: taskId, name: step.name, tool: step.tool, began_at: desk.now };
    }),
    "run.end_step": write("run.end_step", (_desk, args, call) => {
      const outcome = endStepArguments(args);
      return workAtOnce(call, options, (own) => endStep(own, outcome));
    }),
    "run.events": read(async (desk, args, call) => {
      const { runId, from = 0, limit = EVENT_LIMIT, wait = 0 } = eventsArguments(args);
      const { tenant } = await findRun(desk, runId);
      const look = () => readJournal(store, tenant, runId, { from, limit });
      const until = Math.min(desk.now + wait, call.deadline - DEADLINE_MARGIN_MS);
      return waitForEvents(look, { until, now: options.storeTime, signal: call.signal });
    }),
    "evidence.read": read(async (desk, args) => {
      const { runId, name } = readArguments(args);
      const { tenant, record: run } = await findRun(desk, runId);
      if (name === JOURNAL) return { content: await writeOutJournal(store, tenant, runId) };
      const content = await readArtifact(desk, tenant, run, name);
      if (content !== undefined) return { content };
      const names = Object.keys(run.artifacts)
        .map((one) => `\`${one}\``)
        .join(", ");
      throw new CairnError("NOT_FOUND", `Run \`${runId}\` has no \`${name}\`; it has ${names || "none yet"}.`);
    }),
    "evidence.write": write("evidence.write", async (desk, args, call) => {
      const { name, ...rest } = writeArguments(args);
      const run = await writeArtifact(desk, { ...rest, name, tool: call.tool.name });
      return { run_id: run.run_id, name, path: `${run.run_path}/artifacts/${name}`, ...run.artifacts[name] };
    }),
    "approvals.write": write("approvals.write", async (desk, args) => {
      const run = await approveRun(desk, approveArguments(args));
      if (run.status === "rejected") onRunEnded(run.run_id);
      return run;
    }),
    "worker.list": read(async (desk) =>
      (await desk.glance(workersOf(desk.tenant, desk.scope), EVENT_LIMIT)).map(({ value }) => value),
    ),
    "migrate.check": async ({ principal }) => toJson(await checkMigration(store, { tenant: principal.tenant })),
    async "migrate.apply"({ principal, effects }) {
      effects.markIrreversible();
      return toJson(await applyMigration(store, { tenant: principal.tenant }));
    },
  });
}

async function show(desk: WorkDesk, { tenant, record: run }: Owned<Run>): Promise<Run> {
  return { ...run, lease: await findLease(desk, tenant, run) };
}

/** So that a call that waits for events can still answer. */
const DEADLINE_MARGIN_MS = 500;

/** The journal as JSON Lines, each with its place in the chain. */
async function writeOutJournal(store: Store, tenant: string, runId: string): Promise<string> {
  const events = await readJournal(store, tenant, runId, { from: 0, limit: 10 * EVENT_LIMIT });
  return events.map(({ seq, hash, event }) => `${JSON.stringify({ seq, hash, ...event })}\n`).join("");
}
