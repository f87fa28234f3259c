import { findRun } from "../capabilities/work/desk.ts";
import { readArtifact } from "../capabilities/work/evidence.ts";
import { readJournal } from "../capabilities/work/journal.ts";
import { readRun } from "../capabilities/work/run.ts";
import { workOnRecords } from "../capabilities/work/work-desk.ts";
import { CairnError } from "../errors.ts";
import { feedbackKey, runKey, undoKey } from "../store/keys.ts";
import { isFragmentPath } from "../versions/tree.ts";
import { DECISION, readDecision } from "./decision.ts";
import { refuse, toList } from "./guard/refuse.ts";
import type { ArchitectContext } from "./pipeline/context.ts";
import { type FeedbackRecord, type Proposed, readFeedbackRecord } from "./pipeline/feedback-record.ts";
import { HISTORY_FILE, mergeFiles } from "./pipeline/merge-files.ts";
import { toWorkScope } from "./pipeline/work-book.ts";
import type { ChangePlan } from "./planners/plan.ts";
import type { Ground, Reversal } from "./planners/planner.ts";

type Context = Pick<ArchitectContext, "store" | "storeTime" | "repository" | "filesOf">;

/** A change that has landed: what was planned, and what it was planned on. */
interface LandedChange {
  readonly kind: "change";
  readonly record: FeedbackRecord;
  readonly proposal: Proposed;
  readonly commit: string;
  readonly plan: ChangePlan;
  readonly from: string;
  readonly head: string;
}

/** Folder of specs, which the service writes beside each change. */
const SPECS = "docs/specs/";

/**
 * Finds what the files of a commit would be without the change that earlier feedback has landed: what it planned, backwards, on
 * what has become of its files since. Numbers and the changelog are raised as for any change. A run of feedback, or one whose
 * change feedback has landed, means that feedback.
 *
 * @throws a refusal that says how else it can be taken back, or what goes by an id.
 */
export async function findReversal(
  context: Context,
  tenant: string,
  ground: Pick<Ground, "version" | "readText">,
  id: string,
): Promise<Reversal> {
  const change = await findDone(context, tenant, await findFeedbackId(context, tenant, ground, id));
  if (change.kind === "tuning") return change;
  const { filesOf, repository } = context;
  const { record, proposal, plan, from, head, commit } = change;
  const strangers = await listStrangers(repository, change);
  if (strangers.length > 0) {
    throw cannot(change, `${toList(strangers)} in its commit is not what was planned: somebody else has pushed to it.`);
  }
  const [original, newest] = await Promise.all([filesOf(from), filesOf(head)]);
  const wanted = [...plan.files.keys()].map(async (path): Promise<readonly [string, string | null]> => {
    return [path, (await (path === HISTORY_FILE ? newest : original).readText(path)) ?? null];
  });
  const back = new Map(await Promise.all(wanted));
  const readPlanned = async (path: string) => plan.files.get(path) ?? undefined;
  const { files, conflicts } = await mergeFiles(repository.mergeLines, back, readPlanned, ground.readText);
  if (conflicts.length > 0) {
    throw cannot(change, `${toList(conflicts.map(({ path }) => path))} was changed in the same places since.`);
  }
  if (files.size === 0) {
    const where = `${ground.version.semver} (commit \`${ground.version.commit.slice(0, 12)}\`)`;
    throw refuse(
      `${where} has nothing of what the feedback \`${record.id}\` changed in commit \`${commit.slice(0, 12)}\`.`,
      "Send it to a version that has it, such as `latest`.",
    );
  }
  const since = proposal.isRelease ? proposal.semver : `commit ${commit.slice(0, 12)}`;
  return { kind: "change", files, changes: plan.changes.map((text) => `Taken back from ${since}: ${text}`) };
}

