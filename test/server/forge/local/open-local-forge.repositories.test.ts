import { mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROPOSAL_LIMITS } from "../../../../server/forge/check-proposal.ts";
import { openLocalForge } from "../../../../server/forge/local/open-local-forge.ts";
import type { Git } from "../../../../server/versions/git/git.ts";
import { createRepository, loadTestGit } from "../../../helpers/repository.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { createGitBench } from "../contract/bench.ts";
import { REQUIRED, SUCCESS, green, proposal, start, texts } from "../contract/steps.ts";
import { NOW, openLocalBench } from "../open-local-bench.ts";

describe("the repository of a local forge", () => {
  test("has to be one, by itself", async () => {
    const { path } = await createRepository();
    await mkdir(join(path, "below"));
    const [git, store] = [await loadTestGit(), await openTestStore()];
    const open = (at: string, required = REQUIRED) =>
      openLocalForge({ git, store, path: at, copy: at, required, now: () => NOW });
    for (const at of [join(path, "below"), join(path, "nowhere"), await temporaryFolder()]) {
      await expect(open(at)).rejects.toMatchObject({
        name: "BAD_REQUEST",
        message: `\`${at}\` is not a git repository.`,
      });
    }
    await expect(open(path, [])).rejects.toMatchObject({ name: "BAD_REQUEST" });
    await expect(open(path, ["two\nlines"])).rejects.toMatchObject({ name: "BAD_REQUEST" });
  });

  test("may be one with a checkout, whose files and index stay as they are", async () => {
    const { repository, bench, change, head } = await openCheckout();
    await writeFile(join(repository.path, "a.txt"), "not committed");
    await green(bench, head);
    const land = () => bench.forge.land(change, { expectHead: head, mode: "now" });
    expect(await land()).toEqual({
      outcome: "blocked",
      reason: `\`${repository.path}\` has \`main\` or the change checked out; have another branch there, or none, as by \`git switch --detach\`.`,
    });
    expect(await repository.git("status", "--porcelain")).toBe("M a.txt");
    await repository.git("switch", "--quiet", "--create", "mine");
    expect(await land()).toEqual({ outcome: "merged", oid: head });
    expect(await repository.git("status", "--porcelain")).toBe("M a.txt");
    expect(await readFile(join(repository.path, "a.txt"), "utf8")).toBe("not committed");
    expect(await repository.git("rev-parse", "main")).toBe(head);
  });

  test("moves no branch under a further work tree, until that is gone", async () => {
    const { repository, bench, change, head } = await openCheckout();
    const { forge } = bench;
    const place = join(await temporaryFolder(), "review");
    await repository.git("switch", "--quiet", "--detach");
    await bench.push("main", { "h.txt": "h" });
    await repository.git("worktree", "add", "--quiet", place, change.branch);
    await expect(forge.refresh(change)).rejects.toMatchObject({ name: "CONFLICT" });
    await expect(forge.abandon(change, "No.")).rejects.toMatchObject({ name: "CONFLICT" });
    expect(await forge.status(change)).toMatchObject({ state: "open", head, mergeable: "behind" });
    await rm(place, { recursive: true });
    expect(await forge.refresh(change)).toMatchObject({ outcome: "updated" });
  });

  test("keeps what was abandoned, out of people's sight", async () => {
    const { bench, from } = await start(openLocalBench);
    const { forge, git, path } = bench;
    const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
    const pushed = await bench.push(change.branch, { "d.txt": "by a person" });
    await forge.abandon(change, "Nobody wants it.");
    await git.run([`--git-dir=${path}`, "gc", "--quiet", "--prune=now"]);
    expect(await texts(bench, pushed)).toMatchObject({ "c.txt": "c", "d.txt": "by a person" });
    expect(await git.run(["ls-remote", "--heads", "--tags", path])).toBe(`${from}\trefs/heads/main\n`);
  });

  test("loses the locks of a git that was killed, but only where nobody works by hand", async () => {
    const { bench, from } = await start(openLocalBench);
    const checkout = await openCheckout();
    const locks = [bench.path, join(checkout.repository.path, ".git")].map((path) =>
      join(path, "refs", "heads", "proposal", "two.lock"),
    );
    for (const path of locks) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, "");
      await utimes(path, 1, 1);
    }
    const [lost = "", kept = ""] = locks;
    await bench.forge.propose(proposal("two", from, { "c.txt": "c" }));
    await expect(stat(lost)).rejects.toMatchObject({ code: "ENOENT" });
    const head = (await checkout.repository.git("rev-parse", "main")).trim();
    await expect(checkout.forge.propose(proposal("two", head, { "c.txt": "c" }))).rejects.toThrow("two.lock");
    expect((await stat(kept)).size).toBe(0);
  });

  test("brings the commits of a change into a copy, also after a person has taken its branch away", async () => {
    const { git, store, path, ...bench } = await openLocalBench({ required: REQUIRED });
    const from = await bench.push("main", { "a.txt": "a" });
    const copy = join(await temporaryFolder(), "copy.git");
    await git.run(["init", "--quiet", "--bare", "--template=", copy]);
    const forge = await openLocalForge({ git, store, path, copy, required: REQUIRED, now: () => NOW });
    const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
    await git.run([`--git-dir=${path}`, "update-ref", "-d", `refs/heads/${change.branch}`]);
    const { head, state } = await forge.status(change);
    expect(state).toBe("closed");
    await forge.sync([head]);
    expect(await git.run([`--git-dir=${copy}`, "show", `${head}:c.txt`])).toBe("c");
    await expect(forge.sync(["1".repeat(40)])).rejects.toMatchObject({ name: "NOT_FOUND" });
  });

  test("may name its objects by SHA-256", async () => {
    const [git, store] = [await loadTestGit(), await openTestStore()];
    const path = join(await temporaryFolder(), "origin.git");
    await git.run(["init", "--quiet", "--bare", "--object-format=sha256", "--initial-branch=main", path]);
    const forge = await openLocalForge({ git, store, path, copy: path, required: REQUIRED, now: () => NOW });
    const bench = { ...createGitBench(path), forge };
    const from = await bench.push("main", { "a.txt": "a", "b.txt": "b" });
    expect(from).toHaveLength(64);
    const change = await forge.propose(proposal("one", from, { "a.txt": null, "c.txt": "c" }));
    await bench.push("main", { "d.txt": "d" });
    const refreshed = await forge.refresh(change);
    if (refreshed.outcome !== "updated") throw new Error(refreshed.outcome);
    await green(bench, refreshed.head);
    const landing = { outcome: "merged", oid: refreshed.head };
    expect(await forge.land(change, { expectHead: refreshed.head, mode: "now" })).toEqual(landing);
    expect(await texts(bench, refreshed.head)).toEqual({ "b.txt": "b", "c.txt": "c", "d.txt": "d" });
  });

  test("has no need of its configuration, nor of anybody's", async () => {
    const { bench, from } = await start(openLocalBench);
    const { forge, git, path } = bench;
    for (const [name, value] of [
      ["core.autocrlf", "true"],
      ["core.splitIndex", "true"],
      ["commit.gpgSign", "true"],
      ["tag.gpgSign", "true"],
      ["gpg.program", "/bin/false"],
      ["i18n.commitEncoding", "latin1"],
      ["user.useConfigOnly", "true"],
    ] as const) {
      await git.run([`--git-dir=${path}`, "config", name, value]);
    }
    const change = await forge.propose(
      proposal("one", from, { "c.txt": "é\r\n", ".gitattributes": "* text eol=lf\n" }),
    );
    const { head } = await forge.status(change);
    expect((await texts(bench, head))["c.txt"]).toBe("é\r\n");
    expect(await git.run([`--git-dir=${path}`, "cat-file", "-p", head])).toBe(
      [
        `tree ${(await git.run([`--git-dir=${path}`, "rev-parse", `${head}^{tree}`])).trim()}`,
        `parent ${from}`,
        `author Cairn Architect <architect@example.com> ${NOW / 1000} +0000`,
        `committer Cairn <cairn@localhost> ${NOW / 1000} +0000`,
        "",
        "Change one\n\nIt is asked for.",
      ].join("\n"),
    );
    expect(await forge.tag("v1.0.0", head, "Version 1.0.0")).toBe("created");
  });
});

