import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadDirectoryTree } from "../../../server/versions/git/directory-tree.ts";
import { createGitTrees, readTreeObject } from "../../../server/versions/git/git-tree.ts";
import { type ObjectReader, openObjectReader } from "../../../server/versions/git/object-reader.ts";
import { MAX_TREE_DEPTH, MAX_TREE_ENTRIES } from "../../../server/versions/git/tree-walk.ts";
import { expectQuick } from "../../helpers/expect-quick.ts";
import { type TestRepository, createRepository, loadTestGit } from "../../helpers/repository.ts";

async function openTrees(repository: TestRepository) {
  const reader = openObjectReader(await loadTestGit(), join(repository.path, ".git"));
  onTestFinished(() => reader.close());
  const reads: string[] = [];
  const counting: ObjectReader = {
    ...reader,
    read: (oid, maxBytes) => {
      reads.push(oid);
      return reader.read(oid, maxBytes);
    },
  };
  return { trees: createGitTrees(counting), reads };
}

/** Stores a tree object exactly as given, and a commit of it. */
async function commitTree(
  repository: TestRepository,
  items: readonly [mode: string, name: Buffer | string, oid: string][],
) {
  const bytes = Buffer.concat(
    items.map(([mode, name, oid]) =>
      Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.from([0]), Buffer.from(oid, "hex")]),
    ),
  );
  const tree = await new Promise<string>((resolve, reject) => {
    const args = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
    const child = execFile("git", args, { cwd: repository.path }, (error, out) =>
      error ? reject(error) : resolve(out),
    );
    child.stdin?.end(bytes);
  });
  return { tree: tree.trim(), commit: await repository.git("commit-tree", "-m", "made", tree.trim()) };
}

const FILES = {
  "versions.yaml": "current: 1.0.0\n",
  "manifests/runner/a.yaml": "name: a\n",
  "tools/runner/a.ts": "export default () => 1;\n",
  "schemas/x.schema.json": "{}\n",
  "README.md": "none of it\n",
  "server/main.ts": "none of it\n",
};

