import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createRepository, versionFiles } from "../../../../helpers/repository.ts";
import { openTestRegistry } from "../open-test-registry.ts";

describe("the list of versions", () => {
  test("[V4] [V6] has the highest first, unstable ones only when asked for", async () => {
    const repository = await createRepository();
    for (const version of ["1.9.0", "1.10.0", "2.0.0-rc.1", "0.1.0"]) await repository.release(version);
    await repository.tag("v1.9.0+later", "v1.9.0", { annotated: true });
    await repository.release("1.11.0", { "manifests/broken.yaml": "x" });
    const head = await repository.commit({ "manifests/broken.yaml": null, "manifests/b.yaml": "x" });
    await repository.git("update-ref", "refs/pull/3/head", head);
    await repository.git("update-ref", "refs/pull/10/head", await repository.commit({ "manifests/b.yaml": "y" }));
    await repository.git("update-ref", "refs/pull/4/head", "v1.9.0");
    // Merged: a served version came after it.
    const merged = await repository.git("commit-tree", "-m", "merged", "-p", "v1.10.0", "v1.10.0^{tree}");
    await repository.git("update-ref", "refs/pull/2/head", merged);
    await repository.tag(
      "v1.10.0+after",
      await repository.git("commit-tree", "-m", "after", "-p", merged, `${merged}^{tree}`),
    );
    const registry = await openTestRegistry(repository.path);
    const list = async (includeUnstable: boolean) => {
      const page = await registry.list({ limit: 50, offset: 0, includeUnstable });
      return [
        page.total,
        page.served,
        page.versions.map(({ tag, pullRequest, state }) => `${tag ?? `#${pullRequest}`} ${state}`),
      ];
    };
    const stable = ["v1.10.0+after served", "v1.10.0 served", "v1.9.0+later served", "v1.9.0 served", "v0.1.0 served"];
    expect(await list(false)).toEqual([5, 5, stable]);
    expect(await list(true)).toEqual([
      10,
      6,
      ["v2.0.0-rc.1 served", "v1.11.0 quarantined", ...stable, "#10 unserved", "#3 unserved", "#2 served"],
    ]);
  });

  test("[V6] says what each was made from, a head with the number of a release from that", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    await repository.release("1.1.0", { "versions.yaml": "current: 1.1.0\nparent: 1.0.0\n" });
    await repository.git("update-ref", "refs/pull/1/head", await repository.commit({ "manifests/a.yaml": "y" }));
    const raised = await repository.commit({ "versions.yaml": "current: 1.2.0\nparent: 1.0.0\n" });
    await repository.git("update-ref", "refs/pull/2/head", raised);
    const registry = await openTestRegistry(repository.path);
    const { versions } = await registry.list({ limit: 9, offset: 0, includeUnstable: true });
    expect(versions.map(({ tag, pullRequest, parent }) => [tag ?? pullRequest, parent])).toEqual([
      ["v1.1.0", "1.0.0"],
      ["v1.0.0", undefined],
      [2, "1.0.0"],
      [1, "1.1.0"],
    ]);
  });

  test("[V5] comes in pages, filled up where something on them turns out broken", async () => {
    const repository = await createRepository();
    for (let minor = 0; minor < 12; minor += 1) {
      const content = minor % 3 === 0 ? "x" : minor % 3 === 1 ? null : undefined;
      await repository.release(`1.${minor}.0`, content === undefined ? {} : { "manifests/broken.yaml": content });
    }
    const registry = await openTestRegistry(repository.path);
    const page = async (limit: number, offset: number) =>
      (await registry.list({ limit, offset })).versions.map(({ semver }) => Number(semver?.split(".")[1]));
    expect(await page(3, 0)).toEqual([11, 10, 8]);
    expect(await page(3, 3)).toEqual([7, 5, 4]);
    expect(await page(100, 6)).toEqual([2, 1]);
    expect(await page(0, 0)).toEqual([]);
    expect(await page(5, 100)).toEqual([]);
    expect(await page(-1, -5)).toEqual([]);
    expect((await registry.list({ limit: 1, offset: 0 })).total).toBe(8);
  });

  test("[V5] can begin after a time", async () => {
    const repository = await createRepository();
    for (const version of ["1.0.0", "1.1.0", "1.2.0"]) await repository.release(version);
    const registry = await openTestRegistry(repository.path);
    const { versions } = await registry.list({ limit: 9, offset: 0 });
    const [, middle] = versions;
    expect(versions.map(({ createdAt }) => createdAt)).toEqual([
      "2026-01-01T00:05:00.000Z",
      "2026-01-01T00:03:00.000Z",
      "2026-01-01T00:01:00.000Z",
    ]);
    const since = Date.parse(middle?.createdAt ?? "");
    const tags = async (from: number) =>
      (await registry.list({ limit: 9, offset: 0, since: from })).versions.map(({ tag }) => tag);
    expect(await tags(since)).toEqual(["v1.2.0"]);
    expect(await tags(since - 1)).toEqual(["v1.2.0", "v1.1.0"]);
  });

  test("shows what cannot be read at the moment as not looked at", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    await repository.release("1.1.0");
    const registry = await openTestRegistry(repository.path);
    await registry.close();
    const again = await openTestRegistry(repository.path, {
      data: registry.data,
      fingerprint: "rules-2",
      load: async () => {
        throw new Error("away");
      },
    });
    const { versions, total } = await again.list({ limit: 9, offset: 0 });
    expect([total, versions.map(({ state }) => state)]).toEqual([2, ["unverified", "unverified"]]);
    await expect(again.resolve("1.0.0")).rejects.toMatchObject({ name: "UNAVAILABLE" });
  });

  test("survives dates that are none", async () => {
    const repository = await createRepository();
    await repository.commit(versionFiles("1.0.0"));
    const tree = await repository.git("rev-parse", "HEAD^{tree}");
    const commit = `tree ${tree}\nauthor A <a@b> 99999999999999 +0000\ncommitter A <a@b> 99999999999999 +0000\n\nx\n`;
    await writeFile(`${repository.path}/odd`, commit);
    const odd = await repository.git("hash-object", "-t", "commit", "-w", "--literally", "odd");
    await repository.tag("v1.0.0", odd);
    const registry = await openTestRegistry(repository.path);
    const { versions } = await registry.list({ limit: 9, offset: 0 });
    expect(versions).toMatchObject([{ commit: odd, createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) }]);
  });
});
