import { describe, expect, test } from "vitest";
import type { Git } from "../../../../server/versions/git/git.ts";
import { createRepository as createView } from "../../../../server/architect/pipeline/repository.ts";
import { loadGit } from "../../../../server/versions/git/git.ts";
import { createRepository } from "../../../helpers/repository.ts";

const semverOf = async () => "1.0.0";

/** `main` and a branch that have grown apart from one commit. */
async function createFork() {
  const repository = await createRepository();
  await repository.commit({ "a.txt": "1\n2\n3\n", "b.txt": "b\n" });
  await repository.git("checkout", "--quiet", "-b", "change");
  const was = await repository.commit({ "a.txt": "one\n2\n3\n" });
  await repository.git("checkout", "--quiet", "main");
  const base = await repository.commit({ "b.txt": "bb\n" });
  await repository.git("checkout", "--quiet", "change");
  const git = await loadGit({ environment: { PATH: process.env["PATH"] } });
  const gitDir = `${repository.path}/.git`;
  const view = createView({ git, gitDir, defaultBranch: "main", onRefs: () => undefined, semverOf });
  const ask = (head: string, to = base) => view.bringsOnlyBase({ head, was, base: to });
  const merge = async (...args: readonly string[]) => {
    await repository.git("merge", "--quiet", "--no-ff", "-m", "Merge", ...args);
    return repository.git("rev-parse", "HEAD");
  };
  return { ...repository, was, base, ask, merge };
}

describe("a commit brings only its base", () => {
  test("where that was merged into what there was, also when the base has gone on since", async () => {
    const { merge, ask, git, commit } = await createFork();
    const head = await merge("main");
    expect(await ask(head)).toBe(true);
    await git("checkout", "--quiet", "main");
    expect(await ask(head, await commit({ "c.txt": "c\n" }))).toBe(true);
  });

  test("unless something else is changed on the way", async () => {
    const { merge, ask, git, commit } = await createFork();
    await merge("main");
    await commit({ "d.txt": "d\n" });
    await git("reset", "--quiet", "--soft", "HEAD^");
    await git("commit", "--quiet", "--amend", "--no-edit");
    expect(await ask(await git("rev-parse", "HEAD"))).toBe(false);
  });

  test("unless another branch was merged", async () => {
    const { merge, ask, git, commit, base } = await createFork();
    await git("checkout", "--quiet", "-b", "other", base);
    await commit({ "e.txt": "e\n" });
    await git("checkout", "--quiet", "change");
    expect(await ask(await merge("other"))).toBe(false);
  });

  test("unless it comes from elsewhere, or is no merge", async () => {
    const { ask, commit, was, base } = await createFork();
    expect([await ask(base), await ask(was), await ask(await commit({ "f.txt": "f\n" }))]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("unless people have had to say what becomes of a conflict", async () => {
    const { ask, git, commit, merge } = await createFork();
    await git("checkout", "--quiet", "main");
    const base = await commit({ "a.txt": "uno\n2\n3\n" });
    await git("checkout", "--quiet", "change");
    expect(await ask(await merge("--strategy-option=ours", "main"), base)).toBe(false);
  });
});

test("asks git about refs once, and again once they have changed", async () => {
  const repository = await createRepository();
  const first = await repository.commit({ "a.txt": "1\n" });
  const git = await loadGit({ environment: { PATH: process.env["PATH"] } });
  let asked = 0;
  const counting: Git = { ...git, run: (...args) => ((asked += 1), git.run(...args)) };
  let tell: () => void = () => undefined;
  const onRefs = (listener: () => void) => (tell = listener);
  const view = createView({
    git: counting,
    gitDir: `${repository.path}/.git`,
    defaultBranch: "main",
    onRefs,
    semverOf,
  });
  const ask = async () => [(await view.findBase(first)).head, (await view.listTags()).has("v1.0.0"), asked];
  expect([await ask(), await ask()]).toEqual([
    [first, false, 2],
    [first, false, 2],
  ]);
  const second = await repository.commit({ "a.txt": "2\n" });
  await repository.git("tag", "v1.0.0");
  tell();
  expect(await ask()).toEqual([second, true, 4]);
});

describe("the branch of a commit", () => {
  /** `main` at some version, and branches that have its first commit. */
  async function createBranches(names: readonly string[], mainVersion = "2.0.0") {
    const repository = await createRepository();
    const first = await repository.commit({ "a.txt": "1\n" });
    for (const name of names) await repository.git("branch", name);
    await repository.commit({ "a.txt": "2\n" });
    const git = await loadGit({ environment: { PATH: process.env["PATH"] } });
    const about = { git, gitDir: `${repository.path}/.git`, defaultBranch: "main" };
    let forget: () => void = () => undefined;
    const onRefs = (listener: () => void) => (forget = listener);
    const view = createView({ ...about, onRefs, semverOf: async () => mainVersion });
    const find = async (semver: string, branch?: string) => {
      forget();
      const found = await view.findBase(first, { semver, ...(branch !== undefined && { branch }) });
      return `${found.branch} +${found.build}`;
    };
    return { find, first, repository };
  }

  test.each([
    ["is the one whose name is a range with the version", ["1.x"], "1.2.0", "1.x +1-x"],
    ["is the narrowest of them", ["1.x", "1.2.x", "release/v1"], "1.2.0", "1.2.x +1-2-x"],
    ["may be named within a folder", ["release/v1.2"], "1.2.3", "release/v1.2 +release-v1-2"],
    ["is the default one where no name has the version", ["1.3.x", "one", "fix-1.2"], "1.2.0", "main +"],
    ["is the default one as long as that continues the version", ["1.x"], "1.2.0", "main +", "1.9.0"],
    ["is that of the minor version before 1.0.0", ["0.2.x"], "0.2.1", "0.2.x +0-2-x", "0.3.0"],
  ])("%s", async (_title, names, semver, expected, mainVersion = "2.0.0") => {
    expect(await (await createBranches(names, mainVersion)).find(semver)).toBe(expected);
  });

  test("is the one that is asked for, with its own build", async () => {
    const { find } = await createBranches(["1.x", "feature"]);
    expect([await find("1.0.0", "feature"), await find("1.0.0", "main")]).toEqual(["feature +feature", "main +"]);
  });

  test("cannot be told where several have it and none maintains it, which says what to do", async () => {
    const { find, repository, first } = await createBranches(["one", "two"]);
    await repository.git("reset", "--quiet", "--hard", first);
    await repository.git("commit", "--quiet", "--amend", "--message", "Another first");
    await expect(find("1.0.0")).rejects.toThrow(
      "Several branches have this version (`one`, `two`); merge it into `main` first, or call the one that maintains it `1.x`.",
    );
    await repository.git("branch", "-D", "one", "two");
    await expect(find("1.0.0")).rejects.toThrow(
      `No branch has this version any more, so nothing made from it could land. Make one (\`git push origin ${first}:refs/heads/1.x\`) and send it again.`,
    );
  });
});
