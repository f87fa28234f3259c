import { setTimeout as sleep } from "node:timers/promises";
import { toErrorBody } from "../errors.ts";
import { readRun } from "../capabilities/work/run.ts";
import { workOnRecords } from "../capabilities/work/work-desk.ts";
import { feedbackKey, OPEN_FEEDBACK, runKey } from "../store/keys.ts";
import { HANDED_OVER } from "../store/proposal-keys.ts";
import type { Key } from "../store/store.ts";
import type { Nudge } from "../forge/nudges.ts";
import type { ArchitectContext } from "./pipeline/context.ts";
import { createForgeWatch } from "./create-forge-watch.ts";
import { createTurns } from "./pipeline/turns.ts";
import { runFeedback } from "./pipeline/run-feedback.ts";
import { type FeedbackRecord, readFeedbackRecord, saveFeedback } from "./pipeline/feedback-record.ts";
import { noFeedback } from "./no-feedback.ts";
import { type RenewalRequest, submitRenewal } from "./renewals/submit-renewal.ts";
import { type Submission, submitFeedback } from "./pipeline/submit-feedback.ts";
import { waitFor } from "./pipeline/wait-for.ts";

/** A step that is being done about feedback. */
export interface Progress {
  readonly stage: string;
  readonly message: string;
}

export interface Architect {
  /** Keeps feedback and begins to work on it; sent again under its idempotency key it is the same. See `submitFeedback`. */
  submit(submission: Submission): Promise<FeedbackRecord>;
  /** Keeps a renewal of an import, and begins to work on it. See `submitRenewal`. */
  renew(request: RenewalRequest): Promise<FeedbackRecord>;
  /** @throws NOT_FOUND, also for what is another tenant's. */
  find(tenant: string, id: string): Promise<FeedbackRecord>;
  /** Resolves to where it stands once it has ended, or waits for somebody; or after so many milliseconds. */
  settle(tenant: string, id: string, options: { waitMs: number; signal: AbortSignal }): Promise<FeedbackRecord>;
  /** Returns "stop". */
  follow(id: string, listener: (progress: Progress) => void): () => void;
  /** Says what is being done about it, or waited for, in a sentence; undefined where this process has done nothing yet. */
  findDoing(id: string): string | undefined;
  /** The forge may have moved: whatever waits for that looks again. */
  nudge(nudge: Nudge): void;
  /** Leaves everything as it stands; the next start goes on with it. */
  close(): Promise<void>;
}

