import { describe, expect, test } from "vitest";
import type { Git } from "../../../../server/versions/git/git.ts";
import { createRepository as createView } from "../../../../server/architect/pipeline/repository.ts";
import { loadGit } from "../../../../server/versions/git/git.ts";
import { createRepository } from "../../../helpers/repository.ts";

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
  const view = createView({ git, gitDir, defaultBranch: "main", onRefs: () => undefined });
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
  const view = createView({ git: counting, gitDir: `${repository.path}/.git`, defaultBranch: "main", onRefs });
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
