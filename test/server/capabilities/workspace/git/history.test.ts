import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm, symlink, truncate, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WORKSPACE_LIMITS } from "../../../../../server/capabilities/workspace/limits.ts";
import { createRepository } from "../../../../helpers/repository.ts";
import { COMMITTED_AT, openTestWorkspace } from "../../../../helpers/workspace.ts";

const author = { name: "Ada", email: "ada@example.com" };
const request = (...allowedFiles: string[]) => ({ message: "Change it\n\nwith a reason", allowedFiles, author });

const MB = 1024 * 1024;

/** Makes a file of holes. */
async function truncateTo(path: string, bytes: number): Promise<void> {
  await writeFile(path, "", { flag: "a" });
  await truncate(path, bytes);
}

describe("the status of a workspace", () => {
  test("says what differs from its commit, in which way", async () => {
    const { workspace, tree, commit } = await openTestWorkspace({
      a: "a\n",
      b: "b\n",
      c: "c\n",
      "d/e": "e\n",
      ".gitignore": "*.tmp\n",
    });
    await workspace.fs.write("a", "changed\n");
    await unlink(join(tree, "b"));
    await chmod(join(tree, "c"), 0o755);
    await rm(join(tree, "d"), { recursive: true });
    await writeFile(join(tree, "d"), "a file now");
    await workspace.fs.write("new/ü.txt", "new\n");
    await workspace.fs.write("x.tmp", "ignored\n");
    await symlink("/etc/passwd", join(tree, "link"));
    const { base, head, files, unfit } = await workspace.git.status();
    expect([base, head, unfit]).toEqual([commit, commit, []]);
    expect(files.map(({ path, change, kind }) => `${change} ${path} ${kind ?? ""}`.trim())).toEqual([
      "modified a file",
      "deleted b",
      "modified c executable",
      "added d file",
      "deleted d/e",
      "added link symlink",
      "added new/ü.txt file",
    ]);
  });

  test("finds a change that hides behind the size and times of what was there", async () => {
    const { workspace, tree } = await openTestWorkspace({ a: "one\n" });
    await writeFile(join(tree, "a"), "two\n");
    await utimes(join(tree, "a"), 1, 1);
    await workspace.git.status();
    await writeFile(join(tree, "a"), "six\n");
    await utimes(join(tree, "a"), 1, 1);
    expect((await workspace.git.diff()).diff).toContain("+six");
  });

  test.each([
    ["all its files", "sparse", 17, "The workspace has more than 100000 files, 1073741824 bytes"],
    ["the files that git would read", "sparse", 11, "at most 671088640 are taken"],
    ["a file that was there", "a", 11, "at most 671088640 are taken"],
  ])("is refused when %s claim too many bytes, though they take none", async (_, name, count, message) => {
    const { workspace, tree } = await openTestWorkspace({ a: "a\n" });
    for (let at = 0; at < count; at += 1) await truncateTo(join(tree, at === 0 ? name : `sparse${at}`), 64 * MB);
    await expect(workspace.git.status()).rejects.toMatchObject({
      name: "CONFLICT",
      message: expect.stringContaining(message),
    });
  });

  test("takes no notice of the bytes of files that git ignores", async () => {
    const { workspace, tree } = await openTestWorkspace({ ".gitignore": "*.o\n" });
    for (let at = 0; at < 11; at += 1) await truncateTo(join(tree, `${at}.o`), 64 * MB);
    expect((await workspace.git.status()).files).toEqual([]);
  });

  test("names what can never be committed, and is not led astray by it", async () => {
    const { workspace, tree } = await openTestWorkspace({ a: "a\n" });
    const inner = await createRepository(join(tree, "inner"));
    await inner.commit({ x: "x" });
    await inner.git("config", "core.fsmonitor", "touch /tmp/cairn-was-here");
    execFileSync("mkfifo", [join(tree, "pipe")]);
    await writeFile(join(tree, "a\u{202e}b"), "");
    await writeFile(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff])]), "");
    const { files, unfit } = await workspace.git.status();
    expect(files).toEqual([]);
    expect(unfit.map(({ reason }) => reason).sort()).toEqual([
      "it has a character that cannot be seen",
      "it has a replacement character",
      "it is a repository of its own",
      "it is neither a file nor a folder",
    ]);
    await expect(workspace.git.commit(request("a"))).rejects.toMatchObject({ name: "FORBIDDEN" });
  });

  test("is refused while a pipe stands where git looks for its settings", async () => {
    const { workspace, tree } = await openTestWorkspace({ a: "a\n" });
    await mkdir(join(tree, "d"));
    for (const name of [".gitignore", "d/.gitattributes"]) {
      execFileSync("mkfifo", [join(tree, name)]);
      await expect(workspace.git.status()).rejects.toMatchObject({
        name: "CONFLICT",
        message: expect.stringContaining(name),
      });
      await unlink(join(tree, name));
    }
    await expect(workspace.git.status()).resolves.toMatchObject({ files: [] });
  });
});

