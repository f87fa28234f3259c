import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ADA,
  type ArchitectGitHub,
  BOB,
  describeHost,
  openArchitectService,
  startArchitectGitHub,
} from "../helpers/architect-github.ts";
import { patiently } from "../helpers/patiently.ts";
import { reportCi } from "../helpers/play-ci-github.ts";
import { createShared } from "../helpers/temporary.ts";

const shared = createShared();
let bench: ArchitectGitHub;
let service: Awaited<ReturnType<typeof openArchitectService>>;

beforeAll(async () => {
  bench = await startArchitectGitHub({ atEnd: shared.atEnd });
  service = await openArchitectService(bench, {}, { atEnd: shared.atEnd });
}, 120_000);
afterAll(shared.undoAll);

// oxlint-disable-next-line typescript/no-explicit-any
async function call(who: string, tool: string, input: object): Promise<any> {
  const response = await fetch(`${service.url}/agent/1.0.0/api/tools/${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: who },
    body: JSON.stringify(input),
  });
  const body = await response.json();
  expect([response.status, body]).toEqual([200, expect.anything()]);
  return body;
}

/** Has a run hand its change of a page over, and waits until its pull request is open. */
async function propose(path: string, line: string) {
  const diff = `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;
  const asked = {
    title: `Write ${path}`,
    objective: `Apply this diff:\n\n\`\`\`diff\n${diff}\`\`\`\n`,
    workflow: "change",
  };
  const { task_id } = await call(ADA, "task_create", asked);
  const { run_id } = await call(BOB, "task_claim", { worker_id: "w1" });
  let state = "step";
  while (state === "step") ({ state } = await call(BOB, "run_advance", { run_id }));
  expect(state).toBe("blocked");
  const { proposal } = await until(task_id, ({ run }) => run.proposal.state === "checks");
  const number = Number(/\d+$/.exec(proposal.url)?.[0]);
  const pull = bench.host.state.pulls.find((one) => one.number === number);
  if (pull === undefined) throw new Error(`There is no pull request ${proposal.url}.`);
  return { task_id, run_id, pull };
}

// oxlint-disable-next-line typescript/no-explicit-any
function until(task_id: string, isThere: (status: any) => boolean): Promise<any> {
  return patiently(async () => {
    const body = await call(ADA, "task_status", { task_id });
    if (!isThere(body)) throw new Error(JSON.stringify(body));
    return { status: body.status, result_summary: body.result_summary, proposal: body.run.proposal };
  });
}

const hasEnded = ({ status }: { status: string }) => status !== "blocked";

describe("a run whose change is proposed on GitHub", { timeout: 120_000 }, () => {
  test("is a pull request that waits for others' checks, and then has landed", async () => {
    const { task_id, run_id, pull } = await propose("docs/one.md", "One.");
    const { markdown } = await call(ADA, "run_report", { run_id });
    expect(markdown).toContain("It waits for the checks and reviews of the forge, since ");
    await reportCi(bench, pull.headOid, "success");
    const { status, proposal } = await until(task_id, hasEnded);
    expect([status, proposal.state]).toEqual(["completed", "landed"]);
    expect(await bench.read(proposal.commit, "docs/one.md")).toBe("One.");
    expect((await describeHost(bench)).pulls).toContainEqual({ number: pull.number, is: "merged" });
  });

  test("is refused with the check that is red, and its branch is taken away", async () => {
    const { task_id, pull } = await propose("docs/two.md", "Two.");
    await reportCi(bench, pull.headOid, "failure");
    const { status, result_summary, proposal } = await until(task_id, hasEnded);
    // The objective says all of it, so that another attempt would be no other.
    expect([status, proposal.state]).toEqual(["rejected", "refused"]);
    expect(result_summary).toContain("A check of it is red: `ci`");
    expect((await describeHost(bench)).pulls).toContainEqual({ number: pull.number, is: "closed" });
  });

  test("is refused when a person closes its pull request", async () => {
    const { task_id, pull } = await propose("docs/three.md", "Three.");
    const { owner, repo } = bench.host.state;
    const token = bench.host.credentials.issueUserToken("ada");
    await bench.host.ask(token, `PATCH /repos/${owner}/${repo}/pulls/${pull.number}`, { state: "closed" });
    const { status, result_summary } = await until(task_id, hasEnded);
    expect([status, result_summary]).toEqual(["rejected", expect.stringContaining("Somebody has closed")]);
  });

  test("does not land once its task is cancelled, though all checks turn green", async () => {
    const { task_id, pull } = await propose("docs/four.md", "Four.");
    await call(ADA, "task_cancel", { task_id, reason: "Not now." });
    await reportCi(bench, pull.headOid, "success");
    const { proposal } = await until(task_id, ({ run }) => run.proposal.state === "refused");
    expect(proposal.reason).toContain("cancelled: Not now.");
    expect((await describeHost(bench)).pulls).toContainEqual({ number: pull.number, is: "closed" });
  });

  test("goes on where it was when the service has started anew", async () => {
    const { task_id, pull } = await propose("docs/five.md", "Five.");
    await service.close();
    await reportCi(bench, pull.headOid, "success");
    service = await openArchitectService(bench, {}, { atEnd: shared.atEnd });
    const { status, proposal } = await until(task_id, hasEnded);
    expect([status, proposal.state]).toEqual(["completed", "landed"]);
  });
});
