import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createEmbeddedOrigin } from "../../../../server/versions/registry/embedded.ts";
import { createRepository, openRepository, versionFiles, loadTestGit } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { loadTestHistory, openTestRegistry } from "./open-test-registry.ts";

async function embed(checkout: string, data?: string): Promise<string> {
  const folder = data ?? (await temporaryFolder());
  return createEmbeddedOrigin({ git: await loadTestGit(), data: folder, checkout, loadHistory: loadTestHistory });
}

describe("the embedded repository", () => {
  test("begins with the history of a checkout and a tag for where it is, and takes pushes", async () => {
    const checkout = await createRepository();
    const first = await checkout.release("1.0.0");
    const second = await checkout.commit(versionFiles("1.1.0"));
    await checkout.git("branch", "topic", first);
    const before = await checkout.git("for-each-ref");
    const data = await temporaryFolder();
    const path = await embed(checkout.path, data);
    expect(path).toBe(join(data, "origin.git"));
    expect(await checkout.git("for-each-ref")).toBe(before);
    const origin = openRepository(path);
    expect((await origin.git("for-each-ref", "--format=%(refname) %(objectname)")).split("\n")).toEqual([
      `refs/heads/main ${second}`,
      `refs/heads/topic ${first}`,
      `refs/tags/v1.0.0 ${first}`,
      `refs/tags/v1.1.0 ${second}`,
    ]);
    expect(await origin.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
    const registry = await openTestRegistry(path, { data });
    expect((await registry.resolve("latest")).version.commit).toBe(second);
    const third = await checkout.release("1.2.0");
    await checkout.git("push", "--quiet", path, "main", "v1.2.0");
    expect((await registry.resolve("1.2.0")).version.commit).toBe(third);
  });

  test("is made once", async () => {
    const checkout = await createRepository();
    const commit = await checkout.commit(versionFiles("1.0.0"));
    const data = await temporaryFolder();
    const path = await embed(checkout.path, data);
    await checkout.release("1.1.0");
    expect(await embed(checkout.path, data)).toBe(path);
    expect(await openRepository(path).git("for-each-ref", "--format=%(refname:short) %(objectname)", "refs/tags")).toBe(
      `v1.0.0 ${commit}`,
    );
  });

  test("is made anew when it was left half made, and needs nothing of the checkout afterwards", async () => {
    const checkout = await createRepository();
    await checkout.commit(versionFiles("1.0.0"));
    const data = await temporaryFolder();
    await mkdir(join(data, "origin.git.unfinished-1/refs"), { recursive: true });
    const path = await embed(checkout.path, data);
    expect(await readdir(data)).toEqual(["origin.git"]);
    await rm(checkout.path, { recursive: true });
    expect(await openRepository(path).git("fsck", "--strict")).toBe("");
  });

  test("borrows nothing from a repository that the checkout borrows from", async () => {
    const source = await createRepository();
    await source.commit(versionFiles("1.0.0"));
    const folder = join(await temporaryFolder(), "borrowing");
    execFileSync("git", ["clone", "--quiet", "--shared", source.path, folder]);
    const path = await embed(folder);
    await rm(source.path, { recursive: true });
    expect(await openRepository(path).git("fsck", "--strict")).toBe("");
  });

  test("leaves a tag that is there where it is", async () => {
    const checkout = await createRepository();
    const tagged = await checkout.release("1.0.0");
    await checkout.commit({ "manifests/a.yaml": "1" });
    expect(await openRepository(await embed(checkout.path)).git("rev-parse", "v1.0.0")).toBe(tagged);
  });

  test("comes from a shallow clone without a branch, as continuous integration has", async () => {
    const source = await createRepository();
    await source.release("1.0.0");
    const commit = await source.commit(versionFiles("1.1.0"));
    const folder = join(await temporaryFolder(), "shallow");
    execFileSync("git", ["clone", "--quiet", "--depth=1", "--no-tags", `file://${source.path}`, folder]);
    const shallow = openRepository(folder);
    await shallow.git("checkout", "--quiet", "--detach");
    await shallow.git("branch", "--quiet", "-D", "main");
    const data = await temporaryFolder();
    const path = await embed(folder, data);
    const origin = openRepository(path);
    expect(await origin.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
    expect(await origin.git("rev-parse", "main", "v1.1.0")).toBe(`${commit}\n${commit}`);
    const registry = await openTestRegistry(path, { data });
    expect((await registry.resolve("1.1.0")).version.commit).toBe(commit);
  });

  test("comes from a linked work tree on a commit of its own", async () => {
    const source = await createRepository();
    await source.release("1.0.0");
    const folder = join(await temporaryFolder(), "linked");
    await source.git("worktree", "add", "--quiet", "--detach", folder);
    const commit = await openRepository(folder).commit(versionFiles("1.1.0"));
    const origin = openRepository(await embed(folder));
    expect(await origin.git("symbolic-ref", "HEAD")).toBe("refs/heads/imported");
    expect(await origin.git("rev-parse", "HEAD", "v1.1.0")).toBe(`${commit}\n${commit}`);
  });

  test("says what is missing, and leaves nothing behind", async () => {
    const data = await temporaryFolder();
    const empty = await createRepository();
    await expect(embed(empty.path, data)).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: `There is nothing to serve: \`${empty.path}\` is not a git checkout with at least one commit. \`cairn init\` makes an agent; \`cairn serve <repository>\` serves one that is there.`,
    });
    const folder = await temporaryFolder();
    await expect(embed(folder, data)).rejects.toMatchObject({ name: "BAD_REQUEST" });
    const other = await createRepository();
    await other.commit({ "README.md": "x" });
    await expect(embed(other.path, data)).rejects.toThrow(
      `The last commit of \`${other.path}\` has no usable versions.yaml: versions.yaml:1: versions.yaml has no \`current\``,
    );
    await other.commit({ "versions.yaml": "current: soon\n" });
    await expect(embed(other.path, data)).rejects.toThrow("`current` is not a version");
    // A later start cleans up.
    await other.commit(versionFiles("1.0.0"));
    await embed(other.path, data);
    expect(await readdir(data)).toEqual(["origin.git"]);
  });
});
