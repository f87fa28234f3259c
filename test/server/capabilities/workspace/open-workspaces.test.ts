import { chmod, lstat, mkdir, readFile, readdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepository } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { openTestWorkspace, openTestWorkspaces } from "../../../helpers/workspace.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { openTestRegistry } from "../../versions/registry/open-test-registry.ts";

const author = { name: "Ada", email: "ada@example.com" };

describe("workspaces", () => {
  test("are made once, found again, also after a restart, and removed with what they hold", async () => {
    const { workspaces, workspace, commit, repository, folder } = await openTestWorkspace();
    await workspace.fs.write("new", "kept\n");
    const again = await workspaces.create("run", commit);
    expect((await again.fs.read("new")).content).toBe("kept\n");
    await workspaces.close();
    await expect(workspace.fs.read("new")).rejects.toMatchObject({ name: "UNAVAILABLE" });
    const restarted = await openTestWorkspaces(repository.path, folder);
    expect(await restarted.list()).toEqual(["run"]);
    const found = await restarted.find("run");
    expect(found).toMatchObject({ runId: "run", base: commit });
    expect((await found?.fs.read("new"))?.content).toBe("kept\n");
    await restarted.remove("run");
    await restarted.remove("run");
    expect(await restarted.find("run")).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
    await expect(found?.fs.read("new")).rejects.toMatchObject({ name: "NOT_FOUND" });
    expect(await repository.git("for-each-ref", "refs/cairn")).toBe("");
  });

  test("have only the files that are wanted, by which changes are told, also after a restart", async () => {
    const files = { "in/a.txt": "one\n", "in/b.txt": "two\n", "out/c.txt": "three\n" };
    const { workspaces, repository, commit, folder } = await openTestWorkspace(files);
    const partial = await workspaces.create("part", commit, (path) => path.startsWith("in/"));
    expect(await readdir(join(folder, "part", "tree"))).toEqual(["in"]);
    await partial.fs.write("in/a.txt", "another\n");
    await partial.fs.remove("in/b.txt");
    await partial.fs.write("out/new.txt", "new\n");
    await workspaces.close();
    const restarted = await openTestWorkspaces(repository.path, folder);
    const found = await restarted.find("part");
    const { base, files: changed } = (await found?.git.status()) ?? {};
    expect(base).toBe(commit);
    expect(changed?.map(({ path, change }) => [path, change])).toEqual([
      ["in/a.txt", "modified"],
      ["in/b.txt", "deleted"],
      ["out/new.txt", "added"],
    ]);
    expect((await found?.git.diff())?.diff).not.toContain("three");
    const alone = await found?.git.diff(["in/a.txt"]);
    expect(alone?.diff).toMatch(/^diff --git a\/in\/a\.txt b\/in\/a\.txt\n[^]*\n-one\n\+another\n$/);
    const request = { message: "All", allowedFiles: ["in/a.txt", "in/b.txt", "out/new.txt"], author };
    await expect(found?.git.commit(request)).rejects.toMatchObject({ name: "FORBIDDEN" });
    await found?.reset();
    expect(await readdir(join(folder, "part", "tree"))).toEqual(["in"]);
    expect((await found?.git.status())?.files).toEqual([]);
  });

  test("are discarded by how their ids begin, with what they committed and what a crash left", async () => {
    const { workspaces, workspace, repository, commit, folder } = await openTestWorkspace();
    const one = await workspaces.create("other-1", commit);
    await one.fs.write("new", "new\n");
    await one.git.commit({ message: "New", allowedFiles: ["new"], author });
    await workspaces.create("other-2", commit);
    // A workspace that was not made any more after its commit was held.
    await repository.git("update-ref", "refs/cairn/runs/other-3", commit);
    await workspaces.discard("other-");
    await workspaces.discard("other-");
    expect(await readdir(folder)).toEqual(["run"]);
    expect(await repository.git("for-each-ref", "--format=%(refname)", "refs/cairn")).toBe("refs/cairn/runs/run");
    expect((await workspace.fs.read("a.txt")).content).toBe("one\n");
    await expect(one.fs.read("new")).rejects.toMatchObject({ name: "NOT_FOUND" });
  });

  test("of one run are of one commit", async () => {
    const { workspaces, repository, commit } = await openTestWorkspace();
    const other = await repository.commit({ b: "b" });
    await expect(workspaces.create("run", other)).rejects.toMatchObject({ name: "CONFLICT" });
    const [one, two] = await Promise.all([workspaces.create("twice", commit), workspaces.create("twice", commit)]);
    expect([one.base, two.base]).toEqual([commit, commit]);
    await expect(workspaces.create("new", "0".repeat(40))).rejects.toMatchObject({ name: "NOT_FOUND" });
    await expect(workspaces.create("new", commit.slice(0, 10))).rejects.toMatchObject({ name: "BAD_REQUEST" });
    await expect(workspaces.create("new", "--upload-pack=x")).rejects.toMatchObject({ name: "BAD_REQUEST" });
    const tree = await repository.git("rev-parse", `${commit}^{tree}`);
    await expect(workspaces.create("new", tree)).rejects.toMatchObject({ name: "NOT_FOUND" });
    expect(await workspaces.list()).toEqual(["run", "twice"]);
  });

  test.each(["", "..", "a/b", "a.b", ".git", "-x", "a\n", "ü"])("have no run called %j", async (runId) => {
    const { workspaces, commit } = await openTestWorkspace();
    expect(() => workspaces.create(runId, commit)).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
  });

  test("that a crash left half made or half removed are repaired", async () => {
    const { workspaces, workspace, repository, commit, folder } = await openTestWorkspace();
    await mkdir(join(folder, "half.unfinished-1", "tree"), { recursive: true });
    await writeFile(join(folder, "half.unfinished-1", "tree", "x"), "half");
    await mkdir(join(folder, "run.removed", "tree"), { recursive: true });
    await workspaces.create("half", commit);
    expect((await readdir(folder)).sort()).toEqual(["half", "run", "run.removed"]);
    // A removal that got as far as the ref.
    await repository.git("update-ref", "-d", "refs/cairn/runs/run");
    await expect(workspace.git.status()).rejects.toMatchObject({ name: "INTERNAL_ERROR" });
    await workspaces.create("run", commit);
    expect((await workspace.git.status()).head).toBe(commit);
    const restarted = await openTestWorkspaces(repository.path, folder);
    expect((await readdir(folder)).sort()).toEqual(["half", "run"]);
    await restarted.remove("run");
    expect(await restarted.list()).toEqual(["half"]);
  });

  test("run nothing of a hostile commit or repository, and have its files byte for byte", async () => {
    const folder = await temporaryFolder();
    const mark = join(folder, "was-run");
    const attributes = "* filter=evil ident text eol=crlf\n*.utf16 working-tree-encoding=UTF-16\n";
    const { tree, workspace } = await openTestWorkspace(
      {
        ".gitmodules": `[submodule "s"]\n\tpath = s\n\turl = ext::sh -c touch% ${mark}\n\tupdate = !touch ${mark}\n`,
        "a.txt": "$Id$\nplain\n",
        "b.utf16": "x\n",
        "run.sh": "#!/bin/sh\n",
      },
      {
        prepare: async (repository) => {
          await writeFile(join(folder, "attributes"), attributes);
          const blob = await repository.git("hash-object", "-w", "--no-filters", join(folder, "attributes"));
          await rm(join(folder, "attributes"));
          await repository.git("update-index", "--add", "--cacheinfo", `100644,${blob},.gitattributes`);
          await repository.git("update-index", "--chmod=+x", "run.sh");
          await repository.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},s`);
          await repository.git("commit", "--quiet", "--message", "x");
          for (const [name, value] of [
            ["filter.evil.smudge", `touch ${mark}; cat`],
            ["filter.evil.clean", `touch ${mark}; cat`],
            ["filter.evil.required", "true"],
            ["core.fsmonitor", `touch ${mark}`],
            ["core.hooksPath", join(repository.path, "hooks")],
            ["core.sshCommand", `touch ${mark}`],
            ["diff.external", `touch ${mark}`],
            ["commit.gpgSign", "true"],
            ["gpg.program", `touch ${mark}`],
          ] as const) {
            await repository.git("config", name, value);
          }
          for (const hook of ["post-checkout", "pre-commit", "reference-transaction", "post-index-change"]) {
            for (const where of ["hooks", ".git/hooks"]) {
              const path = join(repository.path, where, hook);
              await mkdir(join(path, ".."), { recursive: true });
              await writeFile(path, `#!/bin/sh\ntouch ${mark}\n`);
              await chmod(path, 0o755);
            }
          }
        },
      },
    );
    expect(await readFile(join(tree, "a.txt"), "utf8")).toBe("$Id$\nplain\n");
    expect(await readFile(join(tree, "b.utf16"), "utf8")).toBe("x\n");
    expect((await lstat(join(tree, "run.sh"))).mode & 0o111).toBe(0o111);
    expect(await readdir(join(tree, "s"))).toEqual([]);
    expect((await workspace.git.status()).files).toEqual([]);
    await workspace.fs.write("a.txt", "changed\r\n");
    await workspace.git.diff();
    await workspace.git.commit({ message: "x", allowedFiles: ["a.txt"], author });
    expect(await readdir(folder)).toEqual([]);
  });

  test("keep the symlinks of a commit and follow none", async () => {
    const outside = await temporaryFolder();
    await writeFile(join(outside, "secret"), "secret");
    const { tree, workspace } = await openTestWorkspace(
      { "real/a": "a" },
      {
        prepare: async (repository) => {
          await symlink(outside, join(repository.path, "out"));
          await symlink("../real/a", join(repository.path, "real", "link"));
          await repository.commit({});
        },
      },
    );
    expect(await readlink(join(tree, "out"))).toBe(outside);
    for (const path of ["out/secret", "real/link"]) {
      await expect(workspace.fs.read(path)).rejects.toMatchObject({ name: "BAD_REQUEST" });
    }
    expect((await workspace.git.status()).files).toEqual([]);
  });

  test("are not made of commits with paths into git's folder", async () => {
    const { workspaces, repository } = await openTestWorkspace();
    const blob = await repository.git("hash-object", "-w", "a.txt");
    const inner = await repository.git("rev-parse", "HEAD^{tree}");
    for (const name of [".git", ".GIT", "git~1", ".g\u{200c}it", ".."]) {
      const entries = Buffer.concat([Buffer.from(`40000 ${name}\0`), Buffer.from(inner, "hex")]);
      const path = join(await temporaryFolder(), "tree");
      await writeFile(path, entries);
      const tree = await repository.git("hash-object", "-w", "-t", "tree", "--literally", path);
      const commit = await repository.git("commit-tree", "-m", blob, tree);
      await expect(workspaces.create("evil", commit)).rejects.toMatchObject({ name: "UNPROCESSABLE" });
    }
    expect(await workspaces.list()).toEqual(["run"]);
  });

  test("do one thing at a time, in order", async () => {
    const { workspace } = await openTestWorkspace();
    const writes = Array.from({ length: 30 }, (_, at) => workspace.fs.write("a.txt", `${at}\n`));
    const read = workspace.fs.read("a.txt");
    await Promise.all(writes);
    expect((await read).content).toBe("29\n");
  });
});

