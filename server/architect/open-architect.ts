import { setTimeout as sleep } from "node:timers/promises";
import { toErrorBody } from "../errors.ts";
import { readRun } from "../capabilities/work/run.ts";
import { workOnRecords } from "../capabilities/work/work-desk.ts";
import { feedbackKey, runKey } from "../store/keys.ts";
import type { Key } from "../store/store.ts";
import type { Nudge } from "../forge/nudges.ts";
import type { ArchitectContext } from "./pipeline/context.ts";
import { openConducting, type Piece } from "./conducting.ts";
import { createDoings, type Doings } from "./doings.ts";
import { createForgeWatch } from "./create-forge-watch.ts";
import { createTurns } from "./pipeline/turns.ts";
import { runFeedback } from "./pipeline/run-feedback.ts";
import { type FeedbackRecord, readFeedbackRecord, saveFeedback } from "./pipeline/feedback-record.ts";
import { noFeedback } from "./no-feedback.ts";
import { type RenewalRequest, submitRenewal } from "./renewals/submit-renewal.ts";
import { type Submission, submitFeedback } from "./pipeline/submit-feedback.ts";
import { waitFor } from "./pipeline/wait-for.ts";

export interface Architect {
  /** Keeps feedback and begins to work on it; sent again under its idempotency key it is the same. See `submitFeedback`. */
  submit(submission: Submission): Promise<FeedbackRecord>;
  /** Keeps a renewal of an import, and begins to work on it. See `submitRenewal`. */
  renew(request: RenewalRequest): Promise<FeedbackRecord>;
  /** @throws NOT_FOUND, also for what is another tenant's. */
  find(tenant: string, id: string): Promise<FeedbackRecord>;
  /** Resolves to where it stands once it has ended, or waits for somebody; or after so many milliseconds. */
  settle(tenant: string, id: string, options: { waitMs: number; signal: AbortSignal }): Promise<FeedbackRecord>;
  /** Hears what is being done about it. Returns "stop". */
  follow: Doings["follow"];
  /** Says what is being done about it, or waited for, in a sentence; undefined where nothing was done yet. */
  findDoing: Doings["find"];
  /** The forge may have moved: whatever waits for that looks again. */
  nudge(nudge: Nudge): void;
  /** Leaves everything as it stands; the next start goes on with it. */
  close(): Promise<void>;
}

export interface ArchitectOptions extends Omit<ArchitectContext, "tell" | "watchForge" | "signal"> {
  /** Milliseconds between looks at a forge that says nothing. */
  readonly pollMs: number;
  /** Says whether other processes conduct feedback of the same store. */
  readonly isShared: boolean;
  /** False where another process conducts all feedback of the store. */
  readonly conducts: boolean;
  /** Failures that nobody waits for. */
  readonly onError: (error: unknown) => void;
}

/** Tries of what fails for reasons that may pass, until the sender is told. */
const TRY_LIMIT = 4;
/** Tries where not even the refusal can be kept with its run. */
const GIVE_UP = TRY_LIMIT + 2;
const BACKOFF_MS = 100;
const BACKOFF_LIMIT_MS = 60_000;
/** Milliseconds between looks at what waits for approval, besides being told. */
const APPROVAL_POLL_MS = 30_000;

/** The work of this process on feedback. */
interface Desk {
  readonly context: ArchitectContext;
  readonly turns: ReturnType<typeof createTurns>;
  readonly closing: AbortController;
  readonly doings: Doings;
}

/** Opens one Architect for all versions, which goes on with whatever an earlier process has left, or another one that has ended. */
export async function openArchitect(options: ArchitectOptions): Promise<Architect> {
  const { pollMs, onError } = options;
  const closing = new AbortController();
  const doings = createDoings(options);
  const { nudge, watch } = createForgeWatch({ pollMs, signal: closing.signal });
  const context: ArchitectContext = {
    ...options,
    tell: (record, stage, message) => doings.tell(record, { stage, message }),
    signal: closing.signal,
    watchForge: watch,
  };
  const desk: Desk = { context, turns: createTurns(context), closing, doings };
  const conducting = openConducting({ ...options, conduct: (piece) => conduct(desk, piece) });
  await conducting.look();
  const begin = (record: FeedbackRecord) => {
    void conducting.look().catch(onError);
    return record;
  };
  return Object.freeze<Architect>({
    submit: async (submission) => begin(await submitFeedback(submission, options)),
    renew: async (request) => begin(await submitRenewal(request, options)),
    find: (tenant, id) => load(desk, tenant, id),
    settle: (tenant, id, wait) => settle(desk, tenant, id, wait),
    follow: doings.follow,
    findDoing: doings.find,
    nudge,
    async close() {
      closing.abort();
      await conducting.close();
    },
  });
}

