import { CairnError } from "../../errors.ts";
import type { Change, ChangeStatus, Forge } from "../../forge/forge.ts";
import { isObject } from "../../json/is-object.ts";
import { defined } from "../../json/defined.ts";
import type { ArchitectContext } from "./context.ts";
import { createJudge, type Judge } from "./create-judge.ts";
import { toFindings } from "./describe-change.ts";
import type { Ending, FeedbackRecord, Proposed } from "./feedback-record.ts";
import { keepExamples } from "./keep-evidence.ts";
import { free, PATIENCE_MS, SETTLED } from "./propose.ts";
import { type Next, type Run, toRejected, type Transition } from "./run.ts";
import type { Verification } from "./verify/verification.ts";

/** A proposal that the forge has, and what is needed to look at it. */
interface Landing {
  readonly forge: Forge;
  readonly proposal: Proposed & { readonly change: Change; readonly head: string };
  readonly judge: Judge;
}

/** The outcome of one look at a proposal: `again` looks at once, `wait` once the forge may have moved. */
type Look = Transition | { readonly kind: "again" } | { readonly kind: "wait"; readonly reason: string };

const SUMMARY_LENGTH = 8_000;
const MAX_NAMED = 10;
const CLOSED = "Somebody has closed its pull request.";

/**
 * Reports what was verified, and lands exactly that once everything the forge requires is green. A moved base is brought in
 * and verified anew; commits that somebody else has pushed are verified, too. Either is kept before it may land.
 */
export async function land(
  context: ArchitectContext,
  run: Run,
  { summary = "Verified before it was proposed." }: Extract<Next, { readonly step: "land" }>,
): Promise<Transition> {
  const { checkName, tell, watchForge, now, signal } = context;
  const { record } = run;
  const landing = toLanding(context, run);
  const { forge, proposal } = landing;
  const { change, head } = proposal;
  if (proposal.ending !== null) {
    const { again, reason, isMendable } = proposal.ending;
    // What renews an import stays open for people, who may mend it; what comes of its source next is added to it.
    if (record.renewal === undefined) await forge.abandon(change, reason);
    return again ? free(record) : toRejected(record, { reason, accepted: SETTLED, ...defined({ isMendable }) });
  }
  const lookout = watchForge(
    ({ branch, commit, number }) =>
      commit === head || branch === change.branch || branch === change.base || (number ?? NaN) === change.number,
  );
  try {
    await forge.report(head, checkName, { status: "completed", conclusion: "success", summary });
    let told = "";
    while (now() < Date.parse(proposal.at) + PATIENCE_MS) {
      signal.throwIfAborted();
      const found = await look(context, run, landing);
      if ("next" in found) return found;
      if (found.kind === "again") continue;
      if (found.reason !== told) tell(record, "checks", found.reason);
      told = found.reason;
      await lookout.pause();
    }
    return toEnding(record, "Its checks and reviews took longer than six days.", false);
  } finally {
    lookout.close();
  }
}

function toLanding(context: ArchitectContext, { record, book }: Run): Landing {
  const { forge, whyNoForge = "There is no forge." } = context;
  const { proposal } = record;
  if (!proposal?.change || proposal.head === null) throw new TypeError("Nothing was proposed.");
  if (forge === undefined) throw new CairnError("UNAVAILABLE", whyNoForge);
  const { change, head } = proposal;
  const judge = createJudge(context, { runId: book.runId, record, proposal });
  return { forge, proposal: { ...proposal, change, head }, judge };
}

/** Looks once at a proposal, and lands it where it can. */
async function look(context: ArchitectContext, run: Run, landing: Landing): Promise<Look> {
  const { landsAtOnce, tell } = context;
  const { record } = run;
  const { forge, proposal } = landing;
  const { change, head } = proposal;
  const status = await forge.status(change);
  if (status.merged !== undefined) return findLanded(context, run, landing, status.merged, status.head);
  if (status.state === "closed") {
    // Where others have gone on, the branch is theirs.
    if (status.head === head && record.renewal === undefined) await forge.abandon(change, CLOSED);
    return toRejected(record, { reason: CLOSED, accepted: SETTLED });
  }
  if (status.head !== head) {
    return adopt(context, run, landing, status.head, "Verified after somebody has pushed to it.");
  }
  // What was cancelled while it waited must not land.
  await run.book.assertHeld();
  if (status.checks === "red") return lookAtRed(context, run, landing, status);
  const landed = await forge.land(change, { expectHead: head, mode: "when-green" }).catch(toDifference);
  // Its status says as what.
  if (landed.outcome === "different") return { kind: "again" };
  if (landed.outcome === "merged") return toLanded(context, record, landed.oid);
  if (landed.outcome === "conflict") return toEnding(record, landed.reason, true);
  if (landed.outcome === "refused") return toEnding(record, landed.reason, false);
  if (landed.outcome === "armed" && landed.group !== undefined) {
    await judgeGroup(context, landing, status, landed.group);
  }
  if (landed.outcome === "behind") {
    tell(record, "land", landed.reason);
    const refreshed = await forge.refresh(change);
    if (refreshed.outcome === "conflict") return toEnding(record, toConflict(change, refreshed.paths), true);
    if (refreshed.head !== head) {
      return adopt(context, run, landing, refreshed.head, "Verified with what its base has now.");
    }
  }
  // A checkout is in the way, which somebody has to leave, and others' changes wait behind this one.
  if (landed.outcome === "blocked" && landsAtOnce && status.checks === "green") {
    return toEnding(record, landed.reason, false);
  }
  return { kind: "wait", reason: landed.reason };
}

