import { readJson } from "../../json/read-json.ts";
import { runKey } from "../../store/keys.ts";
import type { RiskLevel } from "../../versions/workflow.ts";
import type { Version } from "../../versions/version.ts";
import { workAt, type WorkDeskOptions } from "../../capabilities/work/work-desk.ts";
import { claimTask } from "../../capabilities/work/claim-task.ts";
import { findHeldRun, findRun, findTask, note, saveRun, type WorkDesk } from "../../capabilities/work/desk.ts";
import { completeTask, rejectTask } from "../../capabilities/work/end-task.ts";
import { putArtifact, readArtifact } from "../../capabilities/work/evidence.ts";
import { judgeRun, type GateReport } from "../../capabilities/work/gate.ts";
import { readRun, type Run } from "../../capabilities/work/run.ts";
import { endStep } from "../../capabilities/work/steps.ts";
import { WORK_SCHEMA_VERSION } from "../../capabilities/work/task.ts";
import { toTime } from "../../text/to-time.ts";
import { type FeedbackRecord, saveFeedback } from "./feedback-record.ts";

/** Worker that runs feedback. */
export const WORKER = "architect";

/** The run of one piece of feedback: what is written of it, each time in a transaction of its own. */
export interface WorkBook {
  readonly runId: string;
  /** Says whether somebody has approved what the run had found. */
  readonly isApproved: boolean;
  /** Everything at once: no crash parts what was found from the steps that found it. */
  keep(kept: Kept): Promise<void>;
  write(name: string, content: string): Promise<void>;
  read(name: string): Promise<string | undefined>;
  /** Lets go of the run until somebody has decided about a step. */
  block(step: string, message: string): Promise<void>;
  /** Work of the run's own beside its evidence, in one transaction with what that writes. */
  transact<Result>(work: (desk: WorkDesk, evidence: Evidence) => Promise<Result>): Promise<Result>;
  judge(changed: readonly string[], least: RiskLevel): Promise<GateReport>;
  /** @throws CONFLICT once somebody has ended the run. */
  assertHeld(): Promise<void>;
  /** Keeps where the feedback stands, and which steps that ends, as long as the run is under way. */
  save(record: FeedbackRecord, ...done: readonly StepDone[]): Promise<void>;
  complete(record: FeedbackRecord, summary: string, ...done: readonly StepDone[]): Promise<void>;
  fail(record: FeedbackRecord, summary: string): Promise<void>;
  reject(record: FeedbackRecord, reason: string): Promise<void>;
}

/** A step that is completed, unless it was before. */
export interface StepDone {
  readonly step: string;
  readonly message: string;
}

/** Findings, and the steps that they end. */
export interface Kept {
  /** Documents of the run's own form; one of the same name is replaced. */
  readonly reports: readonly {
    readonly name: string;
    readonly status: string;
    readonly more: Readonly<Record<string, unknown>>;
  }[];
  /** Texts by name. */
  readonly texts?: ReadonlyMap<string, string>;
  readonly done?: readonly StepDone[];
}

/** The documents of the run, as one transaction sees and changes them. */
export interface Evidence {
  /** Reads what was written as JSON; undefined when nothing was. */
  read(name: string): Promise<unknown>;
  write(name: string, content: string): void;
}

export interface WorkBookOptions extends WorkDeskOptions {
  readonly now: () => number;
}

/** Characters of a summary that a run keeps. */
const SUMMARY_LENGTH = 9_000;

/** The run of feedback that can be gone on with, or why it cannot be. */
export type OpenedBook =
  | { readonly kind: "open"; readonly book: WorkBook }
  /** The run waits for an approval. */
  | { readonly kind: "blocked" }
  /** The run was ended by a person. */
  | { readonly kind: "over"; readonly summary: string; end(record: FeedbackRecord): Promise<void> };

type At = <Result>(work: (desk: WorkDesk) => Promise<Result>) => Promise<Result>;

/** A run that is under way, and how it is written. */
interface OpenRun {
  readonly record: FeedbackRecord;
  readonly runId: string;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly now: () => number;
  /** Does work in a transaction. */
  readonly at: At;
}

/** Takes up the run of the feedback: a new one, the one that a crash left, or one that was approved. */
export async function openWorkBook(
  record: FeedbackRecord,
  version: Version,
  options: WorkBookOptions,
): Promise<OpenedBook> {
  // Without capabilities: a worker of all tenants would be given theirs.
  const principal = { tenant: record.tenant, actor: record.actor, capabilities: new Set<string>() };
  const at: At = (work) => workAt({ version, principal, scope: record.scope, isArchitect: true }, options, work);
  const run = await takeUp(at, record);
  if (run === undefined || run.status === "blocked") return { kind: "blocked" };
  if (run.status !== "running") {
    const summary = `Its run was ${run.status}${run.result_summary === null ? "" : `: ${run.result_summary}`}.`;
    return { kind: "over", summary, end: (ended) => at((desk) => saveFeedback(desk, ended)) };
  }
  const { now } = options;
  const open: OpenRun = { record, runId: run.run_id, began: now(), now, at };
  return { kind: "open", book: createBook(open, run.artifacts["approval.json"] !== undefined) };
}

