import { explainNotShown, saveTestResult, type TestResult } from "../../examples/test-results.ts";
import { showHidden } from "../../text/find-hidden.ts";
import { CairnError, toErrorBody } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import { feedbackKey } from "../../store/keys.ts";
import { adjust } from "../adjust.ts";
import { type CarriedOut, carryOut, type InTurn } from "./carry-out.ts";
import type { ArchitectContext } from "./context.ts";
import { type ArchitectAnswer, type FeedbackRecord, readFeedbackRecord } from "./feedback-record.ts";
import { intake } from "./intake.ts";
import { loadExamples } from "./keep-evidence.ts";
import { makePlan } from "./make-plan.ts";
import type { Feedback, RejectPlan, TunePlan } from "../planners/plan.ts";
import { publish } from "./publish.ts";
import { toPrincipal } from "../to-principal.ts";
import { toWorkspaceName } from "./to-workspace-name.ts";
import { openWorkBook, type StepDone, type WorkBook } from "./work-book.ts";

/** What has become of feedback for now. */
export type Conducted =
  | { readonly kind: "ended"; readonly record: FeedbackRecord }
  /** For somebody's approval. */
  | { readonly kind: "waiting" };

/** Plans of one piece of feedback, each from where its branch was then. */
const PLAN_LIMIT = 4;

/**
 * Takes feedback from where it stands to its end: read, planned, worked out, verified, judged, proposed, landed, tagged and
 * live, or tuned, or rejected with the reason. Every step can be cut short and is then done again, with the same end.
 */
export async function conduct(
  context: ArchitectContext,
  received: FeedbackRecord,
  { isLastTry, inTurn }: { readonly isLastTry: boolean; readonly inTurn: InTurn },
): Promise<Conducted> {
  const { registry, tell, audit, forge, store, signal } = context;
  // What was begun is brought to its end whatever has become of the version, else it would stay half done.
  const isNew = received.stage === "received";
  const version = isNew ? (await registry.resolve(received.commit)).version : await registry.read(received.commit);
  const opened = await openWorkBook(received, version, context);
  if (opened.kind === "blocked") return { kind: "waiting" };
  if (opened.kind === "over") {
    const { change = null, landed = null } = received.proposal ?? {};
    if (change !== null && landed === null) await forge?.abandon(change, opened.summary);
    const answer: ArchitectAnswer = { result: "rejected", notes: opened.summary };
    const ended: FeedbackRecord = { ...received, stage: "ended", outcome: { kind: "answer", answer } };
    await opened.end(ended);
    return { kind: "ended", record: ended };
  }
  const { book } = opened;
  let record: FeedbackRecord = { ...received, run_id: book.runId };
  let isComplete = true;
  const done: StepDone[] = [];
  let isTidy = false;
  await book.save(record);
  try {
    const answer = record.stage === "landed" ? await finish(record) : await work();
    return answer === undefined ? { kind: "waiting" } : { kind: "ended", record: await end(answer) };
  } catch (error) {
    if (signal.aborted) throw error;
    record = readFeedbackRecord((await store.get(feedbackKey(record.tenant, record.id)))?.value);
    // Nothing that is on its way to its base is given up because something failed meanwhile.
    if (record.proposal !== null || (isPassing(error) && !isLastTry)) throw error;
    if (!(error instanceof CairnError) || !error.row.exposed) context.onError(error);
    await discard();
    record = { ...record, stage: "ended", outcome: { kind: "error", error: toErrorBody(error, record.id) } };
    await book.fail(record, error instanceof CairnError ? error.message : "Something failed inside Cairn.");
    return { kind: "ended", record };
  } finally {
    if (!isTidy) await discard();
  }

  /** What it was worked out in. */
  async function discard(): Promise<void> {
    await context.workspaces.discard(toWorkspaceName(book.runId));
    isTidy = true;
  }

  async function work(): Promise<ArchitectAnswer | undefined> {
    const feedback = await intake(context, book, record, version);
    for (let plans = 1; ; plans++) {
      const worked = await planAndCarryOut(feedback, plans > 1);
      if (worked === undefined || !("kind" in worked)) return worked;
      const { rejection } = worked;
      // What was said of one version that never changes was not said of what came after.
      if (record.moving !== true || plans === PLAN_LIMIT) return reject(rejection);
      tell(record, "plan", "Others were first: it is planned again on what they have made.");
    }
  }

  async function planAndCarryOut(
    feedback: Feedback,
    anew: boolean,
  ): Promise<ArchitectAnswer | Extract<CarriedOut, { readonly kind: "moved" }> | undefined> {
    const { plan, planner, from, head } = await makePlan(context, book, { record, feedback, anew });
    record = { ...record, planner };
    await book.save(record);
    if (plan.kind === "reject") return reject(plan);
    if (plan.kind === "tune") return tune(plan);
    if (context.forge === undefined && !record.dry_run) {
      const why = context.whyNoForge ?? "nothing here can change the repository";
      return reject({
        kind: "reject",
        reason: `A change was planned (${plan.title}), but it cannot be made: ${why}`,
        accepted: "A dry run shows what it would be.",
      });
    }
    const carried = await carryOut(context, { book, record, planned: { plan, from, head } }, inTurn);
    if (carried.kind === "waiting") return undefined;
    if (carried.kind === "moved") {
      record = carried.record;
      return carried;
    }
    if (carried.kind === "reject") return reject(carried);
    if (carried.kind === "dry") isComplete = !carried.needsApproval;
    if (carried.kind === "dry")
      return { result: "committed", ...toNewVersion(carried.newVersion), notes: carried.notes };
    record = carried.record;
    return finish(record);
  }

  async function finish({ proposal }: FeedbackRecord): Promise<ArchitectAnswer> {
    const landed = proposal?.landed ?? null;
    if (proposal === null || landed === null) throw new TypeError("Nothing has landed.");
    const { oid, release } = await publish(context, record, { oid: landed, isRelease: proposal.isRelease });
    const examples = await loadExamples(book, oid, record.id);
    if (examples !== undefined) await saveTestResult(store, examples);
    await audit.changed({
      change: "feedback.landed",
      tenant: record.tenant,
      actor: record.actor,
      target: record.id,
      details: { run: book.runId, commit: oid, ...(release === undefined ? {} : { tag: release.tag }) },
    });
    done.push({ step: "land", message: `Landed as ${release?.tag ?? oid}.` });
    const where = proposal.change?.url === undefined ? "" : ` Its pull request is ${proposal.change.url}.`;
    const made = release?.parent === undefined ? "" : `, made from ${release.parent}`;
    const what =
      release === undefined
        ? `It is on \`${proposal.base}\`; no version needs another number for it.`
        : `It is live as ${release.tag.slice(1)}${made}; every older version answers as before.`;
    const { together = [] } = proposal;
    const others = together.length === 1 ? "another change" : `${together.length} other changes`;
    const company = together.length === 0 ? "" : ` It landed together with ${others}.`;
    const tested = examples === undefined ? "" : explainExamples(examples);
    const notes = `${await readTitle(book)} ${what}${company}${tested}${where} Run ${book.runId} has the plan, the checks and the patch.`;
    return { result: "committed", ...toNewVersion(release?.semver), commit_hash: oid, notes };
  }

  async function tune({ adjustments }: TunePlan): Promise<ArchitectAnswer> {
    const request = {
      id: record.id,
      version,
      principal: toPrincipal(context, version, record),
      adjustments,
      dryRun: record.dry_run,
    };
    let said: readonly string[];
    try {
      said = await adjust(request, context);
    } catch (error) {
      if (!(error instanceof CairnError) || !error.row.exposed || error.name === "UNAVAILABLE") throw error;
      audit.denied(error, { tenant: record.tenant, actor: record.actor });
      return reject({
        kind: "reject",
        reason: error.message,
        accepted: "Nothing was changed; say what should be active instead.",
      });
    }
    await keepNothing(book, said);
    if (record.dry_run) return { result: "tuned", notes: `Dry run: nothing was changed. ${said.join(" ")}` };
    await audit.changed({
      change: "feedback.tuned",
      tenant: record.tenant,
      actor: record.actor,
      target: record.id,
      details: { run: book.runId, said: [...said] },
    });
    return { result: "tuned", notes: `${said.join(" ")} Nothing was committed; \`undo ${record.id}\` takes it back.` };
  }

  function reject({ reason, accepted }: RejectPlan): ArchitectAnswer {
    return { result: "rejected", notes: `${record.dry_run ? "Dry run: " : ""}${reason} ${accepted}` };
  }

  async function end(given: ArchitectAnswer): Promise<FeedbackRecord> {
    // Notes quote the message, and what nobody sees in it would hide in them.
    const answer = { ...given, notes: showHidden(given.notes.toWellFormed()) };
    // What was proposed and taken back stays part of it.
    const kept = readFeedbackRecord((await store.get(feedbackKey(record.tenant, record.id)))?.value);
    const ended: FeedbackRecord = { ...kept, stage: "ended", outcome: { kind: "answer", answer } };
    tell(ended, "end", answer.result);
    // First: what has ended is gone on with by nobody.
    await discard();
    // A run whose gate has not passed cannot complete; that of a dry run waits for nobody.
    if (answer.result === "rejected" || !isComplete) await book.reject(ended, answer.notes);
    else await book.complete(ended, answer.notes, ...done);
    return ended;
  }
}