/** Has the forge run failed checks once more, but for Cairn's own, whose result another run would not change. */
async function lookAtRed(
  { checkName }: ArchitectContext,
  { record }: Run,
  { forge, proposal }: Landing,
  status: ChangeStatus,
): Promise<Look> {
  const isOwn = listRed(status).some(({ name }) => name === checkName);
  const again = isOwn ? undefined : await forge.rerun(proposal.change, status.head);
  const { outcome = "final", reason = "" } = again ?? {};
  if (outcome === "running") return { kind: "wait", reason };
  const ending = { again: false, reason: `A check of it is red: ${nameRed(status)}. ${reason}`.trim() };
  return takeBack(record, { ...ending, isMendable: true });
}

/**
 * Judges the commit that a merge queue would land, where the forge requires the verification of it: the queue waits for
 * that check as for any other, and lets go of what has none.
 */
async function judgeGroup(
  { checkName }: ArchitectContext,
  { forge, judge }: Landing,
  { required }: ChangeStatus,
  group: string,
): Promise<void> {
  if (!required.includes(checkName)) return;
  if ((await forge.checks(group)).some(({ name, status }) => name === checkName && status !== "pending")) return;
  const verification = await judge.landed(group);
  const conclusion = verification.status === "passed" ? "success" : "failure";
  const summary = `Verified as the merge queue would land it.\n${toFindings(verification)}`.slice(0, SUMMARY_LENGTH);
  await forge.report(group, checkName, { status: "completed", conclusion, summary: summary.toWellFormed() });
}

/** Judges another commit that the branch has come to, which may land once it is kept that it may. */
async function adopt(
  { checkName }: ArchitectContext,
  { record, book }: Run,
  { forge, proposal, judge }: Landing,
  oid: string,
  summary: string,
): Promise<Transition> {
  const { verification, isOthers, reasons } = await judge.head(oid, proposal.head);
  if (verification.status === "passed") await keepExamples(book, verification);
  const leaveToOthers = async (reason: string, findings: string) => {
    const text = `${reason}\n${findings}`.slice(0, SUMMARY_LENGTH).toWellFormed();
    await forge.report(oid, checkName, { status: "completed", conclusion: "failure", summary: text });
    const { url, branch } = proposal.change;
    const where = url ?? `the branch \`${branch}\``;
    return toRejected(record, { reason: `${reason} It is left to them: ${where}\n${findings}\n`, accepted: SETTLED });
  };
  if (verification.status === "failed") {
    if (!isOthers) return toEnding(record, "It does not hold where its base is now.", true);
    return leaveToOthers("Somebody has pushed to it what does not pass.", toFindings(verification));
  }
  if (reasons.length > 0) {
    return leaveToOthers("Somebody has pushed to it what needs an approval.", reasons.join(" "));
  }
  return { record: { ...record, proposal: { ...proposal, head: oid } }, next: { step: "land", summary } };
}

/** Finds a change that a person landed by hand, perhaps with more than was verified. */
async function findLanded(
  context: ArchitectContext,
  { record, book }: Run,
  { forge, proposal, judge }: Landing,
  oid: string,
  last: string,
): Promise<Transition> {
  const { change, head } = proposal;
  const found = await forge.land(change, { expectHead: last, mode: "now" }).catch(toDifference);
  if (last === head && found.outcome === "merged") return toLanded(context, record, oid);
  const verification: Verification = await judge.landed(oid);
  if (verification.status === "passed") {
    await keepExamples(book, verification);
    return toLanded(context, record, oid);
  }
  const reason = `\`${oid}\` has landed of it, which is not what was verified and does not pass, and was not tagged:`;
  return toRejected(record, { reason: `${reason}\n${toFindings(verification)}\n`, accepted: SETTLED });
}

function toLanded({ tell }: ArchitectContext, record: FeedbackRecord, landed: string): Transition {
  const proposal = record.proposal === null ? null : { ...record.proposal, landed };
  tell(record, "land", `Landed on \`${proposal?.base}\`.`);
  return { record: { ...record, stage: "landed", proposal }, next: { step: "publish" } };
}

/** Takes the proposal back, which is remembered first: what is closed afterwards was closed by nobody else. */
function toEnding(record: FeedbackRecord, reason: string, again: boolean): Transition {
  return takeBack(record, { again, reason });
}

function takeBack(record: FeedbackRecord, ending: Ending): Transition {
  const proposal = record.proposal === null ? null : { ...record.proposal, ending };
  return { record: { ...record, proposal }, next: { step: "land" } };
}

/** Takes an error for what it says: its base moved in that very moment, or somebody was first. */
function toDifference(error: unknown): { readonly outcome: "different" } {
  if (error instanceof CairnError && isObject(error.details) && "landed" in error.details)
    return { outcome: "different" };
  throw error;
}

function toConflict({ base }: Change, paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED).map((path) => `\`${path.slice(0, 200)}\``);
  const more = paths.length > MAX_NAMED ? `, and ${paths.length - MAX_NAMED} more` : "";
  return `The branch \`${base}\` has other changes in ${named.join(", ")}${more}.`;
}

function listRed({ runs, required }: ChangeStatus) {
  return runs.filter(({ name, status }) => status === "failure" && required.includes(name));
}

function nameRed(status: ChangeStatus): string {
  return listRed(status)
    .map(({ name, url }) => (url === undefined ? `\`${name}\`` : `\`${name}\` (${url})`))
    .join(", ");
}
