import { RequestError } from "octokit";
import type { Change, Rerun } from "../forge.ts";
import { type FailedRun, loadFailed } from "./checks.ts";
import { type Context, loadPull } from "./context.ts";
import type { GitHubApi } from "./github-api.ts";
import { loadRules } from "./rules/branch-rules.ts";

type WorkflowRun = Awaited<
  ReturnType<GitHubApi["octokit"]["rest"]["actions"]["listWorkflowRunsForRepo"]>
>["data"]["workflow_runs"][number];

/** GitHub's answers to a run that cannot, or may not, be started again: no permission, too old, or running. */
const REFUSALS: readonly number[] = [403, 404, 409, 422];
const NO_PERMISSION = "the app or token needs write access to Actions for that";

/**
 * Runs the failed jobs of required checks once more: of workflows of GitHub Actions alone, because only the owner of any other
 * check can run that again. How often a workflow has run is read from GitHub, so a crash causes no further run.
 */
export async function rerun(context: Context, change: Change, head: string): Promise<Rerun> {
  const pull = await loadPull(context, change);
  const { required } = await loadRules(context, pull.base.ref);
  const failed = await loadFailed(context, head, required);
  const names = [...new Set(failed.map(({ name }) => `\`${name}\``))].join(", ");
  const foreign = failed.find(({ suite }) => suite === undefined);
  if (foreign !== undefined) return { outcome: "final" };
  const runs = await loadWorkflowRuns(context, head);
  if (runs === undefined) return { outcome: "final", reason: `${names} cannot be run again: ${NO_PERMISSION}.` };
  const own = failed.map((run) => findRun(runs, run));
  if (own.length === 0 || own.some((run) => run === undefined)) return { outcome: "final" };
  const workflows = new Map(own.flatMap((run) => (run === undefined ? [] : [[run.id, run] as const])));
  if ([...workflows.values()].some(hasFailedAgain)) return { outcome: "final", reason: `${names} was run again.` };
  for (const { id, status, run_attempt: attempt = 1 } of workflows.values()) {
    if (attempt > 1 || status !== "completed") continue;
    const refused = await startAgain(context, id);
    if (refused !== undefined) return { outcome: "final", reason: `${names} cannot be run again: ${refused}.` };
  }
  return { outcome: "running", reason: `${names} has failed and is run once more.` };
}

/** Finds the workflow's run that a check belongs to, by the suite of both. */
function findRun(runs: readonly WorkflowRun[], { suite }: FailedRun): WorkflowRun | undefined {
  return runs.find(({ check_suite_id: of }) => of === suite);
}

function hasFailedAgain({ status, conclusion, run_attempt: attempt = 1 }: WorkflowRun): boolean {
  // What passed the second time may be shown by its checks a moment later.
  return attempt > 1 && status === "completed" && conclusion !== "success";
}

/** Loads the runs of workflows for a commit; undefined where the credentials may not read them. */
async function loadWorkflowRuns(
  { api, owner, repo }: Context,
  head: string,
): Promise<readonly WorkflowRun[] | undefined> {
  const query = { owner, repo, head_sha: head, per_page: 100 };
  const what = `read the runs of workflows for \`${head}\``;
  const found = await api.read(what, async () => {
    try {
      return await api.octokit.rest.actions.listWorkflowRunsForRepo(query);
    } catch (error) {
      if (error instanceof RequestError && error.status === 403 && isNotAccessible(error.message))
        return { data: undefined };
      throw error;
    }
  });
  return found?.workflow_runs;
}

/** Resolves to GitHub's reason where it does not start the failed jobs of a run again. */
async function startAgain({ api, owner, repo }: Context, id: number): Promise<string | undefined> {
  const ask = () => api.octokit.rest.actions.reRunWorkflowFailedJobs({ owner, repo, run_id: id });
  // Twice would be a third run, or a refusal because it is running.
  const started = await api.write(`run workflow ${id} again`, ask, { refusals: REFUSALS, once: true });
  if (started.ok) return undefined;
  return isNotAccessible(started.words) ? NO_PERMISSION : started.words.replace(/[.!]+$/, "");
}

/** Tells a lack of permission from other refusals, by the words that GitHub has for it. */
function isNotAccessible(words: string): boolean {
  return /not accessible by/i.test(words);
}