describe("changes of a local forge", () => {
  test("that a loss of power has left half made are finished", async () => {
    const { bench, from } = await start(openLocalBench);
    const { forge, git, path } = bench;
    const one = proposal("one", from, { "c.txt": "c" });
    const update = (...args: string[]) => git.run([`--git-dir=${path}`, "update-ref", ...args]);
    const record = "refs/cairn/changes/one";
    const change = await forge.propose(one);
    const { head } = await forge.status(change);
    await update("-d", record);
    expect(await forge.propose(one)).toEqual(change);
    expect(await forge.status(change)).toMatchObject({ state: "open", head });

    // The base has moved, and nothing else has.
    await update("refs/heads/main", head);
    expect(await forge.status(change)).toMatchObject({ state: "merged", merged: head });
    expect(await forge.land(change, { expectHead: head, mode: "now" })).toEqual({ outcome: "merged", oid: head });
    expect(await bench.refs()).toEqual(["refs/heads/main"]);

    // Only the branch is left.
    await update("refs/heads/proposal/one", head);
    expect(await forge.land(change, { expectHead: head, mode: "now" })).toEqual({ outcome: "merged", oid: head });
    expect(await bench.refs()).toEqual(["refs/heads/main"]);
  });

  test("land nowhere when somebody pushes at the last moment", async () => {
    const { bench, from } = await start(openLocalBench);
    const { git, store, path } = bench;
    let push: (() => Promise<unknown>) | undefined;
    const slow: Git = {
      ...git,
      run: async (args, options) => {
        if (args.includes("update-ref")) await push?.();
        return git.run(args, options);
      },
    };
    const forge = await openLocalForge({ git: slow, store, path, copy: path, required: REQUIRED, now: () => NOW });
    const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
    const { head } = await forge.status(change);
    await green(bench, head);
    const land = (expectHead: string) => forge.land(change, { expectHead, mode: "now" });

    push = () => bench.push(change.branch, { "d.txt": "d" });
    expect(await land(head)).toMatchObject({ outcome: "stale" });
    expect(await bench.find("main")).toBe(from);
    const later = (await forge.status(change)).head;
    await green(bench, later);
    push = () => bench.push("main", { "h.txt": "h" });
    expect(await land(later)).toMatchObject({ outcome: "behind" });
    const main = (await bench.find("main")) ?? "";
    expect(Object.keys(await texts(bench, main))).not.toContain("c.txt");
    push = () => bench.push(change.branch, { "e.txt": "e" });
    await expect(forge.refresh(change)).rejects.toMatchObject({ name: "CONFLICT" });
    push = undefined;
    expect(await forge.refresh(change)).toMatchObject({ outcome: "updated" });
    expect(await texts(bench, (await forge.status(change)).head)).toMatchObject({ "e.txt": "e", "h.txt": "h" });
    expect(await bench.find("main")).toBe(main);
  });

  test("remember what was said of them, whatever it was", async () => {
    const { bench, from } = await start(openLocalBench);
    const { forge, git, path } = bench;
    const begin = '-----BEGIN PGP SIGNATURE-----\n\r\n  \t"quoted"  \\ é 日本 \u{2028}\u{7f}\n\n\n';
    const body = begin + "x".repeat(PROPOSAL_LIMITS.bodyLength - begin.length);
    const labels = ["ü  two spaces"];
    const change = await forge.propose({ ...proposal("one", from, { "c.txt": "c" }), title: "a  b: é", body, labels });
    const said = { schemaVersion: 1, base: "main", title: "a  b: é", body, labels };
    const read = async (): Promise<unknown> => {
      const tag = await git.run([`--git-dir=${path}`, "cat-file", "-p", "refs/cairn/changes/one"]);
      return JSON.parse(tag.slice(tag.indexOf("\n\n")));
    };
    expect(await read()).toEqual({ ...said, state: "open" });
    await forge.abandon(change, "Nobody\nwants it.");
    expect(await read()).toEqual({ ...said, state: "closed", reason: "Nobody\nwants it." });
    expect((await forge.status(change)).state).toBe("closed");
  });

  test("do not take a branch that is somebody's own", async () => {
    const { bench, from } = await start(openLocalBench);
    const theirs = await bench.push("proposal/one", { "x.txt": "x" });
    const proposing = bench.forge.propose(proposal("one", from, { "c.txt": "c" }));
    await expect(proposing).rejects.toMatchObject({ name: "CONFLICT" });
    expect(await bench.find("proposal/one")).toBe(theirs);
  });

  test("are closed when people take their branch away, and merged when people land them", async () => {
    const { bench, from } = await start(openLocalBench);
    const { forge, git, path } = bench;
    const [gone, landed] = [
      await forge.propose(proposal("gone", from, { "c.txt": "c" })),
      await forge.propose(proposal("landed", from, { "d.txt": "d" })),
    ];
    const heads = await Promise.all([gone, landed].map(async (change) => (await forge.status(change)).head));
    await git.run([`--git-dir=${path}`, "update-ref", "-d", `refs/heads/${gone.branch}`]);
    await git.run([`--git-dir=${path}`, "update-ref", "refs/heads/main", heads[1] ?? ""]);
    expect(await forge.status(gone)).toMatchObject({ state: "closed", head: heads[0] });
    expect(await forge.status(landed)).toMatchObject({ state: "merged", head: heads[1], merged: heads[1] });
    await forge.abandon(gone, "It is gone.");
    await expect(forge.abandon(landed, "Too late.")).rejects.toMatchObject({ name: "CONFLICT" });
  });

  test("that wait to land do so after a start, and not at another head", async () => {
    const { bench, from } = await start(openLocalBench);
    const { forge, git, store, path } = bench;
    const waiting = await forge.propose(proposal("waiting", from, { "c.txt": "c" }));
    const { head } = await forge.status(waiting);
    await forge.land(waiting, { expectHead: head, mode: "when-green" });
    const moved = await forge.propose(proposal("moved", from, { "d.txt": "d" }));
    const old = (await forge.status(moved)).head;
    await forge.land(moved, { expectHead: old, mode: "when-green" });
    await bench.push(moved.branch, { "e.txt": "e" });

    const again = await openLocalForge({ git, store, path, copy: path, required: REQUIRED, now: () => NOW });
    await green({ ...bench, forge: again }, old);
    expect(await again.status(moved)).toMatchObject({ state: "open" });
    await green({ ...bench, forge: again }, head);
    expect(await again.status(waiting)).toMatchObject({ state: "merged", merged: head });
    expect(await bench.find("main")).toBe(head);
  });

  test("that are red do not wait to land", async () => {
    const { bench, from } = await start(openLocalBench);
    const change = await bench.forge.propose(proposal("one", from, { "c.txt": "c" }));
    const { head } = await bench.forge.status(change);
    await bench.forge.report(head, "test", { ...SUCCESS, conclusion: "failure" });
    expect(await bench.forge.land(change, { expectHead: head, mode: "when-green" })).toEqual({
      outcome: "blocked",
      reason: "Of the checks semver, test, not all are green: test failure.",
    });
  });

  test("give no symlink another target", async () => {
    const { repository, bench, forge } = await openCheckout();
    await repository.git("config", "core.symlinks", "true");
    await repository.git("update-index", "--add", "--cacheinfo", `120000,${await hashOf(repository)},link`);
    await repository.git("commit", "--quiet", "--message", "Link");
    const from = await repository.git("rev-parse", "HEAD");
    for (const path of ["link", "link/below"]) {
      const proposing = forge.propose(proposal("bad", from, { [path]: "x" }));
      await expect(proposing).rejects.toMatchObject({ name: "BAD_REQUEST" });
    }
    const change = await forge.propose(proposal("good", from, { link: null }));
    expect([...(await bench.read((await forge.status(change)).head)).keys()]).toEqual(["a.txt"]);
  });

  test("that nobody has proposed, and commits that are not there, are NOT_FOUND", async () => {
    const { bench, from } = await start(openLocalBench);
    const nothing = { key: "nothing", base: "main", branch: "proposal/nothing" };
    const { forge } = bench;
    const notFound = { name: "NOT_FOUND" };
    await expect(forge.status(nothing)).rejects.toMatchObject(notFound);
    await expect(forge.land(nothing, { expectHead: from, mode: "now" })).rejects.toMatchObject(notFound);
    await expect(forge.refresh(nothing)).rejects.toMatchObject(notFound);
    await expect(forge.abandon(nothing, "No.")).rejects.toMatchObject(notFound);
    await expect(forge.report("1".repeat(40), "test", SUCCESS)).rejects.toMatchObject(notFound);
    await expect(forge.status({ ...nothing, key: "../../heads/main" })).rejects.toMatchObject({ name: "BAD_REQUEST" });
  });
});

