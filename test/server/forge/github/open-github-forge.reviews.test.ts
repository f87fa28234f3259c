import { describe, expect, test } from "vitest";
import { green, proposal } from "../contract/steps.ts";
import { approvalOf, pulls, shareGitHub } from "../share-github.ts";

const ASK = "POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers";
const OWNED = pulls({ required_approving_review_count: 1, require_code_owner_review: true });
const DISMISSING = pulls({ required_approving_review_count: 1, dismiss_stale_reviews_on_push: true });

/** What sends pull requests here is `ada`. */
const { change, rule } = shareGitHub({ identity: "token", reviewers: ["grace"] });

describe("[A12] owners of code", () => {
  test("are asked for what the change touches, and the pull request says who has to approve which files", async () => {
    const bench = await rule(OWNED);
    await bench.push("main", {
      CODEOWNERS: "* @late\n",
      ".github/CODEOWNERS": "*.md @bob\n/tools/ @Acme/smiths @bob\n/open/\n",
      "docs/CODEOWNERS": "* @late\n",
    });
    const files = { "tools/saw.txt": "1", "tools/axe.txt": "2", "a.md": "3", "open/b.txt": "4", "c.txt": "5" };
    const { pull } = await change(bench, files);
    expect(pull.requested).toEqual({ users: ["grace", "bob"], teams: ["smiths"] });
    expect(pull.body).toContain(
      [
        "it has an approving review, one of those who own the code (`CODEOWNERS`).",
        "",
        "By `.github/CODEOWNERS`, these have to approve:",
        "",
        "- the team `Acme/smiths` or `bob`: `tools/saw.txt`, `tools/axe.txt`",
        "- `bob`: `a.md`",
        "",
        "By `.github/CODEOWNERS`, nobody owns `open/b.txt`, `c.txt`.",
      ].join("\n"),
    );
    expect(pull.body).not.toContain("could not ask");
  });

  test("stand on the base: a change of them does not choose its own", async () => {
    const bench = await rule(OWNED);
    await bench.push("main", { ".github/CODEOWNERS": "* @bob\n" });
    const { pull } = await change(bench, { ".github/CODEOWNERS": "* @mallory\n" });
    expect(pull.requested).toEqual({ users: ["grace", "bob"], teams: [] });
    expect(pull.body).toContain("- `bob`: `.github/CODEOWNERS`");
  });

  test("who cannot be asked keep nobody else from it, and are named with the reason", async () => {
    const bench = await rule(OWNED);
    await bench.push("main", {
      ".github/CODEOWNERS": "* @ada @no-one @bob bob@example.com @other/team @acme/no-team\n",
    });
    const { pull } = await change(bench);
    expect(pull.requested).toEqual({ users: ["grace", "bob"], teams: [] });
    const unknown =
      "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the acme/tools repository";
    expect(pull.body).toContain(
      `\n\nCairn could not ask for a review: \`ada\` (the pull request is theirs), \`bob@example.com\` (GitHub alone knows whose address this is), the team \`other/team\` (it is no team of \`acme\`), \`no-one\` (${unknown}), the team \`acme/no-team\` (${unknown}).`,
    );
  });

  test("are asked of a whole list at once, and one by one only where GitHub refuses it", async () => {
    const bench = await rule(OWNED);
    const asks = () => bench.host.requests.filter((route) => route === ASK).length;
    await bench.push("main", { ".github/CODEOWNERS": "* @bob @acme/smiths\n" });
    const before = asks();
    await change(bench);
    expect(asks() - before).toBe(1);
    bench.host.faults.order({ route: ASK, kind: "answer", status: 403, message: "Resource not accessible" });
    const { pull } = await change(bench);
    expect(asks() - before).toBe(2);
    expect(pull.requested).toEqual({ users: [], teams: [] });
    expect(pull.body).toMatch(/could not ask for a review: `grace` \(Resource not accessible\), `bob` \(Resource/);
  });

  test("are said to be missing where the base names none, and then no review of theirs is waited for", async () => {
    const bench = await rule(pulls({ require_code_owner_review: true }));
    await bench.push("main", { ".github/CODEOWNERS": null, CODEOWNERS: null, "docs/CODEOWNERS": null });
    const { pull } = await change(bench);
    expect(pull.body).toContain("passes, and the check `test` passes.\n\nA rule of `main` wants the approval");
    expect(pull.body).toContain("`main` has no `CODEOWNERS` that GitHub reads: nobody owns what this changes.");
    expect(pull.requested).toEqual({ users: [], teams: [] });
  });

  test("are of no account where no rule wants them, and the file is not even looked for", async () => {
    const bench = await rule(pulls({ required_approving_review_count: 1 }));
    await bench.push("main", { ".github/CODEOWNERS": "* @bob\n" });
    const { pull } = await change(bench);
    expect(pull.requested).toEqual({ users: ["grace"], teams: [] });
    expect(pull.body).not.toContain("CODEOWNERS");
  });

  test("are asked for what a revision touches, which says anew who has to approve", async () => {
    const bench = await rule(OWNED);
    await bench.push("main", { ".github/CODEOWNERS": "/x/ @bob\n/y/ @carol\n" });
    const { change: made, from, head, pull } = await change(bench, { "x/a": "1" });
    const { key: _key, base: _base, ...next } = proposal("any", from, { "y/a": "1" });
    await bench.forge.revise(made, { ...next, expectHead: head });
    expect(pull.requested.users).toEqual(["grace", "bob", "carol"]);
    expect(pull.body).toContain("- `carol`: `y/a`");
    expect(pull.body).not.toContain("`bob`");
  });
});

describe("[A12] approvals that a push takes back", () => {
  test("are asked for again once the base was brought in", async () => {
    const bench = await rule(DISMISSING);
    const { change: made, pull } = await change(bench);
    expect(pull.body).toContain("A push takes approvals back, and Cairn then asks for them again.");
    pull.requested.users.splice(0);
    pull.reviews = [approvalOf("grace"), approvalOf("dora")];
    await bench.push("main", { "theirs.txt": "theirs\n" });
    expect((await bench.forge.refresh(made)).outcome).toBe("updated");
    expect(pull.requested.users).toEqual(["grace", "dora"]);
  });

  test("are asked for again by whatever push, as soon as GitHub says so, and once", async () => {
    const bench = await rule(DISMISSING);
    const { change: made, head, pull } = await change(bench);
    await green(bench, head);
    pull.requested.users.splice(0);
    pull.reviews = [{ login: "grace", state: "DISMISSED" }];
    const land = () => bench.forge.land(made, { expectHead: head, mode: "now" });
    const before = bench.host.requests.length;
    const blocked = { outcome: "blocked", reason: "It needs an approving review (asked: `grace`)." };
    expect([await land(), await land()]).toEqual([blocked, blocked]);
    expect(bench.host.requests.slice(before).filter((route) => route === ASK)).toHaveLength(1);
    pull.reviews = [approvalOf("grace")];
    expect((await land()).outcome).toBe("merged");
  });

  test("are not asked for where enough are left, and no one is asked who has approved", async () => {
    const bench = await rule(pulls({ required_approving_review_count: 2 }));
    const { change: made, pull } = await change(bench);
    pull.requested.users.splice(0);
    pull.reviews = [approvalOf("grace")];
    await bench.push("main", { "more.txt": "more\n" });
    await bench.forge.refresh(made);
    expect(pull.requested.users).toEqual([]);
  });
});

describe("[A12] a team whose approval a rule wants", () => {
  test("is named on the pull request, and without it GitHub's refusal is the reason", async () => {
    const required = { reviewer: { id: 7, type: "Team" }, minimum_approvals: 2, file_patterns: ["*.txt"] };
    const bench = await rule(pulls({ required_reviewers: [required] }));
    const { change: made, head, pull } = await change(bench);
    expect(pull.body).toContain("it has 2 approving reviews of the team with the number 7 for files like `*.txt`.");
    await green(bench, head);
    const land = () => bench.forge.land(made, { expectHead: head, mode: "now" });
    const reason = "GitHub refuses to merge: Waiting on 2 approving reviews of a required team.";
    expect(await land()).toEqual({ outcome: "blocked", reason });
    pull.reviews = ["bob", "carol"].map((login) => ({ ...approvalOf(login), teams: [7] }));
    expect((await land()).outcome).toBe("merged");
  });
});

describe("what is inspected on GitHub", () => {
  test("is whether owners of code are named, and what GitHub finds wrong with them", async () => {
    const bench = await rule(OWNED);
    await bench.push("main", { ".github/CODEOWNERS": "* @no-one\n" });
    const line = { line: 1, column: 3, source: "* @no-one", kind: "Unknown owner", path: ".github/CODEOWNERS" };
    bench.host.state.codeOwnersErrors = [{ ...line, message: "Unknown owner on line 1", suggestion: null }];
    expect((await bench.forge.inspect("main")).problems).toEqual([
      "GitHub takes line 1 of `.github/CODEOWNERS` only in part or not at all (unknown owner): `* @no-one`.",
    ]);
    delete bench.host.state.codeOwnersErrors;
    expect((await bench.forge.inspect("main")).problems).toEqual([]);
  });
});