describe("the tree of a commit", () => {
  test("has the files of a version and nothing else, sorted, with git's ids", async () => {
    const repository = await createRepository();
    const { trees } = await openTrees(repository);
    const commit = await repository.commit(FILES);
    const result = await trees(commit);
    if (!result.ok) throw new Error("not read");
    expect([...result.tree.entries.keys()]).toEqual([
      "manifests/runner/a.yaml",
      "schemas/x.schema.json",
      "tools/runner/a.ts",
      "versions.yaml",
    ]);
    for (const [path, entry] of result.tree.entries) {
      expect(entry).toEqual({ oid: await repository.git("rev-parse", `HEAD:${path}`), kind: "file" });
      expect(String(await result.tree.read(entry, 1_000))).toBe(FILES[path as keyof typeof FILES]);
      expect(await result.tree.read(entry, 2)).toBeUndefined();
    }
    expect(result.tree.label).toBe(commit.slice(0, 12));
  });

  test("is the same as of a folder with the same files", async () => {
    const repository = await createRepository();
    const { trees } = await openTrees(repository);
    const commit = await repository.commit({ ...FILES, "tools/empty.ts": "", "manifests/ünïcode.yaml": "ä\n" });
    await symlink("a.ts", join(repository.path, "tools/runner/link.ts"));
    const next = await repository.commit({});
    const [fromGit, fromFolder] = [await trees(next), await loadDirectoryTree(repository.path)];
    if (!fromGit.ok || !fromFolder.ok) throw new Error("not read");
    expect(fromFolder.tree.entries).toEqual(fromGit.tree.entries);
    expect([...fromFolder.tree.entries.keys()]).toEqual([...fromGit.tree.entries.keys()]);
    expect(fromFolder.tree.entries.get("tools/runner/link.ts")?.kind).toBe("symlink");
    for (const [path, entry] of fromFolder.tree.entries) {
      const expected = fromGit.tree.entries.get(path);
      expect(String(await fromFolder.tree.read(entry, 1_000))).toBe(
        String(expected && (await fromGit.tree.read(expected, 1_000))),
      );
    }
    expect(commit).not.toBe(next);
  });

  test("names symlinks and submodules as such, also in the place of a folder", async () => {
    const repository = await createRepository();
    const { trees } = await openTrees(repository);
    const commit = await repository.commit(FILES);
    const blob = await repository.git("rev-parse", "HEAD:versions.yaml");
    const inner = await commitTree(repository, [["160000", "module", commit]]);
    const made = await commitTree(repository, [
      ["40000", "manifests", inner.tree],
      ["120000", "schemas", blob],
      ["160000", "tools", commit],
      ["100644", "versions.yaml", blob],
    ]);
    const result = await trees(made.commit);
    if (!result.ok) throw new Error("not read");
    expect(Object.fromEntries([...result.tree.entries].map(([path, { kind }]) => [path, kind]))).toEqual({
      "manifests/module": "submodule",
      schemas: "symlink",
      tools: "submodule",
      "versions.yaml": "file",
    });
  });

  test.each([
    ["a path that climbs", ".."],
    ["a git folder", ".GIT"],
    ["a backslash", "a\\b"],
    ["a slash", "a/b"],
    ["a line break", "a\nb"],
    ["an escape sequence", "\u001b[31m"],
    ["bytes that are not UTF-8", Buffer.from([0xff, 0xfe])],
  ])("is refused for %s in a name", async (_, name) => {
    const repository = await createRepository();
    const { trees } = await openTrees(repository);
    await repository.commit(FILES);
    const blob = await repository.git("rev-parse", "HEAD:versions.yaml");
    const inner = await commitTree(repository, [["100644", name, blob]]);
    const bad = await commitTree(repository, [["40000", "tools", inner.tree]]);
    expect(await trees(bad.commit)).toMatchObject({
      ok: false,
      problems: [
        { file: "tools", line: 1, column: 1, rule: "bad-tree", message: expect.stringMatching(/unusable name "/) },
      ],
    });
    const elsewhere = await commitTree(repository, [
      ["100644", name, blob],
      ["100644", "versions.yaml", blob],
    ]);
    expect(await trees(elsewhere.commit)).toMatchObject({ ok: true });
  });

  test("is refused for two entries of one name, an unknown mode and bytes that are no tree", async () => {
    const repository = await createRepository();
    const { trees } = await openTrees(repository);
    await repository.commit(FILES);
    const blob = await repository.git("rev-parse", "HEAD:versions.yaml");
    const twice = await commitTree(repository, [
      ["100644", "versions.yaml", blob],
      ["100644", "versions.yaml", blob],
    ]);
    expect(await trees(twice.commit)).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining("two entries") }],
    });
    const device = await commitTree(repository, [["60000", "tools", blob]]);
    expect(await trees(device.commit)).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining("unknown mode") }],
    });
    const asFolder = await commitTree(repository, [["40000", "tools", blob]]);
    expect(await trees(asFolder.commit)).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining("not a well-formed") }],
    });
  });

  test("is refused beyond the limits, in no time even when folders contain each other", async () => {
    const repository = await createRepository();
    const { trees } = await openTrees(repository);
    await repository.commit(FILES);
    const blob = await repository.git("rev-parse", "HEAD:versions.yaml");
    const names = Array.from({ length: 10 }, (_, at) => `f${at}`);
    let tree = (
      await commitTree(
        repository,
        names.map((name) => ["100644", name, blob]),
      )
    ).tree;
    // Ten billion files in ten objects.
    for (let level = 0; level < 9; level += 1) {
      const below = tree;
      ({ tree } = await commitTree(
        repository,
        names.map((name) => ["40000", name, below]),
      ));
    }
    const bomb = await commitTree(repository, [["40000", "tools", tree]]);
    expect(await expectQuick(5_000, () => trees(bomb.commit))).toMatchObject({
      ok: false,
      problems: [{ rule: "too-many-files", message: expect.stringContaining(String(MAX_TREE_ENTRIES)) }],
    });
    const deep = await repository.commit({ [`tools/${"d/".repeat(MAX_TREE_DEPTH)}x`]: "x" });
    expect(await trees(deep)).toMatchObject({ ok: false, problems: [{ rule: "too-deep" }] });
  });

  test("costs only what differs from trees that were read before", async () => {
    const repository = await createRepository();
    const { trees, reads } = await openTrees(repository);
    const read = async (commit: string) => {
      const result = await trees(commit);
      if (result.ok)
        await Promise.all([...result.tree.entries.values()].map((entry) => result.tree.read(entry, 1_000)));
      return reads.splice(0).length;
    };
    expect(await read(await repository.commit(FILES))).toBe(1 + 5 + 4);
    // The top, two folders on the way, and the file.
    expect(await read(await repository.commit({ "tools/runner/a.ts": "export default () => 2;\n" }))).toBe(1 + 2 + 1);
    expect(await read(await repository.commit({ "README.md": "other\n" }))).toBe(1);
  });

  test("fails, without blaming the commit, when the repository lacks something", async () => {
    const repository = await createRepository();
    const { trees } = await openTrees(repository);
    await expect(trees("1".repeat(40))).rejects.toMatchObject({ name: "INTERNAL_ERROR" });
  });

  test("never makes the parser throw, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const read = readTreeObject(Buffer.from(bytes), 20);
        expect(typeof read === "string" || Array.isArray(read)).toBe(true);
      }),
    );
  });
});

describe("the tree of a folder", () => {
  test("does not follow symlinks and refuses what is no file", async () => {
    const repository = await createRepository();
    await mkdir(join(repository.path, "outside"));
    await writeFile(join(repository.path, "outside/secret"), "secret");
    await symlink("outside", join(repository.path, "tools"));
    const result = await loadDirectoryTree(repository.path);
    if (!result.ok) throw new Error("not read");
    expect([...result.tree.entries].map(([path, { kind }]) => [path, kind])).toEqual([["tools", "symlink"]]);
    await new Promise((resolve) => execFile("mkfifo", [join(repository.path, "manifests")], resolve));
    expect(await loadDirectoryTree(repository.path)).toMatchObject({
      ok: false,
      problems: [{ rule: "bad-tree", message: expect.stringContaining("not a file") }],
    });
  });

  test("notices a file that changes under it", async () => {
    const repository = await createRepository();
    await repository.commit(FILES);
    const result = await loadDirectoryTree(repository.path);
    const entry = result.ok ? result.tree.entries.get("versions.yaml") : undefined;
    if (!result.ok || entry === undefined) throw new Error("not read");
    expect(await result.tree.read(entry, 3)).toBeUndefined();
    await writeFile(join(repository.path, "versions.yaml"), "current: 2.0.0\n");
    await expect(result.tree.read(entry, 1_000)).rejects.toMatchObject({ name: "CONFLICT" });
  });

  test("needs a folder", async () => {
    await expect(loadDirectoryTree("/no/such/folder")).rejects.toMatchObject({ name: "NOT_FOUND" });
  });
});
