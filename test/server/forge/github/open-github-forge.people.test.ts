import { beforeEach, describe, expect, test } from "vitest";
import { SUCCESS } from "../contract/steps.ts";
import { MERGE, pulls, shareGitHub } from "../share-github.ts";

const QUEUE = {
  type: "merge_queue",
  parameters: {
    check_response_timeout_minutes: 60,
    grouping_strategy: "ALLGREEN",
    max_entries_to_build: 5,
    max_entries_to_merge: 5,
    merge_method: "SQUASH",
    min_entries_to_merge: 1,
    min_entries_to_merge_wait_minutes: 5,
  },
};

const { begin, rule, tick } = shareGitHub();

describe("[A12] landing through a merge queue", () => {
  test("waits in it for the checks of what would land, and finds that landed", async () => {
    const { bench, forge, host, pull, head, land, merges } = await begin(QUEUE);
    expect(await land()).toEqual({ outcome: "armed", reason: "It is in GitHub's merge queue, at place 1." });
    const group = pull.queued?.group ?? "";
    expect(await land()).toEqual({
      outcome: "armed",
      reason: "It is in GitHub's merge queue, at place 1 (awaiting checks).",
      group,
    });
    for (const name of ["semver", "test"]) await forge.report(group, name, SUCCESS);
    expect(await land()).toEqual({ outcome: "merged", oid: group });
    expect([await bench.find("main"), merges()]).toEqual([group, 0]);
    const trees = await host.state.git.git(["rev-parse", `${group}^{tree}`, `${head}^{tree}`]);
    expect(new Set(trees.split("\n")).size).toBe(1);
    expect(pull.body).toContain("Cairn puts it into the merge queue by itself once the check `semver` passes");
  });

  test("is not left because the base has moved, and names what has landed instead of what was checked", async () => {
    const { bench, forge, pull, land } = await begin(QUEUE);
    await land();
    await bench.push("main", { "theirs.txt": "theirs\n" });
    await forge.sync([]);
    expect(await land()).toMatchObject({ outcome: "armed" });
    const group = pull.queued?.group ?? "";
    for (const name of ["semver", "test"]) await forge.report(group, name, SUCCESS);
    await expect(land()).rejects.toMatchObject({ name: "CONFLICT", details: { landed: group } });
  });

  test("is tried twice where its checks fail there, and then refused with the reason", async () => {
    const { forge, pull, land } = await begin(QUEUE);
    for (let time = 1; time <= 2; time++) {
      expect((await land()).outcome).toBe("armed");
      const failed = { status: "completed", conclusion: "failure", summary: "No." } as const;
      await forge.report(pull.queued?.group ?? "", "test", failed);
    }
    expect(await land()).toEqual({
      outcome: "refused",
      reason: "GitHub's merge queue has let go of it 2 times: Failed status checks.",
    });
  });

  test("is asked for where a server names the queue only when it refuses to merge", async () => {
    const { host, pull, land } = await begin(QUEUE);
    const message = "Repository rule violations found\n\nChanges must be made through the merge queue";
    const [queue] = host.state.rulesets.splice(1);
    host.faults.order({ route: MERGE, kind: "answer", status: 405, message });
    host.before.set(MERGE, async () => void (queue && host.state.rulesets.push(queue)));
    expect(await land()).toEqual({ outcome: "armed", reason: "It is in GitHub's merge queue, at place 1." });
    expect(pull.queued).toBeDefined();
  });
});

describe("[A12] a head that moves before the queue", () => {
  test("is not put into it in place of the one that was checked", async () => {
    const { bench, host, change, pull, land } = await begin(QUEUE);
    host.before.set("GET /repos/{owner}/{repo}/commits/{ref}/status", async () => {
      await bench.push(change.branch, { "evil.txt": "unchecked" });
      // Even where a checker is quick: it is another head than the one that was looked at.
      const head = await bench.find(change.branch);
      for (const context of ["semver", "test"]) {
        host.state.statuses.push({ id: 1, head: head ?? "", context, state: "success", description: "" });
      }
    });
    expect(await land()).toEqual({
      outcome: "blocked",
      reason: "GitHub does not take it into its merge queue: Head branch was modified. Review and try the merge again.",
    });
    expect(pull.queued).toBeUndefined();
  });
});

