import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { followWorkTree, takeSnapshot } from "../../../../server/versions/registry/follow-work-tree.ts";
import { eventually } from "../../../helpers/eventually.ts";
import {
  type TestRepository,
  createRepository,
  openRepository,
  versionFiles,
  loadTestGit,
} from "../../../helpers/repository.ts";
import { type TestRegistry, openTestRegistry } from "./open-test-registry.ts";

async function open(files: Record<string, string> = {}): Promise<{ checkout: TestRepository; registry: TestRegistry }> {
  const checkout = await createRepository();
  await checkout.release("1.0.0", files);
  return { checkout, registry: await openTestRegistry(checkout.path) };
}

async function snapshot(checkout: TestRepository, registry: TestRegistry): Promise<string> {
  return takeSnapshot({ git: await loadTestGit(), checkout: checkout.path, mirror: registry.mirror });
}

describe("a snapshot of a work tree", () => {
  test("has the uncommitted files of a version, and leaves the checkout untouched", async () => {
    const { checkout, registry } = await open({ ".gitignore": "*.tmp\n", "manifests/gone.yaml": "x" });
    await writeFile(join(checkout.path, "manifests/agent.yaml"), "name: changed\n");
    await mkdir(join(checkout.path, "tools/runner"), { recursive: true });
    await writeFile(join(checkout.path, "tools/runner/new.ts"), "new\n");
    await writeFile(join(checkout.path, "tools/runner/left.tmp"), "ignored\n");
    await writeFile(join(checkout.path, "README.md"), "not part of it\n");
    await rm(join(checkout.path, "manifests/gone.yaml"));
    const state = async () => [
      await checkout.git("status", "--porcelain"),
      await checkout.git("for-each-ref"),
      await checkout.git("count-objects", "-v"),
      await readFile(join(checkout.path, ".git/index"), "base64"),
      await readFile(join(checkout.path, ".git/config"), "utf8"),
    ];
    await checkout.git("status");
    const before = await state();
    const commit = await snapshot(checkout, registry);
    const mirror = openRepository(registry.mirror);
    expect((await mirror.git("ls-tree", "-r", "--name-only", commit)).split("\n")).toEqual([
      "manifests/agent.yaml",
      "tools/runner/new.ts",
      "versions.yaml",
    ]);
    expect(await mirror.git("show", `${commit}:manifests/agent.yaml`)).toBe("name: changed");
    expect(await state()).toEqual(before);
  });

  test("is the same commit for the same content, wherever and whenever", async () => {
    const { checkout, registry } = await open();
    const other = await open();
    const commit = await snapshot(checkout, registry);
    await other.checkout.commit({ "README.md": "another history" });
    expect(await snapshot(other.checkout, other.registry)).toBe(commit);
    await writeFile(join(checkout.path, "versions.yaml"), "current: 1.0.1\n");
    expect(await snapshot(checkout, registry)).not.toBe(commit);
    await writeFile(join(checkout.path, "versions.yaml"), versionFiles("1.0.0")["versions.yaml"] ?? "");
    expect(await snapshot(checkout, registry)).toBe(commit);
  });

  test("of a folder with nothing of a version is empty", async () => {
    const { checkout, registry } = await open();
    await rm(join(checkout.path, "versions.yaml"));
    await rm(join(checkout.path, "manifests"), { recursive: true });
    const commit = await snapshot(checkout, registry);
    expect(await openRepository(registry.mirror).git("ls-tree", commit)).toBe("");
  });
});

describe("`dev`", () => {
  test("follows the work tree as long as it can be served, and keeps the last good one", async () => {
    const { checkout, registry } = await open();
    await expect(registry.resolve("dev")).rejects.toMatchObject({ name: "VERSION_NOT_FOUND" });
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const git = await loadTestGit();
    const workTree = await followWorkTree({ git, checkout: checkout.path, registry, onError });
    onTestFinished(() => workTree.close());
    const first = await registry.resolve("dev");
    expect(first).toMatchObject({ immutable: false, record: { semver: "1.0.0", state: "served" } });
    expect((await registry.resolve(first.version.commit)).immutable).toBe(true);

    // In a folder that was not there before.
    await mkdir(join(checkout.path, "tools/runner"), { recursive: true });
    await writeFile(join(checkout.path, "tools/runner/a.ts"), "1");
    await eventually(() => expect(registry.events.filter(({ kind }) => kind === "dev")).toHaveLength(2));
    await writeFile(join(checkout.path, "tools/runner/a.ts"), "2");
    await eventually(() => expect(registry.events.filter(({ kind }) => kind === "dev")).toHaveLength(3));
    const good = (await registry.resolve("dev")).version.commit;
    expect(good).not.toBe(first.version.commit);

    await writeFile(join(checkout.path, "manifests/broken.yaml"), "x");
    await eventually(() => expect(registry.status().dev?.problems).toHaveLength(1));
    expect((await registry.resolve("dev")).version.commit).toBe(good);
    await rm(join(checkout.path, "manifests/broken.yaml"));
    await eventually(() => expect(registry.status().dev?.problems).toEqual([]));
    expect((await registry.resolve("dev")).version.commit).toBe(good);

    expect(await workTree.update()).toBeUndefined();
    await openRepository(registry.mirror).git("gc", "--prune=now", "--quiet");
    expect((await registry.resolve(good)).version.commit).toBe(good);
    expect(errors).toEqual([]);
  });
});
