import { canonicalJson } from "../json/canonical-json.ts";
import { findMisfit } from "../capabilities/state/find-misfit.ts";
import { CairnError } from "../errors.ts";
import { ARCHITECT_STATE, ARCHITECT_TUNE, holds, holdsByName, type Principal } from "../principal.ts";
import { createRecordReader } from "../json/stored.ts";
import { conversationKey, sessionKey, stateKey, undoKey } from "../store/keys.ts";
import type { Json, Key, Store } from "../store/store.ts";
import { createTransaction, transact, type Transaction } from "../kernel/transaction.ts";
import { SESSION_LIMIT } from "../capabilities/session/session.ts";
import { readSessionRecord } from "../kernel/conversation.ts";
import { type Desk, openExperiment } from "../capabilities/tuner/actions/desk.ts";
import { promote, revert } from "../capabilities/tuner/actions/promote.ts";
import type { Ledgers } from "../capabilities/tuner/ledgers.ts";
import type { Version } from "../versions/version.ts";
import type { Adjustment } from "./planners/plan.ts";

export interface AdjustOptions {
  readonly store: Store;
  readonly ledgers: Ledgers;
  readonly now: () => number;
  /** Resolves once the records of all calls that were answered are written. */
  readonly settled: () => Promise<void>;
}

export interface AdjustRequest {
  /** The id of the feedback, under which it can be taken back. */
  readonly id: string;
  readonly version: Version;
  readonly principal: Principal;
  readonly adjustments: readonly Adjustment[];
  /** Only says what would be done. */
  readonly dryRun: boolean;
}

/** Adjustment that reverts another one. */
type Undo = Exclude<Adjustment, { readonly kind: "undo" }>;

/** A transaction in which tuning, sessions and state are adjusted. */
type Adjusting = Desk & Transaction;

interface UndoRecord {
  readonly schema_version: 1;
  /** Sentences about what was done. */
  readonly said: readonly string[];
  readonly undo: readonly Undo[];
}

const readUndoRecord = createRecordReader<UndoRecord>("feedback-undo");

/**
 * Makes all adjustments or none, each with what takes it back, and says in sentences what was done. Once done, the same
 * feedback does nothing again.
 *
 * @throws FORBIDDEN naming what the sender lacks; BAD_REQUEST, NOT_FOUND or CONFLICT saying what cannot be done.
 */
export async function adjust(request: AdjustRequest, options: AdjustOptions): Promise<readonly string[]> {
  const { store } = options;
  const work = (transaction: Transaction) => adjustIn(transaction, request, options);
  if (request.dryRun) return work(createTransaction(store));
  return transact(store, "Others changed the same all the time; try again.", work);
}

async function adjustIn(
  transaction: Transaction,
  { id, version, principal, adjustments }: AdjustRequest,
  { ledgers, now, settled }: AdjustOptions,
): Promise<readonly string[]> {
  const { tenant, actor } = principal;
  const done = await transaction.get(undoKey(tenant, id));
  if (done !== undefined) return readUndoRecord(done).said;
  const desk: Adjusting = { ...transaction, version, tenant, actor, callId: id, now: now(), ledgers, settled };
  const said: string[] = [];
  const undo: Undo[] = [];
  for (const adjustment of await expand(desk, adjustments)) {
    assertMay(principal, adjustment);
    const made = await make(desk, adjustment);
    said.push(made.said);
    undo.unshift(made.undo);
  }
  const record: UndoRecord = { schema_version: 1, said, undo };
  transaction.set(undoKey(tenant, id), record as unknown as Json);
  return said;
}

/** Takes the place of an `undo` with what it means. */
async function expand({ tenant, get }: Desk, adjustments: readonly Adjustment[]): Promise<readonly Undo[]> {
  const all: Undo[] = [];
  for (const adjustment of adjustments) {
    if (adjustment.kind !== "undo") {
      all.push(adjustment);
      continue;
    }
    const known = await get(undoKey(tenant, adjustment.id));
    if (known === undefined) {
      throw new CairnError(
        "NOT_FOUND",
        `No feedback \`${adjustment.id.slice(0, 64)}\` has tuned or changed anything here.`,
      );
    }
    all.push(...readUndoRecord(known).undo);
  }
  return all;
}

