import { CairnError } from "../../errors.ts";
import { lookAtChange, settleChange, type Settled, type SettleOptions } from "../../imports/drift/settle-change.ts";
import { DRIFT_LOOKED } from "../../store/renewal-keys.ts";
import type { Store } from "../../store/store.ts";
import type { Registry } from "../../versions/registry/registry-types.ts";
import type { Architect } from "../open-architect.ts";
import type { ArchitectAnswer, FeedbackRecord } from "../pipeline/feedback-record.ts";
import { LOCAL_PRINCIPAL } from "../../principal.ts";
import type { AskedImport, AskSources } from "./ask-sources.ts";
import { findLastRenewal } from "./submit-renewal.ts";

/** The time by which sources are asked. */
export interface DriftTime {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 up to but not 1. */
  readonly random: () => number;
  /** Resolves after so many milliseconds; rejects once the signal says so. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface DriftScheduleOptions {
  readonly everyMs: number;
  readonly ask: AskSources;
  readonly store: Store;
  readonly registry: Pick<Registry, "read" | "refresh">;
  readonly architect: Pick<Architect, "renew" | "find" | "settle">;
  /** Finds the commit of the default branch. */
  readonly findHead: () => Promise<string>;
  /** The forge with what reads its changes; absent: what has changed is said, and nothing is proposed. */
  readonly place?: Omit<SettleOptions, "from" | "sleep">;
  readonly time: DriftTime;
  readonly report: DriftReport;
  readonly onError: (error: unknown) => void;
}

/** Hears what comes of each look. */
export interface DriftReport {
  readonly began: (commit: string) => void;
  readonly found: (asked: AskedImport) => void;
  readonly settled: (asked: AskedImport, outcome: Outcome) => void;
  readonly ended: (at: number) => void;
}

/** Fate of an import after a look: of its change on the forge, of the run that renews it, or why there is none. */
export type Outcome =
  | { readonly kind: "change"; readonly settled: Settled }
  | { readonly kind: "run"; readonly id: string; readonly answer?: ArchitectAnswer; readonly error?: string }
  | { readonly kind: "none"; readonly reason: string };

/** Part of the interval by which a look may come later, so that many services do not ask one source at once. */
const JITTER = 0.1;
/** Milliseconds after the start before the first look. */
const FIRST_MS = 30_000;
/** Milliseconds that asking all sources may take, and that a look waits for the runs it has begun. */
const ASK_MS = 30 * 60_000;
const SETTLE_MS = 30 * 60_000;

/** Opens the looks at the sources of imports: one at a time, at an interval that goes on over restarts. Returns what ends them. */
export function openDriftSchedule(options: DriftScheduleOptions): { close(): Promise<void> } {
  const closing = new AbortController();
  const looking = repeat(options, closing.signal);
  return Object.freeze({
    async close() {
      closing.abort();
      await looking;
    },
  });
}

async function repeat(options: DriftScheduleOptions, signal: AbortSignal): Promise<void> {
  const { everyMs, store, time, onError } = options;
  const { now, random, sleep } = time;
  while (!signal.aborted) {
    try {
      const { value: last, rev = 0 } = (await store.get(DRIFT_LOOKED)) ?? {};
      const due = typeof last === "number" ? last + everyMs - now() : 0;
      // Of a clock that was set back, no more than one interval is waited for.
      await sleep(Math.min(Math.max(due, FIRST_MS), everyMs) + random() * JITTER * everyMs, signal);
      // First: a look that brings the process down is not made again at once.
      const { ok } = await store.commit({
        check: [{ key: DRIFT_LOOKED, rev }],
        set: [{ key: DRIFT_LOOKED, value: now() }],
      });
      // Another node of the store has this look.
      if (ok) await look(options, signal);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }
}

/** Asks all sources once, and takes what has changed to the Architect. */
async function look(options: DriftScheduleOptions, closing: AbortSignal): Promise<void> {
  const { ask, registry, findHead, report, time, onError } = options;
  const { ok, message } = await registry.refresh();
  if (!ok) throw new CairnError("UNAVAILABLE", message ?? "The repository cannot be read.");
  const head = await findHead();
  report.began(head);
  const states = await ask(head, AbortSignal.any([closing, AbortSignal.timeout(ASK_MS)]));
  for (const one of states) report.found(one);
  const settling = states.map(async (one) => {
    try {
      const outcome = await settle(options, head, one, closing);
      if (outcome !== undefined) report.settled(one, outcome);
    } catch (error) {
      if (closing.aborted) return;
      if (!(error instanceof CairnError)) onError(error);
      report.settled(one, { kind: "none", reason: error instanceof CairnError ? error.message : "It failed inside." });
    }
  });
  await Promise.all(settling);
  if (!closing.aborted) report.ended(time.now());
}

/** Brings the change of one import to where it should be: it is closed here, and made or renewed by a run of the Architect. */
async function settle(
  options: DriftScheduleOptions,
  head: string,
  one: AskedImport,
  closing: AbortSignal,
): Promise<Outcome | undefined> {
  const { store, registry, architect, place, time } = options;
  const { kind, name, from, found } = one;
  if (found.state === "failed" || found.state === "skipped" || place === undefined) return undefined;
  const last = await findLastRenewal(store, { kind, name });
  const record = last === undefined ? undefined : await findRecord(architect, last.id);
  // One at a time: what has begun is brought to its end by the Architect, also after a restart.
  if (record !== undefined && record.outcome === null) return waitFor(options, record, closing);
  const at = { ...place, from: head, sleep: (ms: number) => time.sleep(ms, closing).then(() => undefined) };
  if (found.state === "unchanged") return toChange(await settleChange(at, { kind, name }, undefined));
  const { fingerprint, files, notes } = found.drift;
  const standing = await lookAtChange(at, { kind, name }, fingerprint);
  if (standing.due === "none") return toChange(standing.settled);
  // The same plan on the same commit would be refused for the same reason.
  if (record !== undefined && isRefused(record) && last?.fingerprint === fingerprint && last.commit === head)
    return toRun(record);
  const version = await registry.read(head);
  const renewed = await architect.renew({ renewal: { kind, name, from, fingerprint }, version, files, notes });
  return waitFor(options, renewed, closing);
}

async function waitFor(
  { architect }: DriftScheduleOptions,
  { tenant, id }: FeedbackRecord,
  signal: AbortSignal,
): Promise<Outcome> {
  return toRun(await architect.settle(tenant, id, { waitMs: SETTLE_MS, signal }));
}

/** Finds the record of a renewal, unless it was removed since. */
function findRecord({ find }: Pick<Architect, "find">, id: string): Promise<FeedbackRecord | undefined> {
  return find(LOCAL_PRINCIPAL.tenant, id).catch((error: unknown) => {
    if (error instanceof CairnError && error.name === "NOT_FOUND") return undefined;
    throw error;
  });
}

function isRefused({ outcome }: FeedbackRecord): boolean {
  return outcome?.kind === "answer" && outcome.answer.result === "rejected";
}

function toRun({ id, outcome }: FeedbackRecord): Outcome {
  if (outcome?.kind === "answer") return { kind: "run", id, answer: outcome.answer };
  return { kind: "run", id, ...(outcome?.kind === "error" ? { error: outcome.error.message } : {}) };
}

function toChange(settled: Settled): Outcome | undefined {
  return settled.outcome === "none" ? undefined : { kind: "change", settled };
}
