import { CairnError, toErrorBody } from "../../errors.ts";
import { feedbackKey } from "../../store/keys.ts";
import { defined } from "../../json/defined.ts";
import { showHidden } from "../../text/find-hidden.ts";
import { proposeRenewal } from "../renewals/propose-renewal.ts";
import { approve } from "./approve.ts";
import { build } from "./build.ts";
import type { ArchitectContext } from "./context.ts";
import { type FeedbackRecord, readFeedbackRecord } from "./feedback-record.ts";
import { land } from "./land.ts";
import { plan } from "./plan.ts";
import { propose } from "./propose.ts";
import { publish } from "./publish.ts";
import { receive } from "./receive.ts";
import { type Next, type Run, toWorkspaceName, type Transition } from "./run.ts";
import type { Turn, Turns } from "./turns.ts";
import { verify } from "./verify.ts";
import { openWorkBook } from "./work-book.ts";

/** Present state of a piece of feedback: ended, or waiting for an approval. */
export type Outcome = { readonly kind: "ended"; readonly record: FeedbackRecord } | { readonly kind: "waiting" };

interface Standing {
  readonly run: Run;
  readonly next: Next;
}

/** Steps of which one piece of feedback after the other has its turn on a branch. */
const IN_TURN: ReadonlySet<Next["step"]> = new Set(["build", "verify", "approve", "propose", "land"]);

/**
 * Takes feedback from where it stands to its end: through all steps, or as far as one rejects it. Here alone the record is
 * saved, after each step, so that any can be cut short: it is then done again, with the same end.
 */
export async function runFeedback(
  context: ArchitectContext,
  received: FeedbackRecord,
  { isLastTry, turns }: { readonly isLastTry: boolean; readonly turns: Turns },
): Promise<Outcome> {
  const opened = await openRun(context, received);
  if (!("book" in opened)) return opened;
  let stands: Standing = { run: opened, next: received.stage === "landed" ? { step: "publish" } : { step: "receive" } };
  let turn: Turn | undefined;
  try {
    for (;;) {
      const { run, next }: Standing = stands;
      context.signal.throwIfAborted();
      const isInTurn = IN_TURN.has(next.step);
      if (!isInTurn) {
        turn?.leave(run.record);
        turn = undefined;
      }
      if (next.step === "wait") return await wait(context, run, next);
      if (next.step === "end") return await end(context, run, next);
      if (isInTurn && turn === undefined) {
        turn = await turns.take(run, next);
        stands = await save(run, turn.from);
      } else stands = await save(run, await doStep(context, run, next));
    }
  } catch (error) {
    return await giveUp(context, stands.run, error, isLastTry);
  } finally {
    turn?.leave(stands.run.record);
  }
}

async function save(run: Run, { record, done = [], next }: Transition): Promise<Standing> {
  if (record !== run.record) await run.book.save(record, ...done);
  const replans = run.replans + (next.step === "receive" && next.anew === true ? 1 : 0);
  return { run: { ...run, record, replans }, next };
}

function doStep(
  context: ArchitectContext,
  run: Run,
  next: Exclude<Next, { readonly step: "wait" | "end" }>,
): Promise<Transition> {
  switch (next.step) {
    case "receive":
      return receive(context, run, next);
    case "plan":
      return plan(context, run, next);
    case "build":
      return build(context, run, next);
    case "verify":
      return verify(context, run, next);
    case "approve":
      return approve(run, next);
    case "propose":
      // What it is called and made from is decided for all alike.
      return run.record.renewal === undefined || run.record.proposal === null
        ? propose(context, run, next)
        : proposeRenewal(context, run, next);
    case "land":
      return land(context, run, next);
    case "publish":
      return publish(context, run);
  }
}

/** Takes up the run of the feedback. What somebody has ended meanwhile is brought to its end here. */
async function openRun(context: ArchitectContext, received: FeedbackRecord): Promise<Run | Outcome> {
  const { registry, forge } = context;
  // What was begun is brought to its end whatever has become of the version, else it would stay half done.
  // The service's own is about the default branch, which no tag need lead to.
  const isNew = received.stage === "received" && received.renewal === undefined;
  const version = isNew ? (await registry.resolve(received.commit)).version : await registry.read(received.commit);
  const opened = await openWorkBook(received, version, context);
  if (opened.kind === "blocked") return { kind: "waiting" };
  if (opened.kind === "over") {
    const { change = null, landed = null } = received.proposal ?? {};
    if (change !== null && landed === null) await forge?.abandon(change, opened.summary);
    const answer = { result: "rejected", notes: opened.summary } as const;
    const record: FeedbackRecord = { ...received, stage: "ended", outcome: { kind: "answer", answer } };
    await opened.end(record);
    return { kind: "ended", record };
  }
  const { book } = opened;
  const record: FeedbackRecord = { ...received, run_id: book.runId };
  await book.save(record);
  return { record, book, version, replans: 0 };
}

async function wait(
  context: ArchitectContext,
  { book }: Run,
  { reasons }: Extract<Next, { readonly step: "wait" }>,
): Promise<Outcome> {
  await book.block("gate", reasons.join(" "));
  await discard(context, book.runId);
  return { kind: "waiting" };
}

async function end(
  context: ArchitectContext,
  { book, record }: Run,
  { answer: given, isOpen = false, isMendable, done = [] }: Extract<Next, { readonly step: "end" }>,
): Promise<Outcome> {
  // Notes quote the message, and characters that nobody sees in it would hide in them.
  const answer = { ...given, notes: showHidden(given.notes.toWellFormed()) };
  // What the objective itself says would be no other in another attempt.
  const mends = isMendable === true && record.planner === "worker";
  const work = record.work && { ...record.work, ...(mends && { is_mendable: true as const }) };
  const ended: FeedbackRecord = {
    ...record,
    ...defined({ work }),
    stage: "ended",
    outcome: { kind: "answer", answer },
  };
  context.tell(ended, "end", answer.result);
  // First: nobody goes on with feedback that has ended.
  await discard(context, book.runId);
  // A run whose gate has not passed cannot complete; that of a dry run waits for nobody.
  if (answer.result === "rejected" || isOpen) await book.reject(ended, answer.notes);
  else await book.complete(ended, answer.notes, ...done);
  if (work !== undefined) await context.workspaces.remove(work.run_id);
  return { kind: "ended", record: ended };
}

/** Ends feedback with an error, unless the same may go better another time: then rethrows. */
async function giveUp(
  context: ArchitectContext,
  { book, record }: Run,
  error: unknown,
  isLastTry: boolean,
): Promise<Outcome> {
  const { signal, store, onError } = context;
  await discard(context, book.runId);
  if (signal.aborted) throw error;
  const kept = readFeedbackRecord((await store.get(feedbackKey(record.tenant, record.id)))?.value);
  const isPassing = error instanceof CairnError && error.name === "UNAVAILABLE";
  // Nothing that is on its way to its base is given up because something failed meanwhile.
  if (kept.proposal !== null || (isPassing && !isLastTry)) throw error;
  if (!(error instanceof CairnError) || !error.row.exposed) onError(error);
  const ended: FeedbackRecord = {
    ...kept,
    stage: "ended",
    outcome: { kind: "error", error: toErrorBody(error, kept.id) },
  };
  await book.fail(ended, error instanceof CairnError ? error.message : "Something failed inside Cairn.");
  return { kind: "ended", record: ended };
}

/** Takes away the workspaces of a run. */
async function discard({ workspaces }: ArchitectContext, runId: string): Promise<void> {
  await workspaces.discard(toWorkspaceName(runId));
}
