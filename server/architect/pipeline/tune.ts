import { CairnError } from "../../errors.ts";
import { adjust } from "../adjust.ts";
import type { TunePlan } from "../planners/plan.ts";
import { type Run, toPrincipal, toRejected, type Transition } from "./run.ts";
import { readApprover } from "./approve.ts";
import type { ArchitectContext } from "./context.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import type { StepDone, WorkBook } from "./work-book.ts";

/**
 * Carries out a plan that changes internal state alone, which ends the run. One that may not be what the sender wants waits
 * for somebody else's approval first.
 */
export async function tune(
  context: ArchitectContext,
  { record, book, version }: Run,
  { adjustments, doubts = [] }: TunePlan,
): Promise<Transition> {
  const { audit } = context;
  const { id, tenant, actor, dry_run: dryRun } = record;
  const isAwaited = doubts.length > 0;
  const done = isAwaited && !dryRun ? [{ step: "gate", message: "Somebody else approved it." }] : [];
  const toEnd = (notes: string): Transition => {
    return { record, next: { step: "end", answer: { result: "tuned", notes }, done } };
  };
  const request = { id, version, principal: toPrincipal(context, version, record), adjustments };
  try {
    const would = isAwaited || dryRun ? await adjust({ ...request, dryRun: true }, context) : [];
    if (dryRun) {
      await keepNothing(book, would);
      const first = isAwaited ? ` This needs somebody else's approval first. ${doubts.join(" ")}` : "";
      return toEnd(`Dry run: nothing was changed. ${would.join(" ")}${first}`);
    }
    const stopped = isAwaited
      ? await awaitApproval(book, record, [`It would tune: ${would.join(" ")}`, ...doubts])
      : undefined;
    if (stopped !== undefined) return stopped;
    const said = await adjust({ ...request, dryRun: false }, context);
    await keepNothing(book, said);
    const details = { run: book.runId, said: [...said] };
    await audit.changed({ change: "feedback.tuned", tenant, actor, target: id, details });
    return toEnd(`${said.join(" ")} Nothing was committed; \`undo ${id}\` takes it back.`);
  } catch (error) {
    if (!(error instanceof CairnError) || !error.row.exposed || error.name === "UNAVAILABLE") throw error;
    audit.denied(error, { tenant, actor });
    const accepted = "Nothing was changed; say what should be active instead.";
    return toRejected(record, { reason: error.message, accepted });
  }
}

/** Has the gate of the run judge what would be tuned; undefined where somebody else than the sender has approved it. */
async function awaitApproval(
  book: WorkBook,
  record: FeedbackRecord,
  reasons: readonly string[],
): Promise<Transition | undefined> {
  // The plan was kept, so that what is approved is what is done.
  const steps: readonly StepDone[] = ["plan", "execute", "verify"].map((step) => ({
    step,
    message: "It changes no file.",
  }));
  await keepReports(book, reasons, steps);
  const gate = await book.judge([], "high");
  if (gate.status === "blocked") return { record: { ...record, stage: "approval" }, next: { step: "wait", reasons } };
  const approver = await readApprover(book);
  if (approver !== undefined && approver !== record.actor) return undefined;
  const reason = "It was approved by somebody who asked for it.";
  return toRejected(record, { reason, accepted: "Send it again, and have somebody else approve it." });
}

/** Keeps the evidence of a run that changes no file. */
async function keepNothing(book: WorkBook, said: readonly string[]): Promise<void> {
  await keepReports(book, said);
  await book.judge([], "low");
}

async function keepReports(book: WorkBook, said: readonly string[], done: readonly StepDone[] = []): Promise<void> {
  const summary = said.join(" ");
  const reports = [
    { name: "plan.json", status: "planned", more: { objective: summary, files: [], instructions: "Changes no file." } },
    { name: "patch_apply_report.json", status: "nothing", more: { files: [] } },
    { name: "executor_report.json", status: "completed", more: { summary, files: [] } },
    { name: "verifier_report.json", status: "passed", more: { checks: [] } },
  ];
  await book.keep({ reports, done });
}