/** The evidence of a run that changed no file. */
async function keepNothing(book: WorkBook, said: readonly string[]): Promise<void> {
  const reports = [
    {
      name: "plan.json",
      status: "planned",
      more: { objective: said.join(" "), files: [], instructions: "Changes no file." },
    },
    { name: "patch_apply_report.json", status: "nothing", more: { files: [] } },
    { name: "executor_report.json", status: "completed", more: { summary: said.join(" "), files: [] } },
    { name: "verifier_report.json", status: "passed", more: { checks: [] } },
  ];
  await book.keep({ reports });
  await book.judge([], "low");
}

async function readTitle(book: WorkBook): Promise<string> {
  const plan = readJson((await book.read("plan.json")) ?? "null");
  const objective = isObject(plan) ? plan["objective"] : undefined;
  return typeof objective === "string" ? `${objective.split("\n")[0]}.`.replace(/\.\.$/, ".") : "";
}

/** What the examples do not show of what has landed. */
function explainExamples(result: TestResult): string {
  const { failed } = result;
  const broken = failed === 0 ? "" : `${failed} ${failed === 1 ? "example fails" : "examples fail"}, as before.`;
  return [explainNotShown(result), broken].map((text) => (text === "" ? "" : ` ${text}`)).join("");
}

/** As spec/1 has it, which knows no pre-releases. */
function toNewVersion(semver: string | undefined): { readonly new_version?: string } {
  return semver !== undefined && /^\d+\.\d+\.\d+$/.test(semver) ? { new_version: semver } : {};
}

/** What may be otherwise in a moment, and says nothing of the feedback. */
function isPassing(error: unknown): boolean {
  return error instanceof CairnError && error.name === "UNAVAILABLE";
}