function assertMay(principal: Principal, { kind }: Adjustment): void {
  const { actor } = principal;
  if (kind !== "state") {
    if (holds(principal, ARCHITECT_TUNE)) return;
    throw new CairnError(
      "FORBIDDEN",
      `To move what calls run with, \`${actor}\` would have to hold \`${ARCHITECT_TUNE}\`.`,
    );
  }
  if (holdsByName(principal, ARCHITECT_STATE)) return;
  throw new CairnError(
    "FORBIDDEN",
    `To correct the state of servers, \`${actor}\` would have to hold \`${ARCHITECT_STATE}\`; policies grant it, to callers without a token by the role \`anonymous\`.`,
  );
}

async function make(desk: Adjusting, adjustment: Undo): Promise<{ readonly said: string; readonly undo: Undo }> {
  switch (adjustment.kind) {
    case "promote":
    case "revert":
    case "reset":
      return tune(desk, adjustment);
    case "session":
      return correctSession(desk, adjustment);
    case "state":
      return correctState(desk, adjustment);
  }
}

async function tune(desk: Desk, adjustment: Extract<Undo, { readonly experiment: string }>) {
  const { experiment } = adjustment;
  const ledger = await openExperiment(desk, experiment);
  const before = (await ledger.read()).active.values;
  const { state, isChanged } =
    adjustment.kind === "revert"
      ? await revert(desk, { experiment })
      : await promote(desk, adjustment.kind === "reset" ? { experiment, values: ledger.set.defaults } : adjustment);
  if (!isChanged) throw new CairnError("CONFLICT", `These values of \`${experiment}\` are active already.`);
  const { values, arm } = state.active;
  const name = arm === undefined ? "" : `\`${arm}\`: `;
  const said = `\`${experiment}\` now runs with ${name}${canonicalJson(values)} instead of ${canonicalJson(before)}.`;
  return { said, undo: { kind: "promote", experiment, values: before } as const };
}

async function correctSession(
  { version, tenant, now, get, set }: Desk,
  { conversationId, value }: Extract<Undo, { readonly kind: "session" }>,
) {
  const key = sessionKey(tenant, version.commit, conversationId);
  const stored = await get(key);
  const owner = await get(conversationKey(tenant, conversationId));
  if (stored === undefined || owner === undefined) {
    const name = conversationId.slice(0, 64);
    throw new CairnError(
      "NOT_FOUND",
      `Version ${version.semver} has no conversation \`${name}\` that remembers anything.`,
    );
  }
  const size = Buffer.byteLength(JSON.stringify(value));
  if (size > SESSION_LIMIT) {
    throw new CairnError(
      "BAD_REQUEST",
      `${size} bytes are more than the ${SESSION_LIMIT} that one conversation may remember.`,
    );
  }
  const session = readSessionRecord(stored);
  set(key, { ...session, value, updatedAt: now } as unknown as Json);
  const what = value === null ? "remembers nothing any more" : "remembers something else";
  return {
    said: `The conversation \`${conversationId}\` ${what}.`,
    undo: { kind: "session", conversationId, value: session.value } as const,
  };
}

async function correctState(desk: Adjusting, { server, key, value }: Extract<Undo, { readonly kind: "state" }>) {
  const { version, tenant } = desk;
  const found = version.servers.get(server);
  if (found === undefined) {
    const names = [...version.servers.keys()].map((name) => `\`${name}\``).join(", ");
    throw new CairnError(
      "NOT_FOUND",
      `Version ${version.semver} has no server \`${server.slice(0, 64)}\`; it has ${names}.`,
    );
  }
  const at: Key = stateKey(tenant, server, found.state ?? version.commit, key);
  const wrong = value === null ? undefined : findMisfit(found, key, value);
  if (wrong !== undefined) throw new CairnError("BAD_REQUEST", wrong);
  const before = (await desk.get(at)) ?? null;
  if (canonicalJson(before) === canonicalJson(value)) {
    throw new CairnError("CONFLICT", `The state of \`${server}\` says so already at \`${canonicalJson(key)}\`.`);
  }
  if (value === null) desk.delete(at);
  else desk.set(at, value);
  const what = value === null ? "has nothing" : `has ${clip(canonicalJson(value))}`;
  return {
    said: `The state of \`${server}\` ${what} at \`${canonicalJson(key)}\` instead of ${clip(canonicalJson(before))}.`,
    undo: { kind: "state", server, key, value: before } as const,
  };
}

function clip(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200).toWellFormed()} ...`;
}