describe("a workspace of a served repository", () => {
  test("disturbs neither its mirror nor what is served, and what it commits cannot be addressed", async () => {
    const upstream = await createRepository();
    const first = await upstream.release("1.0.0");
    const registry = await openTestRegistry(upstream.path);
    const folder = join(await temporaryFolder(), "workspaces");
    const workspaces = await openTestWorkspaces(registry.mirror, folder);
    const workspace = await workspaces.create("run", first);
    await workspace.fs.write("manifests/agent.yaml", "name: unreviewed\n");
    const { commit } = await workspace.git.commit({ message: "x", allowedFiles: ["manifests/agent.yaml"], author });
    const second = await upstream.release("1.1.0");
    await registry.refresh();
    expect((await registry.resolve("latest")).version.commit).toBe(second);
    expect((await registry.resolve(first)).version.commit).toBe(first);
    await expect(registry.resolve(commit)).rejects.toMatchObject({ name: "VERSION_NOT_FOUND" });
    await expect(registry.resolve(commit.slice(0, 12))).rejects.toMatchObject({ name: "VERSION_NOT_FOUND" });
    expect(registry.events.filter(({ kind }) => kind === "alarm")).toEqual([]);
    const mirror = openRepository(registry.mirror);
    expect(await mirror.git("rev-parse", "refs/cairn/runs/run")).toBe(commit);
    await mirror.git("gc", "--prune=now", "--quiet");
    expect((await workspace.git.status()).head).toBe(commit);
    expect((await workspace.git.diff()).diff).toContain("+name: unreviewed");
    await mirror.git("fsck", "--strict");
    // Merged upstream and tagged, it is a version's history like any other commit.
    await upstream.git("fetch", "--quiet", registry.mirror, "refs/cairn/runs/run");
    await upstream.git("branch", "merged", commit);
    await registry.refresh();
    await expect(registry.resolve(commit)).rejects.toMatchObject({ name: "VERSION_NOT_SERVED" });
    await upstream.tag("v1.0.0+merged", commit);
    await registry.refresh();
    expect((await registry.resolve(commit)).version.commit).toBe(commit);
    expect(registry.errors).toEqual([]);
  });
});
