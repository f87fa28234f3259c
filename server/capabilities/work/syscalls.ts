import { setTimeout } from "node:timers/promises";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { workersOf } from "../../store/keys.ts";
import { mayReadCall } from "./approvals/may-read-call.ts";
import { answerTask } from "./answer-task.ts";
import { approveRun } from "./approve-run.ts";
import { claimTask } from "./claim-task.ts";
import { createTask } from "./create-task.ts";
import { findLease, findRun, findTask, type Owned, toShown, type WorkDesk } from "./desk.ts";
import { cancelTask, completeTask } from "./end-task.ts";
import { JOURNAL, readArtifact, writeArtifact } from "./evidence.ts";
import { readJournal, writeOutJournal } from "./journal.ts";
import { releaseTask, renewLease } from "./lease.ts";
import { listTasks } from "./list-tasks.ts";
import { applyMigration, checkMigration } from "./migrate.ts";
import { noteRefusal } from "./note-refusal.ts";
import { type Landing, proposeRun } from "./proposals/propose-run.ts";
import { keepRequester } from "./proposals/requester.ts";
import type { Run } from "./run.ts";
import { beginStep, endStep } from "./steps.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { defineEach, toJson } from "../../kernel/dispatch.ts";
import {
  EVENT_LIMIT,
  answerArguments,
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
  /** Hears that a run has ended, so that its workspace can go. */
  readonly onRunEnded: (runId: string) => void;
  /** Takes the changes of runs to the repository; absent: nothing does. */
  readonly landing?: Landing;
}

/** One call of `ctx.work`, with the desk of its transaction. */
interface Working {
  readonly desk: WorkDesk;
  readonly call: RunningCall;
  readonly options: WorkSyscallOptions;
}

type Act = (working: Working, args: unknown) => Promise<unknown>;

/** `ctx.work`: tasks, runs, leases, evidence and approvals, staged in the call's transaction. */
export function createWorkSyscalls(options: WorkSyscallOptions) {
  const acts = { ...TASKS, ...LEASES, ...RUNS, ...EVIDENCE, ...SERVICE };
  return defineEach(acts, (act: Act, { name, mutates = false }) => async (call, args) => {
    const desk = toWorkDesk(call, options);
    try {
      return toJson(await act({ desk, call, options }, args));
    } catch (error) {
      const isOfRun = mutates && isObject(args) && typeof args["runId"] === "string";
      if (isOfRun) await noteRefusal(desk, String(args["runId"]), name, error);
      throw error;
    }
  });
}

const TASKS = {
  "task.create": async ({ desk, call }, args) => {
    const task = await createTask(desk, createArguments(args));
    keepRequester(desk, task.task_id, call.principal);
    return task;
  },
  "task.get": async ({ desk }, args) => {
    const { tenant, record: task } = await findTask(desk, taskArguments(args).taskId);
    const shown = await toShown(desk, tenant, task);
    return { task: shown, run: task.run_id === null ? null : await show(desk, await findRun(desk, task.run_id)) };
  },
  "task.list": ({ desk }, args) => listTasks(desk, { limit: 50, ...listArguments(args) }),
  "task.answer": ({ desk }, args) => {
    const { taskId, answer } = answerArguments(args);
    return answerTask(desk, taskId, answer);
  },
  "task.cancel": async ({ desk, options }, args) => {
    const { taskId, reason } = cancelArguments(args);
    const task = await cancelTask(desk, taskId, reason);
    if (task.run_id !== null) options.onRunEnded(task.run_id);
    return task;
  },
} as const satisfies Readonly<Record<string, Act>>;

const LEASES = {
  "lease.claim": async ({ desk, call, options }, args) => {
    const claimed = await claimTask(desk, claimArguments(args));
    if (claimed === undefined) return null;
    // Doing the call over would lease another task.
    call.effects.markIrreversible();
    const { task, run, lost } = claimed;
    if (lost !== undefined) options.onRunEnded(lost.run_id);
    return { task, run };
  },
  "lease.renew": ({ desk }, args) => {
    const { runId, workerId } = renewArguments(args);
    return renewLease(desk, runId, workerId);
  },
  "lease.release": async ({ desk, options }, args) => {
    const { runId, workerId, reason } = releaseArguments(args);
    const task = await releaseTask(desk, runId, workerId, reason);
    options.onRunEnded(runId);
    return task;
  },
} as const satisfies Readonly<Record<string, Act>>;

