import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { secondaryLimit } from "../../../stand-ins/github/faults.ts";
import { green, proposal, REQUIRED, start, SUCCESS } from "../contract/steps.ts";
import { type GitHubBenchOptions, openGitHubBench } from "../open-github-bench.ts";

const MERGE = "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge";
const GET_PULL = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
const LIST_PULLS = "GET /repos/{owner}/{repo}/pulls";

/** A change that adds a file. */
async function begin(options: Partial<GitHubBenchOptions> = {}) {
  const bench = await openGitHubBench({ required: REQUIRED, ...options });
  const { from } = await start(async () => bench);
  const change = await bench.forge.propose(proposal("one", from, { "c.txt": "c" }));
  const { head } = await bench.forge.status(change);
  const land = (mode: "now" | "when-green" = "now") => bench.forge.land(change, { expectHead: head, mode });
  return { bench, forge: bench.forge, host: bench.host, from, change, head, land };
}

describe("what is required on GitHub", () => {
  test("may stand in the older protection of branches, and be reported by a token as statuses", async () => {
    const { bench, forge, host, head, change, land } = await begin({ rules: "protection", identity: "token" });
    expect(await forge.status(change)).toMatchObject({ required: REQUIRED, checks: "none" });
    await forge.report(head, "semver", { status: "in_progress" });
    expect((await forge.status(change)).checks).toBe("pending");
    await green(bench, head);
    expect(host.state.statuses.map(({ context, state }) => `${context} ${state}`)).toEqual([
      "semver pending",
      "semver success",
      "test success",
    ]);
    expect(await land()).toEqual({ outcome: "merged", oid: await bench.find("main") });
  });

  test("of one app is not fulfilled by somebody else's status of that name", async () => {
    const { bench, forge, host, head, change, land } = await begin({ required: [] });
    const { owner, repo, app } = host.state;
    await host.ask(bench.token, `PUT /repos/${owner}/${repo}/branches/main/protection`, {
      required_status_checks: { strict: true, contexts: [], checks: [{ context: "test", app_id: app.id }] },
      enforce_admins: true,
      required_pull_request_reviews: null,
      restrictions: null,
    });
    await host.ask(bench.token, `POST /repos/${owner}/${repo}/statuses/${head}`, { state: "success", context: "test" });
    expect(await forge.status(change)).toMatchObject({ required: ["test"], checks: "none", runs: [] });
    expect((await land()).outcome).toBe("blocked");
    await forge.report(head, "test", SUCCESS);
    expect((await land()).outcome).toBe("merged");
  });

  test("has to be something: nothing lands where no rule requires a check", async () => {
    const { forge, head, land } = await begin({ required: [] });
    await forge.report(head, "test", SUCCESS);
    expect(await land()).toEqual({
      outcome: "blocked",
      reason: "No rule of `main` requires a check, so nothing can be green.",
    });
  });

  test("a long list of checks is read to its end", async () => {
    const { bench, forge, change, head, host } = await begin();
    const { owner, repo } = host.state;
    const app = host.credentials.issueInstallationToken().token;
    for (let at = 0; at < 101; at++) {
      await host.ask(app, `POST /repos/${owner}/${repo}/check-runs`, { name: `other ${at}`, head_sha: head });
    }
    await green(bench, head);
    const { runs, checks } = await forge.status(change);
    expect(runs).toHaveLength(103);
    expect(checks).toBe("green");
  });
});

describe("landing on GitHub", () => {
  test("with a merge commit keeps the change's own", async () => {
    const { bench, host, head, from, land } = await begin({ mergeMethod: "merge" });
    await green(bench, head);
    const landing = await land();
    expect(landing.outcome).toBe("merged");
    expect(await host.state.git.git(["log", "-1", "--format=%P", "refs/heads/main"])).toBe(`${from} ${head}`);
    expect(await land()).toEqual(landing);
  });

  test("works on a server that knows no merge queues", async () => {
    const { bench, host, head, land } = await begin();
    host.state.knowsMergeQueues = false;
    expect((await land()).outcome).toBe("blocked");
    await green(bench, head);
    expect((await land()).outcome).toBe("merged");
  });

  test("leaves the branch to whoever has gone on working there", async () => {
    const { bench, head, host, change, land } = await begin();
    await green(bench, head);
    host.before.set("GET /repos/{owner}/{repo}/git/commits/{commit_sha}", () => bench.push(change.branch, { d: "d" }));
    expect((await land()).outcome).toBe("merged");
    expect(await bench.refs()).toEqual(["refs/heads/main", "refs/heads/proposal/one"]);
  });

  test("finds a base that moved while GitHub was merging, and merges nothing", async () => {
    const { bench, host, head, land } = await begin({ strict: false });
    await green(bench, head);
    let pushed = "";
    host.state.beforeMerge = async () => void (pushed = await bench.push("main", { "b.txt": "later\n" }));
    expect(await land()).toMatchObject({ outcome: "behind" });
    expect(await bench.find("main")).toBe(pushed);
    expect(host.requests.filter((route) => route === MERGE)).toHaveLength(1);
  });

  test("says so when a base moved that GitHub does not look at, and something else has landed than was checked", async () => {
    const { bench, host, head, land } = await begin({ strict: false });
    await green(bench, head);
    host.before.set(MERGE, () => bench.push("main", { "b.txt": "later\n" }));
    const refused = { name: "CONFLICT", details: { checked: head, landed: expect.stringMatching(/^[0-9a-f]{40}$/) } };
    await expect(land()).rejects.toMatchObject(refused);
    await expect(land()).rejects.toMatchObject(refused);
  });

  test("of a head that moves in that very moment is stale", async () => {
    const { bench, host, head, change, from, land } = await begin();
    await green(bench, head);
    host.before.set(MERGE, () => bench.push(change.branch, { "evil.txt": "unchecked" }));
    expect(await land()).toMatchObject({ outcome: "stale" });
    expect(await bench.find("main")).toBe(from);
  });

  test.each(["answer", "half", "reset"] as const)(
    "is known to be done when only the answer is lost: %s",
    async (kind) => {
      const { bench, host, head, land } = await begin();
      await green(bench, head);
      host.faults.order({ route: MERGE, kind, done: true });
      expect(await land()).toEqual({ outcome: "merged", oid: await bench.find("main") });
    },
  );

  test.each([
    ["Changes must be reviewed.", 1],
    ["Base branch was modified. Review and try the merge again.", 3],
  ])("is not tried again and again when GitHub refuses for reasons of its own: %s", async (message, times) => {
    const { bench, host, head, from, land } = await begin();
    await green(bench, head);
    host.faults.order({ route: MERGE, kind: "answer", status: 405, message, times: 9 });
    expect(await land()).toEqual({ outcome: "blocked", reason: `GitHub refuses to merge: ${message}` });
    expect(host.requests.filter((route) => route === MERGE)).toHaveLength(times);
    expect(await bench.find("main")).toBe(from);
  });

  test.each([
    [{ autoMerge: false }, /^Of the checks .*, not all are green: none has been reported\.$/],
    [{ strict: false }, /no rule that Cairn can read has branches up to date first/],
  ])("arms nothing with %j", async (options, reason) => {
    const { host, land } = await begin(options);
    expect(await land("when-green")).toEqual({ outcome: "blocked", reason: expect.stringMatching(reason) });
    expect(host.state.pulls[0]?.armed).toBeUndefined();
  });

  test("arms nothing where the repository does not allow it, or what is red", async () => {
    const { forge, host, head, land } = await begin();
    host.state.allowAutoMerge = false;
    expect((await land("when-green")).outcome).toBe("blocked");
    host.state.allowAutoMerge = true;
    await forge.report(head, "test", { status: "completed", conclusion: "failure", summary: "No." });
    expect((await land("when-green")).outcome).toBe("blocked");
    expect(host.state.pulls[0]?.armed).toBeUndefined();
  });
});

