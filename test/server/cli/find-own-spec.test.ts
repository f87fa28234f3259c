import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findOwnSpec, toNpmUrl } from "../../../server/cli/find-own-spec.ts";
import { createRepository } from "../../helpers/repository.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";

/** A project with Cairn in its node_modules, as npm leaves it, and what is found for a project beside it. */
async function findWith(resolved?: string, wanted = "^0.1.0", kind = "dependencies") {
  const folder = await realpath(await temporaryFolder());
  const root = join(folder, "project/node_modules/cairn-gitops/dist");
  await mkdir(root, { recursive: true });
  await writeFile(join(folder, "project/package.json"), JSON.stringify({ [kind]: { "cairn-gitops": wanted } }));
  const lock = { packages: { "node_modules/cairn-gitops": { version: "0.1.0", resolved } } };
  if (resolved !== undefined) {
    await writeFile(join(folder, "project/node_modules/.package-lock.json"), JSON.stringify(lock));
  }
  return findOwnSpec(`${root}/`, join(folder, "agent"), "0.1.0");
}

describe("the dependency on the Cairn that runs", () => {
  test("is its version when a registry gave it, and when nobody noted where it came from", async () => {
    const version = { spec: "0.1.0", isLocal: false };
    expect(await findWith("https://registry.npmjs.org/cairn-gitops/-/cairn-gitops-0.1.0.tgz")).toEqual(version);
    expect(await findWith()).toEqual(version);
  });

  test("is the git URL with its commit, or the tarball's address, when it was installed by that", async () => {
    const git = `git+ssh://git@example.com/tools/cairn.git#${"a".repeat(40)}`;
    expect(await findWith(git, "example:tools/cairn")).toEqual({ spec: git, isLocal: false });
    const tarball = "https://example.com/releases/cairn-gitops-0.1.0.tgz";
    for (const kind of ["dependencies", "devDependencies", "optionalDependencies"]) {
      expect([kind, await findWith(tarball, tarball, kind)]).toEqual([kind, { spec: tarball, isLocal: false }]);
    }
  });

  test("has no password or token, which would be committed with it", async () => {
    const head = "a".repeat(40);
    const tarball = "https://me:secret@example.com/cairn-gitops-0.1.0.tgz";
    expect((await findWith(tarball, tarball)).spec).toBe("https://example.com/cairn-gitops-0.1.0.tgz");
    const token = `git+https://secret@example.com/cairn.git#${head}`;
    expect((await findWith(token)).spec).toBe(`git+https://example.com/cairn.git#${head}`);
    const password = `git+ssh://git:secret@example.com:2222/cairn.git#${head}`;
    expect((await findWith(password)).spec).toBe(`git+ssh://git@example.com:2222/cairn.git#${head}`);
  });

  test("is a path, and said to be one, when it was installed from a file", async () => {
    const file = "file:../cairn-gitops-0.1.0.tgz";
    expect(await findWith(file, file)).toEqual({ spec: "file:../cairn-gitops-0.1.0.tgz", isLocal: true });
  });

  test("is a checkout's commit when its origin has that, and a path when it is changed or was not pushed", async () => {
    const { path, git, commit } = await createRepository();
    await commit({ "package.json": "{}" });
    const folder = await realpath(path);
    const find = () => findOwnSpec(`${folder}/`, join(folder, "../agent"), "0.1.0");
    const local = { spec: `file:../${folder.split("/").at(-1)}`, isLocal: true };
    expect(await find()).toEqual(local);
    await git("remote", "add", "origin", "https://me:secret@example.com/tools/cairn.git");
    expect(await find()).toEqual(local);
    await git("update-ref", "refs/remotes/fork/main", "HEAD");
    expect(await find()).toEqual(local);
    await git("update-ref", "refs/remotes/origin/main", "HEAD");
    const head = (await git("rev-parse", "HEAD")).trim();
    expect(await find()).toEqual({ spec: `git+https://example.com/tools/cairn.git#${head}`, isLocal: false });
    await writeFile(join(folder, "package.json"), "[]");
    expect(await find()).toEqual(local);
  });

  test("reads every form of a remote's address, and takes none of this machine", () => {
    expect(toNpmUrl("git@example.com:tools/cairn.git")).toBe("git+ssh://git@example.com/tools/cairn.git");
    expect(toNpmUrl("ssh://git@example.com:2222/cairn")).toBe("git+ssh://git@example.com:2222/cairn");
    for (const local of [
      "/srv/cairn.git",
      "../cairn",
      "file:///srv/cairn.git",
      "C:/cairn",
      "http://example.com/cairn",
    ]) {
      expect([local, toNpmUrl(local)]).toEqual([local, undefined]);
    }
  });
});
