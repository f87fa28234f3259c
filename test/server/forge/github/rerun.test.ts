import { expect, test } from "vitest";
import { endJob, runWorkflow } from "../../../stand-ins/github/workflow-routes.ts";
import { FAILURE, proposal, REQUIRED, start, SUCCESS } from "../contract/steps.ts";
import { openGitHubBench } from "../open-github-bench.ts";

const RERUN = "POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs";
const NAMES = "`semver`";

/** A change whose required checks are jobs of a workflow. */
async function begin(jobs: Parameters<typeof runWorkflow>[2]) {
  const bench = await openGitHubBench({ required: REQUIRED });
  const { from } = await start(async () => bench);
  const { forge } = bench;
  const { state } = bench.host;
  const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
  const { head } = await forge.status(change);
  const run = runWorkflow(state, head, jobs);
  return {
    state,
    forge,
    change,
    head,
    run,
    rerun: () => forge.rerun(change, head),
    starts: () => bench.host.requests.filter((request) => request === RERUN).length,
  };
}

const RUNNING = { outcome: "running", reason: `${NAMES} has failed and is run once more.` };

test("a failed job of a workflow is run again once, and counts as it comes out then", async () => {
  const { state, forge, change, run, rerun, starts } = await begin({ semver: "failure", test: "success" });
  expect((await forge.status(change)).checks).toBe("red");
  expect([await rerun(), starts()]).toEqual([RUNNING, 1]);
  expect((await forge.status(change)).checks).toBe("pending");
  endJob(state, run, "semver", "success");
  expect((await forge.status(change)).checks).toBe("green");
});

test("a job that fails again stays red, also after a crash between the two", async () => {
  const { state, run, rerun, starts } = await begin({ semver: "failure", test: "success" });
  await rerun();
  endJob(state, run, "semver", "failure");
  const again = { outcome: "final", reason: `${NAMES} was run again.` };
  expect([await rerun(), await rerun(), starts()]).toEqual([again, again, 1]);
});

test("jobs that still run are waited for", async () => {
  const { state, run, rerun, starts } = await begin({ semver: "failure", test: null });
  expect([await rerun(), starts()]).toEqual([RUNNING, 0]);
  endJob(state, run, "test", "success");
  expect([await rerun(), starts()]).toEqual([RUNNING, 1]);
});

test("what the credentials may not run again says which permission is missing, and is no failure", async () => {
  const { state, rerun, starts } = await begin({ semver: "failure", test: "success" });
  state.mayUseActions = false;
  const reason = `${NAMES} cannot be run again: the app or token needs write access to Actions for that.`;
  expect([await rerun(), starts()]).toEqual([{ outcome: "final", reason }, 0]);
});

test("a check that no workflow has run is not run again", async () => {
  const { forge, head, rerun, starts } = await begin({ other: "failure" });
  await forge.report(head, "semver", FAILURE);
  await forge.report(head, "test", SUCCESS);
  expect([await rerun(), starts()]).toEqual([{ outcome: "final" }, 0]);
});