describe("requests to GitHub", () => {
  test("that find nothing new do not count against its limits", async () => {
    const { forge, host, change, bench } = await begin();
    const left = async () => {
      const { owner, repo, url } = host.state;
      const headers = { authorization: `Bearer ${bench.token}` };
      const response = await fetch(`${url}/repos/${owner}/${repo}`, { headers });
      return Number(response.headers.get("x-ratelimit-remaining"));
    };
    await forge.status(change);
    const status = await forge.status(change);
    const before = await left();
    expect(await forge.status(change)).toEqual(status);
    expect(before - (await left())).toBe(1);
  });

  test("wait as long as GitHub asks for, and say when that is too long", async () => {
    const { forge, host, change, bench } = await begin();
    const before = bench.waits.length;
    host.faults.order({ ...secondaryLimit(7), route: GET_PULL }, { ...secondaryLimit(9, 429), route: GET_PULL });
    await forge.status(change);
    expect(bench.waits.slice(before)).toEqual([7_000, 9_000]);
    host.faults.order({ ...secondaryLimit(3_600), route: GET_PULL });
    await expect(forge.status(change)).rejects.toMatchObject({
      name: "UNAVAILABLE",
      details: { retryAfterSeconds: 3_600 },
    });
    host.faults.order({ ...secondaryLimit(1), route: GET_PULL, times: 3 });
    await expect(forge.status(change)).rejects.toMatchObject({ name: "UNAVAILABLE" });
  });

  test("that write are a second apart", async () => {
    const { bench, from, forge } = await begin();
    const before = bench.waits.length;
    await forge.tag("v1.0.0", from, "One");
    await forge.tag("v1.0.1", from, "One");
    expect(bench.waits.slice(before)).toEqual([1_000, 1_000, 1_000, 1_000]);
  });

  test.each(["half", "reset"] as const)("are made again when the answer is %s", async (kind) => {
    const { forge, host, change, head } = await begin();
    host.faults.order({ route: GET_PULL, kind, done: true, times: 2 });
    expect(await forge.status(change)).toMatchObject({ head, state: "open" });
    host.faults.order({ route: GET_PULL, kind, done: true, times: 3 });
    await expect(forge.status(change)).rejects.toMatchObject({ name: "UPSTREAM_ERROR" });
  });

  test("that get no answer end", async () => {
    const { forge, host, change } = await begin({ timeoutMs: 1_500 });
    host.faults.order({ route: GET_PULL, kind: "hang", times: 3 });
    await expect(forge.status(change)).rejects.toMatchObject({ name: "UPSTREAM_TIMEOUT" });
  });

  test("show no credentials when they fail", async () => {
    const { forge, host, change, bench } = await begin({ identity: "token" });
    const secrets = [bench.token, Buffer.from(bench.token).toString("base64")];
    const faults = [
      { kind: "answer", status: 401, message: "Bad credentials" },
      { kind: "answer", status: 403, message: `Resource not accessible by ${bench.token}` },
      { kind: "answer", status: 500, message: `token ${bench.token}`, times: 3 },
      { kind: "reset", times: 3 },
    ] as const;
    for (const fault of faults) {
      host.faults.order({ route: LIST_PULLS, ...fault });
      const { number: _, ...unnumbered } = change;
      const error: unknown = await forge.status(unnumbered).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ name: "UPSTREAM_ERROR" });
      const shown = inspect(error, { depth: 20, showHidden: true });
      for (const secret of secrets) expect(shown).not.toContain(secret);
    }
  });
});