/** Finds the feedback that an id means. @throws a refusal that says what the id is */
async function findFeedbackId(
  { store }: Pick<Context, "store">,
  tenant: string,
  { version }: Pick<Ground, "version">,
  id: string,
): Promise<string> {
  const isFeedback = async (one: string) =>
    (await store.getMany([feedbackKey(tenant, one), undoKey(tenant, one)])).some((found) => found !== undefined);
  if (await isFeedback(id)) return id;
  const [begin] = await readJournal(store, tenant, id, { from: 0, limit: 1 });
  const task = begin?.event.task_id;
  // Feedback and its task have one id.
  if (task !== undefined && (await isFeedback(task))) return task;
  const run = (await store.get(runKey(tenant, toWorkScope(version), id)))?.value;
  const handedOver = run === undefined ? undefined : (readRun(run).proposal?.feedback ?? undefined);
  if (handedOver !== undefined && (await isFeedback(handedOver))) return handedOver;
  const reason =
    task === undefined
      ? `There is no feedback \`${id}\` here, and no run of any.`
      : `\`${id}\` is a run of the task \`${task}\`, and has landed nothing.`;
  const accepted =
    "Say `undo` and the id of feedback: the answer of what has landed or tuned ends with it, and a commit has it as `Cairn-Feedback` in its message.";
  throw refuse(reason, accepted);
}

/** Finds feedback and what it has done. @throws a refusal where that is nothing */
async function findDone(
  context: Context,
  tenant: string,
  id: string,
): Promise<LandedChange | Extract<Reversal, { readonly kind: "tuning" }>> {
  const value = (await context.store.get(feedbackKey(tenant, id)))?.value;
  // Tuning can be taken back without the record of its feedback.
  if (value === undefined) return { kind: "tuning", id };
  const record = readFeedbackRecord(value);
  const { outcome, proposal, dry_run } = record;
  if (outcome === null) {
    throw refuse(
      `The feedback \`${id}\` is still being worked on, or waits.`,
      `\`cairn work cancel ${id}\` ends it before it has changed anything.`,
    );
  }
  if (outcome.kind === "answer" && outcome.answer.result === "tuned" && !dry_run) return { kind: "tuning", id };
  const commit = proposal?.landed ?? null;
  if (proposal === null || commit === null) {
    const why = dry_run ? "it was a dry run" : outcome.kind === "error" ? "it has failed" : "it was rejected";
    throw refuse(`The feedback \`${id}\` has changed nothing: ${why}.`, "Name feedback that has landed or tuned.");
  }
  const decision = readDecision(await readKept(context, record), record);
  if (decision?.plan.kind !== "change") {
    throw cannot({ record, proposal, commit }, "What it planned is kept here no more.");
  }
  const { plan, from, head } = decision;
  return { kind: "change", record, proposal, commit, plan, from, head };
}

async function readKept(context: Context, record: FeedbackRecord): Promise<string | undefined> {
  const { run_id } = record;
  if (run_id === null) return undefined;
  try {
    return await workOnRecords(record, context, async (desk) => {
      const { tenant, record: run } = await findRun(desk, run_id);
      return readArtifact(desk, tenant, run, DECISION);
    });
  } catch (error) {
    if (error instanceof CairnError && error.name === "NOT_FOUND") return undefined;
    throw error;
  }
}

/** Lists the files of its commit that are neither of its plan nor what comes with every change. */
async function listStrangers(
  { findParent, listChangedPaths }: Context["repository"],
  { proposal, plan, commit }: LandedChange,
): Promise<readonly string[]> {
  // Others' plans are part of the same commit.
  if ((proposal.together ?? []).length > 0) return [];
  const changed = await listChangedPaths(await findParent(commit), commit);
  const isOurs = (path: string) => path === HISTORY_FILE || path.startsWith(SPECS) || isFragmentPath(path);
  // The numbers of tools are raised in manifests.
  return changed.filter((path) => !plan.files.has(path) && !isOurs(path) && !path.startsWith("manifests/"));
}

/** Creates the refusal that says which commit to revert by hand. */
function cannot(
  { record, proposal, commit }: Pick<LandedChange, "record" | "proposal" | "commit">,
  why: string,
): Error {
  const { together = [], isRelease, semver, base, from } = proposal;
  const others = together.length === 0 ? "" : ` It has ${together.length} other changes as well.`;
  const what = isRelease ? `${semver} (commit \`${commit}\`)` : `commit \`${commit}\``;
  return refuse(
    `What the feedback \`${record.id}\` changed in ${what} cannot be taken back as it is: ${why}`,
    `\`git revert ${commit}\` on \`${base}\` (with \`-m 1\` where that is a merge) and a pull request of it, mended by hand.${others} Without it was commit \`${from}\`; versions of before answer as they did.`,
  );
}
