import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import type { Git } from "../../../../server/versions/git/git.ts";
import { createRepository, type TestRepository, versionFiles, loadTestGit } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { openTestRegistry, type TestRegistry } from "./open-test-registry.ts";

/** How an address is answered to those who call, and to those who look. */
async function standingOf(registry: TestRegistry, segment: string): Promise<readonly string[]> {
  const nameOf = (error: unknown) => {
    if (error instanceof CairnError) return error.name;
    throw error;
  };
  return [
    await registry.resolve(segment).then(({ record }) => record.state, nameOf),
    await registry.describe(segment).then(({ record }) => record.state, nameOf),
  ];
}

/** The standing of each of some commits by its name, as an address and as the beginning of one. */
async function standingsOf(registry: TestRegistry, commits: Readonly<Record<string, string>>) {
  const found: Record<string, readonly string[]> = {};
  for (const [name, commit] of Object.entries(commits)) {
    found[name] = await standingOf(registry, commit);
    expect([name, await standingOf(registry, commit.slice(0, 9))]).toEqual([name, found[name]]);
  }
  return found;
}

async function messageOf(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => "",
    (error: unknown) => (error as CairnError).message,
  );
}

/** A commit on top of another that changes nothing. */
const commitOn = (repository: TestRepository, parent: string, text: string): Promise<string> =>
  repository.git("commit-tree", "-m", text, "-p", parent, `${parent}^{tree}`);

const SERVED = ["served", "served"];
const UNSERVED = ["VERSION_NOT_SERVED", "unserved"];
const QUARANTINED = ["VERSION_QUARANTINED", "quarantined"];
const GONE = ["VERSION_NOT_FOUND", "VERSION_NOT_FOUND"];

