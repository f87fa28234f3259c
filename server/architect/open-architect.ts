import { setTimeout as sleep } from "node:timers/promises";
import { toErrorBody } from "../errors.ts";
import { feedbackKey, OPEN_FEEDBACK, openFeedbackKey, runKey } from "../store/keys.ts";
import type { Json } from "../store/store.ts";
import type { Nudge } from "../forge/nudges.ts";
import type { ArchitectContext } from "./pipeline/context.ts";
import { createForgeWatch } from "./create-forge-watch.ts";
import { createTurns } from "./pipeline/turns.ts";
import { runFeedback } from "./pipeline/run-feedback.ts";
import { type FeedbackRecord, readFeedbackRecord } from "./pipeline/feedback-record.ts";
import { noFeedback } from "./no-feedback.ts";
import { type Submission, submitFeedback } from "./pipeline/submit-feedback.ts";
import { waitFor } from "./pipeline/wait-for.ts";

/** What is being done about feedback. */
export interface Progress {
  readonly stage: string;
  readonly message: string;
}

export interface Architect {
  /** Keeps feedback and begins to work on it; sent again under its idempotency key it is the same. See `submitFeedback`. */
  submit(submission: Submission): Promise<FeedbackRecord>;
  /** @throws NOT_FOUND, also for what is another tenant's. */
  find(tenant: string, id: string): Promise<FeedbackRecord>;
  /** Where it stands once it has ended, or waits for somebody; or after so many milliseconds. */
  settle(tenant: string, id: string, options: { waitMs: number; signal: AbortSignal }): Promise<FeedbackRecord>;
  /** Returns "stop". */
  follow(id: string, listener: (progress: Progress) => void): () => void;
  /** What is being done about it, or waited for, in a sentence; undefined where this process has done nothing yet. */
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
/** The same where not even that can be kept with its run. */
const GIVE_UP = TRY_LIMIT + 2;
const BACKOFF_MS = 100;
const BACKOFF_LIMIT_MS = 60_000;
/** Milliseconds between looks at what waits for approval, besides being told. */
const APPROVAL_POLL_MS = 30_000;

/** One Architect for all versions, which goes on with whatever an earlier process has left. */
export async function openArchitect(options: ArchitectOptions): Promise<Architect> {
  const { store, pollMs, onError } = options;
  const closing = new AbortController();
  const driven = new Map<string, Promise<void>>();
  const listeners = new Map<string, Set<(progress: Progress) => void>>();
  const doing = new Map<string, string>();
  const { nudge, watch } = createForgeWatch({ pollMs, signal: closing.signal });
  const tell = ({ id }: FeedbackRecord, stage: string, message: string) => {
    if (message !== "") doing.set(id, message);
    for (const listener of listeners.get(id) ?? []) listener({ stage, message });
  };
  const context: ArchitectContext = {
    ...options,
    tell,
    signal: closing.signal,
    watchForge: watch,
  };
  const turns = createTurns(context);

  async function load(tenant: string, id: string): Promise<FeedbackRecord> {
    const value = (await store.get(feedbackKey(tenant, id)))?.value;
    if (value === undefined) throw noFeedback(id);
    return readFeedbackRecord(value);
  }

  function drive(tenant: string, id: string): void {
    if (driven.has(id)) return;
    const driving = driveOn(tenant, id)
      .catch((error: unknown) => {
        if (!closing.signal.aborted) onError(error);
      })
      .finally(() => {
        driven.delete(id);
        doing.delete(id);
      });
    driven.set(id, driving);
  }

  async function driveOn(tenant: string, id: string): Promise<void> {
    for (let tries = 1; !closing.signal.aborted; tries++) {
      const record = await load(tenant, id);
      if (record.outcome !== null) return;
      try {
        const done = await runFeedback(context, record, { isLastTry: tries >= TRY_LIMIT, turns });
        if (done.kind === "ended") return tell(done.record, "ended", "");
        tell(record, "waiting", "");
        await waitForDecision(await load(tenant, id));
        tries = 0;
      } catch (error) {
        if (closing.signal.aborted) return;
        onError(error);
        tell(record, "retry", `${toErrorBody(error, id).message} It is tried again.`);
        if (tries >= GIVE_UP && (await load(tenant, id)).proposal === null) return giveUp(record, error);
        await sleep(Math.min(BACKOFF_LIMIT_MS, BACKOFF_MS * 2 ** tries), undefined, { signal: closing.signal });
      }
    }
  }

  /** What cannot even be begun. */
  async function giveUp(record: FeedbackRecord, error: unknown): Promise<void> {
    const { tenant, id } = record;
    const outcome = { kind: "error", error: toErrorBody(error, id) } as const;
    const ended: FeedbackRecord = { ...record, stage: "ended", outcome };
    const write = { key: feedbackKey(tenant, id), value: ended as unknown as Json };
    await store.commit({ set: [write], del: [openFeedbackKey(id)] });
    tell(ended, "ended", "");
  }

  async function waitForDecision({ tenant, scope, run_id }: FeedbackRecord): Promise<void> {
    if (run_id === null) return;
    const run = runKey(tenant, scope, run_id);
    const before = (await store.get(run))?.rev;
    while ((await store.get(run))?.rev === before) {
      await waitFor(APPROVAL_POLL_MS, closing.signal, (wake) => store.watch(run, wake));
    }
  }

  for await (const { key, value } of store.scan({ prefix: OPEN_FEEDBACK })) drive(String(value), String(key.at(-1)));

  return Object.freeze<Architect>({
    async submit(submission) {
      const record = await submitFeedback(submission, options);
      drive(record.tenant, record.id);
      return record;
    },
    find: load,
    async settle(tenant, id, { waitMs, signal }) {
      const isOver = new AbortController();
      const stop = follow(id, ({ stage }) => {
        if (stage === "ended" || stage === "waiting") isOver.abort();
      });
      try {
        const record = await load(tenant, id);
        if (record.outcome !== null || record.stage === "approval") return record;
        const ends = AbortSignal.any([signal, closing.signal, isOver.signal]);
        await sleep(waitMs, undefined, { signal: ends }).catch(() => undefined);
        return await load(tenant, id);
      } finally {
        stop();
      }
    },
    follow,
    findDoing: (id) => doing.get(id),
    nudge,
    async close() {
      closing.abort();
      await Promise.allSettled(driven.values());
    },
  });

  function follow(id: string, listener: (progress: Progress) => void): () => void {
    const followers = listeners.get(id) ?? new Set();
    listeners.set(id, followers);
    const stop = listen(followers, listener);
    return () => {
      stop();
      if (followers.size === 0) listeners.delete(id);
    };
  }
}

function listen<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