describe("the diff of a workspace", () => {
  test("holds new files, and can be applied to another workspace", async () => {
    const { workspace, workspaces, commit } = await openTestWorkspace({ a: "a\n" });
    await workspace.fs.write("a", "b\n");
    await workspace.fs.write("ü/new", "n\n");
    const { diff, truncated, bytes } = await workspace.git.diff();
    expect([truncated, bytes]).toEqual([false, Buffer.byteLength(diff)]);
    const other = await workspaces.create("other", commit);
    expect((await other.fs.applyPatch(diff)).applied).toBe(true);
    expect((await other.git.diff()).diff).toBe(diff);
  });

  test("shows what the commit's own attributes would hide", async () => {
    const { workspace } = await openTestWorkspace({ a: "a\n", ".gitattributes": "* -diff\n*.x binary filter=evil\n" });
    await workspace.fs.write("a", "b\n");
    await workspace.fs.write("n.x", "shown\n");
    const { diff } = await workspace.git.diff();
    expect(diff).toContain("-a\n+b\n");
    expect(diff).toContain("+shown\n");
  });

  test("is cut after its last whole line", async () => {
    const { workspace } = await openTestWorkspace({ a: "a\n" });
    for (const name of ["b", "c"]) await workspace.fs.write(name, "line\n".repeat(WORKSPACE_LIMITS.writeBytes / 5 - 1));
    const { diff, truncated, bytes } = await workspace.git.diff();
    expect(truncated).toBe(true);
    expect(bytes).toBeGreaterThan(2 * WORKSPACE_LIMITS.diffBytes);
    expect(Buffer.byteLength(diff)).toBeLessThanOrEqual(WORKSPACE_LIMITS.diffBytes);
    expect(diff.endsWith("+line\n")).toBe(true);
  });
});

describe("a commit of a workspace", () => {
  test("has the changed files that are allowed, who made it and when; the local copy keeps it", async () => {
    const { workspace, repository, commit: base, tree } = await openTestWorkspace({ a: "a\n", b: "b\n", c: "c\n" });
    await workspace.fs.write("a", "changed\n");
    await unlink(join(tree, "b"));
    await workspace.fs.write("d/new", "n\n");
    const made = await workspace.git.commit(request("a", "b", "c", "d/new"));
    expect(made).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/), parent: base, files: ["a", "b", "d/new"] });
    expect(await repository.git("rev-parse", "refs/cairn/runs/run")).toBe(made.commit);
    expect(await repository.git("ls-tree", "-r", "--name-only", made.commit)).toBe("a\nc\nd/new");
    const shown = await repository.git("log", "-1", "--format=%an %ae %cn %at %ct%n%B", made.commit);
    const seconds = COMMITTED_AT / 1000;
    expect(shown).toBe(`Ada ada@example.com Ada ${seconds} ${seconds}\nChange it\n\nwith a reason`);
    await repository.git("fsck", "--strict");
    expect(await repository.git("status", "--porcelain")).toBe("");
  });

  test("follows the one before, and both stay when the workspace goes", async () => {
    const { workspace, workspaces, repository, commit: base } = await openTestWorkspace({ a: "a\n" });
    await workspace.fs.write("a", "1\n");
    const first = await workspace.git.commit(request("a"));
    expect((await workspace.git.status()).files).toMatchObject([{ path: "a", committed: true }]);
    await expect(workspace.git.commit(request("a"))).rejects.toMatchObject({ name: "CONFLICT" });
    await workspace.fs.write("b", "2\n");
    const second = await workspace.git.commit(request("b"));
    expect(second).toMatchObject({ parent: first.commit, files: ["b"] });
    await workspaces.remove("run");
    expect(await repository.git("rev-list", "refs/cairn/runs/run")).toBe(
      [second.commit, first.commit, base].join("\n"),
    );
    await expect(workspaces.create("run", base)).rejects.toMatchObject({ name: "CONFLICT" });
    expect((await workspaces.create("run", second.commit)).base).toBe(second.commit);
  });

  test("is refused when anything else changed, and says what", async () => {
    const { workspace, repository, tree, commit } = await openTestWorkspace({ a: "a\n", b: "b\n" });
    await workspace.fs.write("a", "1\n");
    await workspace.fs.write("B-side", "2\n");
    await unlink(join(tree, "b"));
    const refused = workspace.git.commit(request("a", "b/"));
    await expect(refused).rejects.toMatchObject({ name: "BAD_REQUEST" });
    await expect(workspace.git.commit(request("a"))).rejects.toMatchObject({
      name: "FORBIDDEN",
      details: { count: 2, files: [{ path: "B-side" }, { path: "b" }] },
    });
    await symlink("/etc/passwd", join(tree, "c"));
    await expect(workspace.git.commit(request("a", "b", "B-side", "c"))).rejects.toMatchObject({
      name: "FORBIDDEN",
      message: expect.stringContaining("`c` (it is a symlink)"),
    });
    expect(await repository.git("rev-parse", "refs/cairn/runs/run")).toBe(commit);
  });

  test.each([
    ["an empty message", { message: " \n" }],
    ["a message with a NUL", { message: "a\0b" }],
    ["an author who forges headers", { author: { name: "A\ncommitter B <b> 0 +0000", email: "a@b" } }],
    ["an author without a name", { author: { name: "  ", email: "a@b" } }],
    ["an address with brackets", { author: { name: "A", email: "a@b> 0" } }],
    ["a path outside", { allowedFiles: ["../a"] }],
  ])("is refused with %s", async (_, change) => {
    const { workspace } = await openTestWorkspace({ a: "a\n" });
    await workspace.fs.write("a", "1\n");
    await expect(workspace.git.commit({ ...request("a"), ...change })).rejects.toMatchObject({ name: "BAD_REQUEST" });
  });
});
