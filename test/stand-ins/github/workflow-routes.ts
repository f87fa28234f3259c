import { toSuite } from "./present.ts";
import { notFound, refuse, type Routes } from "./reply.ts";
import type { CheckRun, State, WorkflowRun } from "./state.ts";

const REPOSITORY = "/repos/{owner}/{repo}";

/** Runs of workflows of Actions, of which those that failed can be started again. */
export function workflowRoutes(state: State): Routes {
  const needPermission = () => {
    if (!state.mayUseActions) throw refuse(403, "Resource not accessible by integration");
  };
  return {
    [`GET ${REPOSITORY}/actions/runs`]: ({ query }) => {
      needPermission();
      const items = state.workflows
        .filter(({ head }) => !query.has("head_sha") || query.get("head_sha") === head)
        .map((run) => presentWorkflow(state, run));
      return { status: 200, items, wrap: (page) => ({ total_count: items.length, workflow_runs: page }) };
    },
    [`POST ${REPOSITORY}/actions/runs/{run_id}/rerun-failed-jobs`]: ({ param }) => {
      needPermission();
      const run = state.workflows.find(({ id }) => String(id) === param("run_id"));
      if (run === undefined) throw notFound();
      const jobs = jobsOf(state, run);
      if (jobs.some(({ status }) => status !== "completed")) throw refuse(403, "This workflow is already running");
      run.attempt += 1;
      for (const { name, conclusion } of jobs) {
        if (conclusion === "failure") startJob(state, run, name);
      }
      return { status: 201, body: {} };
    },
  };
}

/** Has a workflow of Actions run for a commit, with these jobs and their conclusions; `null` is still running. */
export function runWorkflow(
  state: State,
  head: string,
  jobs: Readonly<Record<string, "success" | "failure" | null>>,
): WorkflowRun {
  const run: WorkflowRun = { id: state.nextId(), head, attempt: 1 };
  state.workflows.push(run);
  for (const name of Object.keys(jobs)) startJob(state, run, name);
  for (const [name, conclusion] of Object.entries(jobs)) if (conclusion !== null) endJob(state, run, name, conclusion);
  return run;
}

/** Has the latest run of a job end. */
export function endJob(state: State, run: WorkflowRun, name: string, conclusion: "success" | "failure"): void {
  const job = jobsOf(state, run).find((one) => one.name === name);
  if (job === undefined) throw new TypeError(`There is no job ${name}.`);
  job.status = "completed";
  job.conclusion = conclusion;
}

function startJob(state: State, { id, head }: WorkflowRun, name: string): void {
  const output = { title: "", summary: "" };
  const startedAt = "2026-01-01T00:00:00Z";
  state.checks.push({ id: state.nextId(), name, head, status: "queued", output, startedAt, workflow: id });
}

/** The latest run of each of its jobs. */
function jobsOf(state: State, { id }: WorkflowRun): readonly CheckRun[] {
  const own = state.checks.filter(({ workflow }) => workflow === id);
  return [...new Map(own.map((job) => [job.name, job])).values()];
}

function presentWorkflow(state: State, run: WorkflowRun) {
  const jobs = jobsOf(state, run);
  const isDone = jobs.every(({ status }) => status === "completed");
  const conclusion = jobs.some((job) => job.conclusion === "failure") ? "failure" : "success";
  return state.github.shape("workflow-run", {
    id: run.id,
    head_sha: run.head,
    check_suite_id: toSuite(run.id),
    run_attempt: run.attempt,
    status: isDone ? "completed" : "in_progress",
    conclusion: isDone ? conclusion : null,
  });
}
