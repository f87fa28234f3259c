import { expect, test } from "vitest";
import { toRulesText } from "../../../../server/cli/service/forge.ts";
import { startArchitectGitHub } from "../../../helpers/architect-github.ts";
import { runCairn, runInProcess } from "../../../helpers/cairn.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

test("cairn forge rules shows the rules on GitHub without a service, and ends with 1 where something is in the way", async () => {
  const { environment } = await startArchitectGitHub({ required: ["ci"], reviews: 1 });
  const asked = await runCairn(["forge", "rules"], { environment });
  expect(asked).toMatchObject({ code: 1, stderr: "" });
  expect(asked.stdout).toBe(`Changes land on \`main\`, through the forge \`github\`.
Its rules:
  the check \`ci\` has to pass
  a change needs an approving review
  \`required_status_checks\`: checks have to pass
  \`pull_request\`: changes need a pull request
Problems:
  A change needs an approving review, and nobody is asked: CAIRN_GITHUB_REVIEWERS says whom to ask.
`);
  const good = await runInProcess(["forge", "rules", "--format=json"], {
    environment: { ...environment, CAIRN_GITHUB_REVIEWERS: "ada" },
  });
  expect(good.code).toBe(0);
  expect(JSON.parse(good.stdout)).toMatchObject({ kind: "github", branch: "main", problems: [] });
});

test("cairn forge rules says what a local forge requires, and why there may be none", async () => {
  const folder = await temporaryFolder();
  const environment = { CAIRN_DATA: folder, CAIRN_FORGE_CHECKS: "cairn,lint", CAIRN_FORGE_BRANCH: "next" };
  expect((await runInProcess(["forge", "rules"], { environment })).stdout).toBe(
    "Changes land on `next`, through the forge `local`.\nIts rules:\n  the check `cairn` has to pass\n  the check `lint` has to pass\nNo rule keeps changes from landing.\n",
  );
  const embedded = await runInProcess(["forge", "rules"], { environment: { CAIRN_DATA: folder } });
  expect(embedded.stdout).toContain("Changes land on the default branch, through the forge `local`.");
  const none = await runInProcess(["forge", "rules", "https://example.com/a.git"], {
    environment: { CAIRN_DATA: folder },
  });
  expect(none).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^There is no forge\. Nothing here can change/),
  });
  const { path } = await createRepository();
  const checkout = await runInProcess(["forge", "rules", path], { environment: { CAIRN_DATA: folder } });
  expect([checkout.code, checkout.stdout]).toEqual([
    1,
    `There is no forge. People work in \`${path}\`, so it is changed only where CAIRN_FORGE=local says so, and while the branch that changes land on is not checked out there (\`git switch --detach\` leaves it).\n`,
  ]);
  expect((await runInProcess(["forge", "list"])).stderr).toContain(
    "`cairn forge list` is not known; there is `rules`.",
  );
});

test("rules are printed with nothing that a terminal obeys", () => {
  const found = {
    kind: "github",
    branch: "a\u001b[2J",
    rules: ["the check `\u202e` has to pass"],
    problems: [],
  } as const;
  const text = toRulesText(found);
  expect(["\u001b", "\u202e"].filter((one) => text.includes(one))).toEqual([]);
});