/** One claim gives any task of the queue; others' are then under way as well, for whoever goes on with them. */
async function takeUp(at: At, record: FeedbackRecord): Promise<Run | undefined> {
  for (;;) {
    const own = await findOwn(at, record);
    if (own !== undefined && own.status !== "approved") return own;
    const claimed = await at((desk) => claimTask(desk, { workerId: WORKER }));
    if (claimed === undefined) return findOwn(at, record);
  }
}

function findOwn(at: At, { id }: FeedbackRecord): Promise<Run | undefined> {
  return at(async (desk) => {
    const { tenant, record: task } = await findTask(desk, id);
    const value = task.run_id === null ? undefined : await desk.get(runKey(tenant, desk.scope, task.run_id));
    return value === undefined ? undefined : readRun(value);
  });
}

function createBook(run: OpenRun, isApproved: boolean): WorkBook {
  const { runId, began, at } = run;
  return Object.freeze<WorkBook>({
    runId,
    isApproved,
    transact: (work) => transact(run, work),
    write: (name, content) => transact(run, async (_desk, evidence) => evidence.write(name, content)),
    keep: (kept) => transact(run, (desk, evidence) => keep(run, desk, evidence, kept)),
    read: (name) =>
      at(async (desk) => {
        const { tenant, record: found } = await findRun(desk, runId);
        return readArtifact(desk, tenant, found, name);
      }),
    block: (step, message) =>
      at(async (desk) => {
        await endStep(desk, { runId, step, status: "blocked", beganAt: began, message: clip(message) });
      }),
    assertHeld: () => at(async (desk) => void (await findHeldRun(desk, runId))),
    judge: (changed, least) => at((desk) => judgeRun(desk, runId, changed, { least })),
    save: (changed, ...done) =>
      at(async (desk) => {
        await findHeldRun(desk, runId);
        await endSteps(run, desk, done);
        await saveFeedback(desk, changed);
      }),
    complete: (ended, summary, ...done) => end(run, "completed", ended, summary, done),
    fail: (ended, summary) => end(run, "failed", ended, summary, []),
    reject: (ended, reason) =>
      at(async (desk) => {
        await rejectTask(desk, runId, clip(reason));
        await saveFeedback(desk, ended);
      }),
  });
}

function transact<Result>(
  { runId, at }: OpenRun,
  work: (desk: WorkDesk, evidence: Evidence) => Promise<Result>,
): Promise<Result> {
  return at(async (desk) => {
    const { tenant, record: held } = await findHeldRun(desk, runId);
    let changed = held;
    return work(desk, {
      async read(name) {
        const text = await readArtifact(desk, tenant, changed, name);
        return text === undefined ? undefined : readJson(text);
      },
      write(name, content) {
        changed = putArtifact(desk, tenant, changed, name, content);
        saveRun(desk, tenant, changed);
        const { bytes, digest } = changed.artifacts[name] ?? { bytes: 0, digest: "" };
        note(desk, tenant, held, "evidence.written", { name, bytes, digest });
      },
    });
  });
}

async function keep(
  run: OpenRun,
  desk: WorkDesk,
  evidence: Evidence,
  { reports, texts = new Map<string, string>(), done = [] }: Kept,
): Promise<void> {
  const times = { created_at: toTime(run.now()), started_at: toTime(run.began) };
  const head = { schema_version: WORK_SCHEMA_VERSION, task_id: run.record.id, run_id: run.runId, timestamps: times };
  for (const { name, status, more } of reports) {
    evidence.write(name, JSON.stringify({ ...head, status, metrics: {}, warnings: [], errors: [], ...more }));
  }
  for (const [name, content] of texts) evidence.write(name, content);
  await endSteps(run, desk, done);
}

async function endSteps({ runId, began }: OpenRun, desk: WorkDesk, done: readonly StepDone[]): Promise<void> {
  for (const { step, message } of done) {
    const { record: held } = await findHeldRun(desk, runId);
    if (held.steps.some(({ name, status }) => name === step && status === "completed")) continue;
    await endStep(desk, { runId, step, status: "completed", beganAt: began, message: clip(message) });
  }
}

function end(
  run: OpenRun,
  status: "completed" | "failed",
  ended: FeedbackRecord,
  summary: string,
  done: readonly StepDone[],
): Promise<void> {
  return run.at(async (desk) => {
    await endSteps(run, desk, done);
    const { record, runId } = run;
    await completeTask(desk, { taskId: record.id, runId, status, summary: clip(summary), workerId: WORKER });
    await saveFeedback(desk, ended);
  });
}

/** Finds the scope of the tasks that people and workers see: that of the server whose tools show them. */
export function toWorkScope({ servers, commit }: Version): string {
  const tellers = [...servers.values()].filter(({ tools }) => tools.some(({ uses }) => uses.has("work.read")));
  const teller = tellers.find(({ tools }) => tools.some(({ uses }) => uses.has("work.approve"))) ?? tellers[0];
  return teller?.state ?? commit;
}

function clip(text: string): string {
  return text.length <= SUMMARY_LENGTH ? text : `${text.slice(0, SUMMARY_LENGTH)} ...`;
}
