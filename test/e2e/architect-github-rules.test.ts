import { describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { askStatus, begin, waitForAnswer } from "../helpers/architect-client.ts";
import {
  ADA,
  type ArchitectGitHub,
  BOB,
  describeHost,
  findOpenPull,
  openArchitectService,
  startArchitectGitHub,
} from "../helpers/architect-github.ts";
import { reportCi, startCi } from "../helpers/play-ci-github.ts";
import { WEBHOOK_SECRET } from "../helpers/github-service.ts";
import { askModern, toToolCall } from "../helpers/modern-mcp.ts";
import { patiently } from "../helpers/patiently.ts";

const KELVIN = "the weather tool should accept kelvin";
const LONG = { timeout: 300_000 };
const DONE = {
  pulls: [{ number: 1, is: "merged" }],
  refs: ["refs/heads/main", "refs/tags/v1.0.0", "refs/tags/v1.1.0"],
};

/** What keeps a change from landing is said at its status. */
async function says(service: Service, location: string, doing: string | RegExp): Promise<void> {
  await patiently(async () => {
    const status = await askStatus(service.url, location, ADA);
    expect(status["doing"]).toMatch(doing);
    expect(status["status"]).toBe("running");
  });
}

describe("a change of a repository with rules", LONG, () => {
  test("waits for a review and says so, and lands once it is there", async () => {
    const bench = await startArchitectGitHub({ reviews: 1 });
    const service = await openArchitectService(bench);
    await startCi(bench);
    const location = await begin(service.url, { message: KELVIN, authorization: ADA });
    await says(service, location, /^It needs an approving review \(nobody is asked for one yet\)\.$/);
    const pull = await findOpenPull(bench, location);
    pull.reviews = [{ login: "grace", state: "APPROVED" }];
    expect(await waitForAnswer(service.url, location, ADA)).toMatchObject({ result: "committed" });
    expect(await describeHost(bench)).toEqual(DONE);
  });

  test("does not land where no rule wants a check, and says so", async () => {
    const bench = await startArchitectGitHub({ required: [] });
    const service = await openArchitectService(bench);
    const location = await begin(service.url, { message: KELVIN, authorization: ADA });
    await says(service, location, /^No rule of `main` requires a check, so nothing can be green\.$/);
    expect((await findOpenPull(bench, location)).state).toBe("open");
  });

  test("is landed by GitHub itself where auto-merge is switched on, once", async () => {
    const bench = await startArchitectGitHub();
    bench.host.state.allowAutoMerge = true;
    const service = await openArchitectService(bench, { CAIRN_GITHUB_AUTO_MERGE: "true" });
    const location = await begin(service.url, { message: KELVIN, authorization: ADA });
    await says(service, location, /^It lands once its checks are green: cairn, ci\.$/);
    const pull = await findOpenPull(bench, location);
    await reportCi(bench, pull.headOid, "success");
    expect(await waitForAnswer(service.url, location, ADA)).toMatchObject({ result: "committed" });
    expect(await describeHost(bench)).toEqual(DONE);
    const { requests, state } = bench.host;
    expect(requests.filter((route) => route.endsWith("/merge"))).toEqual([]);
    expect(await state.git.git(["log", "-1", "--format=%(trailers:key=Cairn-Run,valueonly)", "v1.1.0"])).not.toBe("");
  });

  test("lands at the moment that GitHub tells of its check, however seldom it is looked at", async () => {
    const bench = await startArchitectGitHub();
    const service = await openArchitectService(bench, { CAIRN_FORGE_INTERVAL: "3600" });
    bench.host.webhooks.add({ url: `${service.url}/webhooks/github`, secret: WEBHOOK_SECRET });
    const location = await begin(service.url, { message: KELVIN, authorization: ADA });
    const pull = await findOpenPull(bench, location);
    await says(service, location, /cairn success\.$/);
    await reportCi(bench, pull.headOid);
    await says(service, location, /ci pending\.$/);
    await reportCi(bench, pull.headOid, "success");
    expect(await waitForAnswer(service.url, location, ADA)).toMatchObject({ result: "committed" });
    expect(await describeHost(bench)).toEqual(DONE);
  });
});

/** Takes a field away that no example has, and so breaks only callers that nobody knows. */
const DROP = "drop the input style of the weather tool";
/** Adds a file of one line. */
const add = (path: string, line: string) => ({
  message: `Apply this diff:\n\`\`\`diff\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n\`\`\``,
});

describe("a change that somebody has to approve", LONG, () => {
  async function waitForApproval(service: Service, location: string) {
    return patiently(async () => {
      const status = await askStatus(service.url, location, ADA);
      expect(status["status"]).toBe("waiting");
      return { task_id: status["task_id"], run_id: status["run_id"] };
    });
  }

  const decide = (service: Service, authorization: string, args: object) =>
    askModern(`${service.url}/agent/1.0.0/work`, {
      ...toToolCall("approval_write", { approver: "Bob", reason: "It is right.", ...args }),
      headers: { authorization },
    });

  const untouched = async (bench: ArchitectGitHub) =>
    expect(await describeHost(bench)).toEqual({ pulls: [], refs: ["refs/heads/main", "refs/tags/v1.0.0"] });

  test("is proposed only once somebody else has, and lands with a major number", async () => {
    const bench = await startArchitectGitHub();
    const service = await openArchitectService(bench);
    await startCi(bench);
    const location = await begin(service.url, { message: DROP, authorization: ADA });
    const run = await waitForApproval(service, location);
    await untouched(bench);
    const own = await decide(service, ADA, run);
    expect(JSON.stringify(own)).toContain("somebody else must approve it");
    await untouched(bench);
    expect(await decide(service, BOB, run)).toMatchObject({ structuredContent: { status: "approved" } });
    const answer = await waitForAnswer(service.url, location, ADA);
    expect(answer).toMatchObject({ result: "committed", new_version: "2.0.0" });
    expect(await describeHost(bench)).toEqual({
      pulls: [{ number: 1, is: "merged" }],
      refs: ["refs/heads/main", "refs/tags/v1.0.0", "refs/tags/v2.0.0"],
    });
    expect(await bench.read("v2.0.0", "manifests/runner/weather.yaml")).not.toContain("style");
    expect(bench.host.state.pulls[0]?.body).toContain("needs a major bump");
  });

  test.each([
    ["a major change", { message: DROP }],
    ["a change of the policies", add("manifests/policies/more.yaml", "roles: { more: [tool:runner.weather] }")],
  ])("ends when it is turned down: %s", async (_, feedback) => {
    const bench = await startArchitectGitHub();
    const service = await openArchitectService(bench);
    const location = await begin(service.url, { ...feedback, authorization: ADA });
    const run = await waitForApproval(service, location);
    expect(JSON.stringify(await decide(service, ADA, run))).toContain("somebody else must approve it");
    await decide(service, BOB, { ...run, decision: "rejected", reason: "People need it." });
    const answer = await waitForAnswer(service.url, location, ADA);
    expect(answer["result"]).toBe("rejected");
    expect(answer["notes"]).toContain("People need it.");
    await untouched(bench);
  });

  test("is not made at all where it is of what runs on GitHub", async () => {
    const bench = await startArchitectGitHub();
    const service = await openArchitectService(bench);
    const feedback = { ...add(".github/workflows/more.yml", "on: push"), authorization: ADA };
    const answer = await waitForAnswer(service.url, await begin(service.url, feedback), ADA);
    expect(answer["result"]).toBe("rejected");
    expect(answer["notes"]).toMatch(/^`\.github\/workflows\/more\.yml` cannot be changed by feedback\./);
    await untouched(bench);
  });
});
