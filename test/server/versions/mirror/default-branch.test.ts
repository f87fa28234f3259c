import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadGit } from "../../../../server/versions/git/git.ts";
import { readUpstream } from "../../../../server/versions/git/upstream.ts";
import { findDefaultBranch } from "../../../../server/versions/mirror/default-branch.ts";
import { openMirror } from "../../../../server/versions/mirror/mirror.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

async function start(branches: readonly string[]) {
  const upstream = await createRepository();
  await upstream.commit({ "a.txt": "a" });
  await upstream.git("switch", "--detach", "--quiet");
  for (const branch of branches) await upstream.git("branch", "--force", branch);
  if (!branches.includes("main")) await upstream.git("branch", "--delete", "--force", "main");
  await upstream.git("symbolic-ref", "HEAD", "refs/heads/gone");
  const git = await loadGit({ environment: { PATH: process.env["PATH"] } });
  const path = join(await temporaryFolder(), "mirror.git");
  const open = async () => {
    const limits = { listMs: 30_000, fetchMs: 30_000 };
    const mirror = await openMirror({ git, path, upstream: readUpstream(upstream.path, "/"), limits });
    onTestFinished(mirror.close);
    return mirror;
  };
  return { upstream, open, find: () => findDefaultBranch(git, path) };
}

describe("the default branch of a repository", () => {
  test("is the one that HEAD names, and follows it", async () => {
    const { upstream, open, find } = await start(["main", "trunk"]);
    await upstream.git("symbolic-ref", "HEAD", "refs/heads/trunk");
    const mirror = await open();
    expect(await find()).toBe("trunk");
    await upstream.git("symbolic-ref", "HEAD", "refs/heads/main");
    await mirror.listUpstream();
    expect(await find()).toBe("main");
  });

  test.each([
    [["trunk", "main", "master"], "main"],
    [["trunk", "master"], "master"],
    [["trunk"], "trunk"],
    [["trunk", "other"], undefined],
  ])("is, where HEAD names none, of %o %s", async (branches, expected) => {
    const { open, find } = await start(branches);
    const mirror = await open();
    await mirror.listUpstream();
    expect(await find()).toBe(expected);
  });
});
