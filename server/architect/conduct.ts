import { CairnError, toErrorBody } from "../errors.ts";
import { isObject } from "../is-object.ts";
import { readJson } from "../read-json.ts";
import { feedbackKey } from "../store/keys.ts";
import { adjust } from "./adjust.ts";
import { carryOut } from "./carry-out.ts";
import type { ArchitectContext } from "./context.ts";
import { type ArchitectAnswer, type FeedbackRecord, readFeedbackRecord } from "./feedback-record.ts";
import { intake } from "./intake.ts";
import { makePlan } from "./make-plan.ts";
import type { RejectPlan, TunePlan } from "./plan.ts";
import { publish } from "./publish.ts";
import { toPrincipal } from "./to-principal.ts";
import { openWorkBook, type WorkBook } from "./work-book.ts";

/** What has become of feedback for now. */
export type Conducted =
  | { readonly kind: "ended"; readonly record: FeedbackRecord }
  /** For somebody's approval. */
  | { readonly kind: "waiting" };

/**
 * Takes feedback from where it stands to its end: read, planned, worked out, verified, judged, proposed, landed, tagged and
 * live, or tuned, or rejected with the reason. Every step can be cut short and is then done again, with the same end.
 */
export async function conduct(
  context: ArchitectContext,
  received: FeedbackRecord,
  { isLastTry }: { readonly isLastTry: boolean },
): Promise<Conducted> {
  const { registry, tell, audit, forge, store, signal } = context;
  const { version } = await registry.resolve(received.commit);
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
  await book.save(record);
  try {
    const answer = record.stage === "landed" ? await finish(record) : await work();
    return answer === undefined ? { kind: "waiting" } : { kind: "ended", record: await end(answer) };
  } catch (error) {
    if (signal.aborted) throw error;
    record = readFeedbackRecord((await store.get(feedbackKey(record.tenant, record.id)))?.value);
    // Nothing that is on its way to its base is given up because something failed meanwhile.
    if (record.proposal !== null || (isPassing(error) && !isLastTry)) throw error;
    record = { ...record, stage: "ended", outcome: { kind: "error", error: toErrorBody(error, record.id) } };
    await book.fail(record, error instanceof CairnError ? error.message : "Something failed inside Cairn.");
    return { kind: "ended", record };
  } finally {
    for (const name of await context.workspaces.list()) {
      if (name.startsWith(book.runId)) await context.workspaces.remove(name);
    }
  }

  async function work(): Promise<ArchitectAnswer | undefined> {
    const feedback = await intake(context, book, record, version);
    const { plan, planner } = await makePlan(context, book, { record, version, feedback });
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
    const done = await carryOut(context, book, record, plan);
    if (done.kind === "waiting") return undefined;
    if (done.kind === "reject") return reject(done);
    if (done.kind === "dry") return { result: "committed", ...toNewVersion(done.semver), notes: done.notes };
    record = done.record;
    return finish(record);
  }

  async function finish({ proposal }: FeedbackRecord): Promise<ArchitectAnswer> {
    const landed = proposal?.landed ?? null;
    if (proposal === null || landed === null) throw new TypeError("Nothing has landed.");
    const { semver, tag, oid } = await publish(context, record, landed);
    await audit.changed({
      change: "feedback.landed",
      tenant: record.tenant,
      actor: record.actor,
      target: record.id,
      details: { run: book.runId, tag, commit: oid },
    });
    await book.step("land", "completed", `Landed as ${tag}.`);
    const where = proposal.change?.url === undefined ? "" : ` Its pull request is ${proposal.change.url}.`;
    const notes = `${await readTitle(book)} It is live as ${tag.slice(1)}, made from ${record.version}; every older version answers as before.${where} Run ${book.runId} has the plan, the checks and the patch.`;
    return { result: "committed", ...toNewVersion(semver), commit_hash: oid, notes };
  }

  async function tune({ adjustments }: TunePlan): Promise<ArchitectAnswer> {
    const request = { id: record.id, version, principal: toPrincipal(record), adjustments, dryRun: record.dry_run };
    let said: readonly string[];
    try {
      said = await adjust(request, context);
    } catch (error) {
      if (!(error instanceof CairnError) || !error.row.exposed || error.name === "UNAVAILABLE") throw error;
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

  async function end(answer: ArchitectAnswer): Promise<FeedbackRecord> {
    const ended: FeedbackRecord = { ...record, stage: "ended", outcome: { kind: "answer", answer } };
    tell(ended, "end", answer.result);
    if (answer.result === "rejected") await book.reject(ended, answer.notes);
    else await book.complete(ended, answer.notes);
    return ended;
  }
}

/** The evidence of a run that changed no file. */
async function keepNothing(book: WorkBook, said: readonly string[]): Promise<void> {
  await book.report("plan.json", "planned", { objective: said.join(" "), files: [], instructions: "Changes no file." });
  await book.report("patch_apply_report.json", "nothing", { files: [] });
  await book.report("executor_report.json", "completed", { summary: said.join(" "), files: [] });
  await book.report("verifier_report.json", "passed", { checks: [] });
  await book.judge([], "low");
}

async function readTitle(book: WorkBook): Promise<string> {
  const plan = readJson((await book.read("plan.json")) ?? "null");
  const objective = isObject(plan) ? plan["objective"] : undefined;
  return typeof objective === "string" ? `${objective.split("\n")[0]}.`.replace(/\.\.$/, ".") : "";
}

/** As spec/1 has it, which knows no pre-releases. */
function toNewVersion(semver: string): { readonly new_version?: string } {
  return /^\d+\.\d+\.\d+$/.test(semver) ? { new_version: semver } : {};
}

/** What may be otherwise in a moment, and says nothing of the feedback. */
function isPassing(error: unknown): boolean {
  return error instanceof CairnError && error.name === "UNAVAILABLE";
}