/** A forge over a repository with a checkout of `main`, and a change in it. */
async function openCheckout() {
  const repository = await createRepository();
  const from = await repository.commit({ "a.txt": "a" });
  const [git, store] = [await loadTestGit(), await openTestStore()];
  const forge = await openLocalForge({
    git,
    store,
    path: repository.path,
    copy: repository.path,
    required: REQUIRED,
    now: () => NOW,
  });
  const bench = { ...createGitBench(join(repository.path, ".git")), forge };
  const change = await forge.propose(proposal("one", from, { "c.txt": "c" }));
  return { repository, bench, forge, change, head: (await forge.status(change)).head };
}

async function hashOf({ path, git }: { path: string; git: (...args: string[]) => Promise<string> }): Promise<string> {
  const file = join(path, ".git", "target");
  await writeFile(file, "a.txt");
  return git("hash-object", "-w", file);
}

test("a local forge starts 16 processes of git from a proposal to its tag", async () => {
  const { path, store, git, ...bench } = await openLocalBench({ required: REQUIRED });
  const from = await bench.push("main", { "a.txt": "one\n" });
  const commands: string[] = [];
  const counting: Git = {
    ...git,
    run: (args, options) => {
      commands.push(args.find((arg) => /^[a-z][a-z-]*$/.test(arg)) ?? "");
      return git.run(args, options);
    },
  };
  const forge = await openLocalForge({ git: counting, store, path, copy: path, required: REQUIRED, now: () => NOW });
  commands.length = 0;
  const change = await forge.propose(proposal("small", from, { "a.txt": "two\n" }));
  const { head: made, isAsProposed } = await forge.status(change);
  expect(isAsProposed).toBe(true);
  for (const check of REQUIRED) await forge.report(made, check, SUCCESS);
  expect(await forge.land(change, { expectHead: made, mode: "when-green" })).toEqual({ outcome: "merged", oid: made });
  expect(await forge.tag("v1.0.0", made, "Version 1.0.0")).toBe("created");
  const counts = Object.entries(Object.groupBy(commands, (command) => command)).map(([name, all]) => [
    name,
    all?.length,
  ]);
  expect(Object.fromEntries(counts)).toEqual({
    "for-each-ref": 3,
    "ls-tree": 1,
    "hash-object": 1,
    "read-tree": 1,
    "update-index": 1,
    "write-tree": 1,
    "diff-tree": 1,
    "commit-tree": 1,
    mktag: 3,
    "update-ref": 3,
  });
});