describe("[V9] a commit answers calls", () => {
  test("when a served tag names it or a later one, and not for a branch, a pull request or what is gone", async () => {
    const repository = await createRepository();
    const before = await repository.commit(versionFiles("1.0.0"));
    const first = await repository.release("1.0.0");
    const merged = await commitOn(repository, first, "of a pull request that was merged");
    await repository.git("update-ref", "refs/pull/6/head", merged);
    await repository.git("merge", "--quiet", "--no-ff", "-m", "Merge", merged);
    const between = await repository.commit({ "manifests/a.yaml": "1" });
    const second = await repository.release("1.1.0");
    const tip = await repository.commit({ "manifests/b.yaml": "1" });
    const head = await commitOn(repository, first, "proposed");
    await repository.git("update-ref", "refs/pull/7/head", head);
    const branch = await commitOn(repository, second, "on a branch");
    await repository.git("branch", "other", branch);
    const registry = await openTestRegistry(repository.path);
    expect(await standingsOf(registry, { before, first, merged, between, second, tip, head, branch })).toEqual({
      before: SERVED,
      first: SERVED,
      merged: SERVED,
      between: SERVED,
      second: SERVED,
      tip: UNSERVED,
      head: UNSERVED,
      branch: UNSERVED,
    });
    expect(await messageOf(registry.resolve(head))).toBe(
      `\`${head}\` answers no calls: no tag that is served leads to it, only pull request 7 does. Tag it, or a commit that comes after it, to have it served. \`/versions/${head.slice(0, 10)}\` shows what it is like.`,
    );
    const anew = await commitOn(repository, second, "pushed by force");
    await repository.git("update-ref", "refs/pull/7/head", anew);
    await repository.git("branch", "-D", "other");
    const told: string[] = [];
    registry.subscribe(({ kind }) => told.push(kind));
    await registry.refresh();
    expect(told).toEqual(["refs"]);
    expect(await standingsOf(registry, { head, branch, anew })).toEqual({ head: GONE, branch: GONE, anew: UNSERVED });
    for (const commit of [head, branch]) {
      expect(await messageOf(registry.resolve(commit))).toMatch(
        "no branch, tag or pull request leads to that commit any more; to have it served, tag it.",
      );
    }
    await repository.tag("v1.1.0+anew", anew);
    await registry.refresh();
    expect(await standingOf(registry, anew)).toEqual(SERVED);
  });

  test("that nothing but a deleted tag leads to, and nothing but the first commit of a tag that moved", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    await repository.git("switch", "--quiet", "--create", "side");
    const below = await repository.commit({ "manifests/a.yaml": "1" });
    const deleted = await repository.release("1.1.0");
    const stayed = await repository.release("1.2.0");
    await repository.git("switch", "--quiet", "main");
    await repository.git("branch", "-D", "side");
    const registry = await openTestRegistry(repository.path);
    await repository.git("tag", "--delete", "v1.1.0");
    const moved = await repository.commit(versionFiles("1.2.0"));
    await repository.tag("v1.2.0", moved);
    await registry.refresh();
    const all = { below, deleted, stayed, moved };
    const expected = { below: SERVED, deleted: SERVED, stayed: SERVED, moved: UNSERVED };
    expect(await standingsOf(registry, all)).toEqual(expected);
    expect(registry.status().alarms.size).toBe(2);
    // Not held against the commit that the tag was moved to: a tag that is served may lead there.
    await repository.release("1.3.0");
    await registry.refresh();
    expect(await standingsOf(registry, all)).toEqual({ ...expected, moved: SERVED });
    await registry.close();
    const again = await openTestRegistry(repository.path, { data: registry.data });
    expect(await standingsOf(again, all)).toEqual({ ...expected, moved: SERVED });
  });

  test("whatever is wrong with a tag that names it besides, and never when it makes no version itself", async () => {
    const repository = await createRepository();
    const pinned = await repository.commit(versionFiles("1.0.0"));
    await repository.release("1.0.0");
    const broken = await repository.commit({ "manifests/broken.yaml": "x" });
    const mended = await repository.commit({ "manifests/broken.yaml": null });
    const second = await repository.release("1.1.0");
    const misnamed = await repository.commit({ "manifests/a.yaml": "1" });
    const all = { pinned, broken, mended, second, misnamed };
    const registry = await openTestRegistry(repository.path);
    const expected = { pinned: SERVED, broken: QUARANTINED, mended: SERVED, second: SERVED, misnamed: UNSERVED };
    expect(await standingsOf(registry, all)).toEqual(expected);
    // Somebody who may push tags, and nothing else.
    for (const [index, commit] of Object.values(all).entries()) await repository.tag(`v9.9.${index}`, commit);
    await registry.refresh();
    expect(await standingsOf(registry, all)).toEqual({ ...expected, misnamed: QUARANTINED });
    expect(await messageOf(registry.resolve(misnamed))).toMatch("names version `9.9.4`, but `current` is `1.1.0`");
    expect((await registry.resolve(pinned)).record.tag).toBeUndefined();
  });

  test("for signed tags alone, where tags have to be signed", async () => {
    const repository = await createRepository();
    const folder = await temporaryFolder();
    const key = join(folder, "key");
    await promisify(execFile)("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f", key]);
    const signers = join(folder, "signers");
    await writeFile(signers, `ada@example.com ${await readFile(`${key}.pub`, "utf8")}`);
    const sign = (tag: string) =>
      repository.git("-c", "gpg.format=ssh", "-c", `user.signingkey=${key}`, "tag", "--sign", "--message", tag, tag);
    const below = await repository.commit(versionFiles("1.0.0"));
    const signed = await repository.commit({ "manifests/a.yaml": "1" });
    await sign("v1.0.0");
    await repository.git("switch", "--quiet", "--create", "side");
    const belowUnsigned = await repository.commit({ "manifests/b.yaml": "1" });
    const unsigned = await repository.release("1.1.0");
    await repository.git("switch", "--quiet", "main");
    const all = { below, signed, belowUnsigned, unsigned };
    const strict = await openTestRegistry(repository.path, { signers });
    const lax = await openTestRegistry(repository.path);
    expect(await standingsOf(strict, all)).toEqual({
      below: SERVED,
      signed: SERVED,
      belowUnsigned: UNSERVED,
      unsigned: QUARANTINED,
    });
    expect(await standingsOf(lax, all)).toEqual({
      below: SERVED,
      signed: SERVED,
      belowUnsigned: SERVED,
      unsigned: SERVED,
    });
  });

  test("at a label only if it answers by itself", async () => {
    const repository = await createRepository();
    const first = await repository.release("1.0.0");
    const head = await commitOn(repository, first, "proposed");
    await repository.git("update-ref", "refs/pull/7/head", head);
    await repository.commit(versionFiles("1.0.0", { stable: first.slice(0, 9), trial: head }));
    const registry = await openTestRegistry(repository.path);
    expect(await standingOf(registry, "stable")).toEqual(SERVED);
    expect(await standingOf(registry, "trial")).toEqual(UNSERVED);
    expect(await standingOf(registry, "latest")).toEqual(SERVED);
  });

  test("as the work tree that is followed, and under its own id", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    const draft = await repository.commit(versionFiles("1.1.0"));
    const registry = await openTestRegistry(repository.path);
    expect(await standingOf(registry, draft)).toEqual(UNSERVED);
    await registry.offerDev(draft);
    for (const segment of ["dev", draft, draft.slice(0, 9)]) {
      expect([segment, await standingOf(registry, segment)]).toEqual([segment, SERVED]);
    }
    // The next start follows none.
    await registry.close();
    const again = await openTestRegistry(repository.path, { data: registry.data });
    expect(await standingOf(again, draft)).toEqual(UNSERVED);
  });
});

test("git is asked once for a commit as long as refs stay, and once for all heads of pull requests", async () => {
  const repository = await createRepository();
  const between = await repository.commit(versionFiles("1.0.0"));
  const first = await repository.release("1.0.0");
  for (let number = 1; number <= 20; number += 1) {
    await repository.git("update-ref", `refs/pull/${number}/head`, await commitOn(repository, first, String(number)));
  }
  const commands: string[] = [];
  const real = await loadTestGit();
  const note = (args: readonly string[]) => commands.push(args.find((arg) => !arg.startsWith("-")) ?? "");
  const git: Git = {
    run: (args, options) => (note(args), real.run(args, options)),
    start: (args) => (note(args), real.start(args)),
  };
  const registry = await openTestRegistry(repository.path, { git });
  const list = () => registry.list({ limit: 50, offset: 0, includeUnstable: true });
  commands.splice(0);
  await list();
  await list();
  expect(commands.filter((command) => command === "rev-list")).toHaveLength(1);
  expect(commands.filter((command) => command === "for-each-ref")).toHaveLength(0);
  commands.splice(0);
  for (let count = 0; count < 5; count += 1) await registry.resolve(between);
  expect(commands).toEqual(["rev-list", "for-each-ref"]);
  // A push elsewhere changes nothing about what is known already.
  await repository.commit({ "manifests/a.yaml": "1" });
  await registry.refresh();
  commands.splice(0);
  for (let count = 0; count < 5; count += 1) await registry.resolve(between);
  expect(commands).toEqual(["rev-list"]);
});