export interface ArchitectOptions extends Omit<ArchitectContext, "tell" | "watchForge" | "signal"> {
  /** Milliseconds between looks at a forge that says nothing. */
  readonly pollMs: number;
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

type Listener = (progress: Progress) => void;

/** The work of this process on feedback. */
interface Desk {
  readonly context: ArchitectContext;
  readonly turns: ReturnType<typeof createTurns>;
  readonly closing: AbortController;
  /** Feedback that is worked on, by id. */
  readonly driven: Map<string, Promise<void>>;
  readonly listeners: Map<string, Set<Listener>>;
  /** The present step of each, in a sentence. */
  readonly doing: Map<string, string>;
}

/** Opens one Architect for all versions, which goes on with whatever an earlier process has left. */
export async function openArchitect(options: ArchitectOptions): Promise<Architect> {
  const { store, pollMs } = options;
  const closing = new AbortController();
  const listeners: Desk["listeners"] = new Map();
  const doing: Desk["doing"] = new Map();
  const { nudge, watch } = createForgeWatch({ pollMs, signal: closing.signal });
  const context: ArchitectContext = {
    ...options,
    tell({ id }, stage, message) {
      if (message !== "") doing.set(id, message);
      for (const listener of listeners.get(id) ?? []) listener({ stage, message });
    },
    signal: closing.signal,
    watchForge: watch,
  };
  const desk: Desk = { context, turns: createTurns(context), closing, driven: new Map(), listeners, doing };
  const driveAll = async () => {
    for await (const { key, value } of store.scan({ prefix: OPEN_FEEDBACK }))
      drive(desk, String(value), String(key.at(-1)));
  };
  await driveAll();
  // Runs are handed over in calls of others.
  const stopWatching = store.watch(HANDED_OVER, () => void driveAll().catch(options.onError));
  return Object.freeze<Architect>({
    async submit(submission) {
      const record = await submitFeedback(submission, options);
      drive(desk, record.tenant, record.id);
      return record;
    },
    async renew(request) {
      const record = await submitRenewal(request, options);
      drive(desk, record.tenant, record.id);
      return record;
    },
    find: (tenant, id) => load(desk, tenant, id),
    settle: (tenant, id, wait) => settle(desk, tenant, id, wait),
    follow: (id, listener) => follow(desk, id, listener),
    findDoing: (id) => doing.get(id),
    nudge,
    async close() {
      stopWatching();
      closing.abort();
      await Promise.allSettled(desk.driven.values());
    },
  });
}

async function load({ context }: Desk, tenant: string, id: string): Promise<FeedbackRecord> {
  const value = (await context.store.get(feedbackKey(tenant, id)))?.value;
  if (value === undefined) throw noFeedback(id);
  return readFeedbackRecord(value);
}

/** Begins to work on feedback, unless that is under way. */
function drive(desk: Desk, tenant: string, id: string): void {
  const { context, closing, driven, doing } = desk;
  if (driven.has(id)) return;
  const driving = driveOn(desk, tenant, id)
    .catch((error: unknown) => {
      if (!closing.signal.aborted) context.onError(error);
    })
    .finally(() => {
      driven.delete(id);
      doing.delete(id);
    });
  driven.set(id, driving);
}

async function driveOn(desk: Desk, tenant: string, id: string): Promise<void> {
  const { context, turns, closing } = desk;
  const { tell, onError } = context;
  for (let tries = 1; !closing.signal.aborted; tries++) {
    const record = await load(desk, tenant, id);
    if (record.outcome !== null) return;
    try {
      const done = await runFeedback(context, record, { isLastTry: tries >= TRY_LIMIT, turns });
      if (done.kind === "ended") return tell(done.record, "ended", "");
      tell(record, "waiting", "");
      await waitForDecision(desk, await load(desk, tenant, id));
      tries = 0;
    } catch (error) {
      if (closing.signal.aborted) return;
      onError(error);
      tell(record, "retry", `${toErrorBody(error, id).message} It is tried again.`);
      if (tries >= GIVE_UP && (await load(desk, tenant, id)).proposal === null) return giveUp(desk, record, error);
      await sleep(Math.min(BACKOFF_LIMIT_MS, BACKOFF_MS * 2 ** tries), undefined, { signal: closing.signal });
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

async function waitForDecision({ context, closing }: Desk, { tenant, scope, run_id }: FeedbackRecord): Promise<void> {
  const { store } = context;
  if (run_id === null) return;
  const run = runKey(tenant, scope, run_id);
  // Not until it changes: the decision may have come before anything here looked.
  while (await isBlocked(store, run)) {
    await waitFor(APPROVAL_POLL_MS, closing.signal, (wake) => store.watch(run, wake));
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
  const isOver = new AbortController();
  const stop = follow(desk, id, ({ stage }) => {
    if (stage === "ended" || stage === "waiting") isOver.abort();
  });
  try {
    const record = await load(desk, tenant, id);
    if (record.outcome !== null || record.stage === "approval") return record;
    const ends = AbortSignal.any([signal, desk.closing.signal, isOver.signal]);
    await sleep(waitMs, undefined, { signal: ends }).catch(() => undefined);
    return await load(desk, tenant, id);
  } finally {
    stop();
  }
}

function follow({ listeners }: Desk, id: string, listener: Listener): () => void {
  const followers = listeners.get(id) ?? new Set();
  listeners.set(id, followers);
  followers.add(listener);
  return () => {
    followers.delete(listener);
    if (followers.size === 0) listeners.delete(id);
  };
}