describe("[A12] what people have to do on GitHub", () => {
  test("is looked up before a merge is tried, and those are asked whom the settings name", async () => {
    const wanted = pulls({
      required_approving_review_count: 1,
      require_code_owner_review: true,
      required_review_thread_resolution: true,
    });
    await (await rule()).push("main", { CODEOWNERS: "* @grace\n" });
    const { pull, land, merges } = await begin(wanted);
    expect(pull.requested).toEqual({ users: ["grace"], teams: ["agents"] });
    expect(pull.body).toContain("it has an approving review, one of those who own the code (`CODEOWNERS`)");
    pull.threads.push(true, false);
    expect(await land()).toEqual({
      outcome: "blocked",
      reason:
        "It needs an approving review, one of those who own the code (`CODEOWNERS`) (asked: `grace`, the team `agents`). A conversation on its code has to be resolved.",
    });
    pull.reviews = [{ login: "grace", state: "APPROVED" }];
    pull.ownerApproves = true;
    expect((await land()).outcome).toBe("blocked");
    pull.threads.splice(0, 2, true, true);
    expect(merges()).toBe(0);
    expect((await land()).outcome).toBe("merged");
  });

  test("is said while its checks run, too", async () => {
    const { bench, change, forge, head, land } = await begin(pulls({ required_approving_review_count: 1 }));
    await forge.report(head, "test", { status: "in_progress" });
    expect(await land()).toEqual({
      outcome: "blocked",
      reason: expect.stringMatching(
        /^Of the checks .* It needs an approving review \(asked: `grace`, the team `agents`\)\.$/,
      ),
    });
    await bench.forge.abandon(change, "Enough.");
  });
});

describe("the method to merge by", () => {
  test("is another one where the wanted one is switched off", async () => {
    const { host, head, from, land } = await begin();
    host.state.methods.delete("squash");
    expect((await land()).outcome).toBe("merged");
    expect(await host.state.git.git(["log", "-1", "--format=%P", "refs/heads/main"])).toBe(`${from} ${head}`);
  });

  test("that nobody allows is explained, and nothing is tried", async () => {
    const { host, land, merges, forge } = await begin({ type: "required_linear_history" });
    host.state.methods.delete("squash");
    expect(await land()).toEqual({ outcome: "blocked", reason: expect.stringContaining("neither is possible") });
    expect(merges()).toBe(0);
    expect((await forge.inspect("main")).problems).toEqual([expect.stringContaining("neither is possible")]);
  });
});

describe("limits of GraphQL", () => {
  beforeEach(tick);

  test.each([
    [
      "its own answer",
      { message: "API rate limit exceeded for user ID 1.", type: "RATE_LIMITED" },
      { "retry-after": "7" },
    ],
    ["a secondary one", { message: "You have exceeded a secondary rate limit.", type: "" }, { "retry-after": "7" }],
  ])("are waited for, told by %s", async (_name, error, headers) => {
    const { bench, host, land } = await begin();
    const before = bench.waits.length;
    host.faults.order({
      route: "POST /graphql",
      kind: "answer",
      status: 200,
      body: { data: null, errors: [error] },
      headers,
    });
    expect((await land()).outcome).toBe("merged");
    expect(bench.waits.slice(before)).toContain(7_000);
  });

  test("that are too long for that are said as such, and are no refusal", async () => {
    const { host, land } = await begin(QUEUE);
    const errors = [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }];
    const headers = {
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 9_000),
    };
    host.faults.order({ route: "POST /graphql", kind: "answer", status: 200, body: { errors }, headers, after: 1 });
    await expect(land()).rejects.toMatchObject({ name: "UNAVAILABLE" });
    expect((await land()).outcome).toBe("armed");
  });
});