async function load({ context }: Desk, tenant: string, id: string): Promise<FeedbackRecord> {
  const value = (await context.store.get(feedbackKey(tenant, id)))?.value;
  if (value === undefined) throw noFeedback(id);
  return readFeedbackRecord(value);
}

/** Works on a piece of feedback until it has ended, or is to be left. */
async function conduct(desk: Desk, { tenant, id, store, signal }: Piece): Promise<void> {
  const { context, doings } = desk;
  try {
    await conductOn({ ...desk, context: { ...context, store, signal } }, tenant, id);
  } catch (error) {
    if (!signal.aborted) context.onError(error);
  } finally {
    doings.forget(id);
  }
}

async function conductOn(desk: Desk, tenant: string, id: string): Promise<void> {
  const { context, turns } = desk;
  const { tell, onError, signal } = context;
  for (let tries = 1; !signal.aborted; tries++) {
    const record = await load(desk, tenant, id);
    if (record.outcome !== null) return;
    try {
      const done = await runFeedback(context, record, { isLastTry: tries >= TRY_LIMIT, turns });
      if (done.kind === "ended") return tell(done.record, "ended", "");
      tell(record, "waiting", "");
      await waitForDecision(desk, await load(desk, tenant, id));
      tries = 0;
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      tell(record, "retry", `${toErrorBody(error, id).message} It is tried again.`);
      if (tries >= GIVE_UP && (await load(desk, tenant, id)).proposal === null) return giveUp(desk, record, error);
      await sleep(Math.min(BACKOFF_LIMIT_MS, BACKOFF_MS * 2 ** tries), undefined, { signal });
    }
  }
}

/** Ends feedback that cannot even be begun. */
async function giveUp({ context }: Desk, record: FeedbackRecord, error: unknown): Promise<void> {
  const outcome = { kind: "error", error: toErrorBody(error, record.id) } as const;
  const ended: FeedbackRecord = { ...record, stage: "ended", outcome };
  await workOnRecords(record, context, (desk) => saveFeedback(desk, ended));
  context.tell(ended, "ended", "");
}

async function waitForDecision({ context }: Desk, { tenant, scope, run_id }: FeedbackRecord): Promise<void> {
  const { store, signal } = context;
  if (run_id === null) return;
  const run = runKey(tenant, scope, run_id);
  // Not until it changes: the decision may have come before anything here looked.
  while (await isBlocked(store, run)) {
    await waitFor(APPROVAL_POLL_MS, signal, (wake) => store.watch(run, wake));
  }
}

async function isBlocked(store: ArchitectContext["store"], run: Key): Promise<boolean> {
  const stored = await store.get(run);
  return stored === undefined || readRun(stored.value).status === "blocked";
}

async function settle(
  desk: Desk,
  tenant: string,
  id: string,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<FeedbackRecord> {
  const { store, onError } = desk.context;
  const isOver = new AbortController();
  const look = async () => {
    if (isSettled(await load(desk, tenant, id))) isOver.abort();
  };
  const stop = desk.doings.listen(id, ({ stage }) => {
    if (stage === "ended" || stage === "waiting") isOver.abort();
  });
  // Another process may conduct it.
  const unwatch = store.watch(feedbackKey(tenant, id), () => void look().catch(onError));
  try {
    const record = await load(desk, tenant, id);
    if (isSettled(record)) return record;
    const ends = AbortSignal.any([signal, desk.closing.signal, isOver.signal]);
    await sleep(waitMs, undefined, { signal: ends }).catch(() => undefined);
    return await load(desk, tenant, id);
  } finally {
    unwatch();
    stop();
  }
}

function isSettled({ outcome, stage }: FeedbackRecord): boolean {
  return outcome !== null || stage === "approval";
}