const RUNS = {
  "run.get": async ({ desk }, args) => show(desk, await findRun(desk, runArguments(args).runId)),
  "run.complete": async ({ desk, options }, args) => {
    const ended = await completeTask(desk, completeArguments(args));
    options.onRunEnded(ended.run.run_id);
    return ended;
  },
  // Between these two a step's own tool writes what it found, and heartbeats come in.
  "run.begin_step": async ({ desk, call, options }, args) => {
    const { runId } = runArguments(args);
    const begun = await workAtOnce(call, options, (own) => beginStep(own, runId));
    if (begun === undefined) return null;
    const { taskId, step } = begun;
    return { task_id: taskId, name: step.name, tool: step.tool, began_at: desk.now };
  },
  "run.end_step": async ({ call, options }, args) => {
    const outcome = endStepArguments(args);
    const run = await workAtOnce(call, options, (own) => endStep(own, outcome));
    if (run.status === "released") options.onRunEnded(run.run_id);
    return run;
  },
  "run.propose": ({ desk, call: { tool, principal }, options }, args) =>
    proposeRun(desk, { ...runArguments(args), tool: tool.name, principal }, options.landing),
  "run.events": async ({ desk, call, options }, args) => {
    const { runId, from = 0, limit = EVENT_LIMIT, wait = 0 } = eventsArguments(args);
    const { tenant } = await findRun(desk, runId);
    const look = () => readJournal(options.store, tenant, runId, { from, limit });
    const until = Math.min(desk.now + wait, call.deadline - DEADLINE_MARGIN_MS);
    return waitForEvents(look, { until, now: options.storeTime, signal: call.signal });
  },
} as const satisfies Readonly<Record<string, Act>>;

const EVIDENCE = {
  "evidence.read": async ({ desk, options }, args) => {
    const { runId, name } = readArguments(args);
    const { tenant, record: run } = await findRun(desk, runId);
    if (name === JOURNAL) return { content: await writeOutJournal(options.store, tenant, runId) };
    if (!(await mayReadCall(desk, desk, run, name))) {
      throw new CairnError(
        "FORBIDDEN",
        `\`${name}\` of run \`${runId}\` is for its caller, and for who decides about it.`,
      );
    }
    const content = await readArtifact(desk, tenant, run, name);
    if (content !== undefined) return { content };
    const names = Object.keys(run.artifacts)
      .map((one) => `\`${one}\``)
      .join(", ");
    throw new CairnError("NOT_FOUND", `Run \`${runId}\` has no \`${name}\`; it has ${names || "none yet"}.`);
  },
  "evidence.write": async ({ desk, call }, args) => {
    const { name, ...rest } = writeArguments(args);
    const run = await writeArtifact(desk, { ...rest, name, tool: call.tool.name });
    return { run_id: run.run_id, name, path: `${run.run_path}/artifacts/${name}`, ...run.artifacts[name] };
  },
  "approvals.write": async ({ desk, call, options }, args) => {
    const { roles, allowsSelfApproval: allowsSelf, version } = desk;
    const decider = { right: "caller", roles, allowsSelf, commit: version.commit, tool: call.tool.name } as const;
    const run = await approveRun(desk, { ...approveArguments(args), decider });
    if (run.status === "rejected") options.onRunEnded(run.run_id);
    return run;
  },
} as const satisfies Readonly<Record<string, Act>>;

const SERVICE = {
  "worker.list": async ({ desk }) =>
    (await desk.glance(workersOf(desk.tenant, desk.scope), EVENT_LIMIT)).map(({ value }) => value),
  "migrate.check": ({ desk, options }) => checkMigration(options.store, { tenant: desk.tenant }),
  "migrate.apply": ({ desk, call, options }) => {
    call.effects.markIrreversible();
    return applyMigration(options.store, { tenant: desk.tenant });
  },
} as const satisfies Readonly<Record<string, Act>>;

async function show(desk: WorkDesk, { tenant, record: run }: Owned<Run>): Promise<Run> {
  return { ...run, lease: await findLease(desk, tenant, run) };
}

/** Milliseconds that a call that waits for events keeps for its answer. */
const DEADLINE_MARGIN_MS = 500;

/** Milliseconds between two looks: events come from other processes, too, which wake nobody here. */
const LOOK_MS = 200;

/** Reads until there is something to read, or it is `until`, or nobody waits any more. */
async function waitForEvents<Event>(
  read: () => Promise<readonly Event[]>,
  { until, now, signal }: { readonly until: number; readonly now: () => number; readonly signal: AbortSignal },
): Promise<readonly Event[]> {
  for (;;) {
    const events = await read();
    const left = until - now();
    if (events.length > 0 || left <= 0 || signal.aborted) return events;
    await setTimeout(Math.min(LOOK_MS, left), undefined, { signal }).catch(() => undefined);
  }
}
