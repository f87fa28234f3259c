import { describe, expect, test, vi } from "vitest";
import { createNeighbours } from "../../../../server/versions/registry/neighbours.ts";
import type { Store } from "../../../../server/store/store.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { openStore } from "../../store/open-store.ts";
import { openTestRegistry } from "./open-test-registry.ts";

const unavailable = { name: "UNAVAILABLE" };

/** A node's registry over a store that others use as well; it looks upstream only when told to. */
function openNode(path: string, store: Store, self: string, data?: string) {
  const neighbours = createNeighbours(store, self, () => undefined);
  return openTestRegistry(path, {
    wrapStore: () => store,
    neighbours,
    limits: { lookAgainMs: 1e9 },
    ...(data !== undefined && { data }),
  });
}

const commitOf = async (registry: Awaited<ReturnType<typeof openNode>>, name: string) =>
  (await registry.resolve(name)).version.commit;

describe("what a tag means", () => {
  test("is decided once for all nodes, by the first that saw it", async () => {
    const [repository, store] = [await createRepository(), await openStore("lmdb")];
    await repository.release("1.0.0");
    const one = await openNode(repository.path, store, "one");
    const first = await repository.release("1.1.0");
    await one.refresh();
    await repository.commit({ "more.txt": "other" });
    await repository.tag("v1.1.0");
    // It copies the repository only now, with the tag where it was moved to.
    const two = await openNode(repository.path, store, "two");
    await two.refresh();
    expect([await commitOf(one, "1.1.0"), await commitOf(two, "1.1.0")]).toEqual([first, first]);
    await one.refresh();
    expect(one.status().alarms.get("v1.1.0")).toMatchObject({ kind: "moved", commit: first });
    expect(two.status().alarms.get("v1.1.0")).toMatchObject({ kind: "moved", commit: first });
  });

  test("is unavailable, and nothing else, on a node that cannot have that commit", async () => {
    const [repository, store] = [await createRepository(), await openStore("lmdb")];
    await repository.release("1.0.0");
    const one = await openNode(repository.path, store, "one");
    await repository.git("checkout", "--quiet", "--detach");
    const first = await repository.release("1.1.0");
    await one.refresh();
    await repository.git("checkout", "--quiet", "main");
    await repository.commit({ "more.txt": "other" });
    await repository.tag("v1.1.0");
    await repository.git("reflog", "expire", "--expire=now", "--all");
    await repository.git("gc", "--quiet", "--prune=now");
    const two = await openNode(repository.path, store, "two");
    await two.refresh();
    await expect(two.resolve("1.1.0")).rejects.toMatchObject(unavailable);
    expect(two.status().missing.get("1.1.0")).toContain(`first seen as ${first}`);
    expect(await commitOf(one, "1.1.0")).toBe(first);
    expect((await two.resolve("1.0.0")).record.tag).toBe("v1.0.0");
  });

  test("is its commit on a node that has that, though the annotated tag that named it is gone", async () => {
    const [repository, store] = [await createRepository(), await openStore("lmdb")];
    await repository.release("1.0.0");
    const one = await openNode(repository.path, store, "one");
    const first = await repository.release("1.1.0");
    await repository.tag("v1.1.0", first, { annotated: true });
    await one.refresh();
    await repository.commit({ "more.txt": "other" });
    await repository.tag("v1.1.0", "HEAD", { annotated: true });
    await repository.git("gc", "--quiet", "--prune=now");
    const two = await openNode(repository.path, store, "two");
    await two.refresh();
    expect([await commitOf(one, "1.1.0"), await commitOf(two, "1.1.0")]).toEqual([first, first]);
    expect(two.status().missing.has("1.1.0")).toBe(false);
  });

  test("is no other tag of its number, on a node that cannot have its commit or does not know of it yet", async () => {
    const [repository, store] = [await createRepository(), await openStore("lmdb")];
    await repository.release("1.0.0");
    const one = await openNode(repository.path, store, "one");
    const replica = await createRepository();
    const other = await replica.release("1.1.0+other");
    const two = await openNode(replica.path, store, "two");
    const missing: string[][] = [];
    two.subscribe((event) => void (event.kind === "missing" && missing.push([...event.missing.keys()])));
    expect(await commitOf(two, "1.1.0")).toBe(other);
    const first = await repository.release("1.1.0");
    await one.refresh();
    expect(await commitOf(one, "1.1.0")).toBe(first);
    await expect(two.resolve("1.1.0")).rejects.toMatchObject(unavailable);
    await expect(two.resolve("1.0.0")).rejects.toMatchObject(unavailable);
    await expect(two.resolve("1.2.0")).rejects.toMatchObject({ name: "VERSION_NOT_FOUND" });
    await two.refresh();
    await replica.git("fetch", "--quiet", repository.path, "v1.1.0:refs/heads/copied");
    await two.refresh();
    expect(missing).toEqual([["1.0.0", "1.1.0"], []]);
    expect(await commitOf(two, "1.1.0")).toBe(first);
  });

  test("stays what it is on nodes that come when the tag is gone from the repository", async () => {
    const [repository, store] = [await createRepository(), await openStore("lmdb")];
    await repository.release("1.0.0");
    const first = await repository.release("1.1.0");
    const one = await openNode(repository.path, store, "one");
    expect(await commitOf(one, "1.1.0")).toBe(first);
    await vi.waitFor(async () => expect((await store.get(["versions", "served", "v1.1.0"]))?.value).toBe(first));
    await repository.git("tag", "--delete", "v1.1.0");
    await one.refresh();
    const two = await openNode(repository.path, store, "two");
    expect([await commitOf(one, "1.1.0"), await commitOf(two, "1.1.0")]).toEqual([first, first]);
    for (const node of [one, two]) expect(node.status().alarms.get("v1.1.0")).toMatchObject({ kind: "deleted" });
    expect((await store.get(["versions", "alarm", "v1.1.0"]))?.value).toMatchObject({ kind: "deleted", commit: first });
  });

  test("stays its commit on nodes that come when the annotated tag is gone, and only the commit is left", async () => {
    const [repository, store] = [await createRepository(), await openStore("lmdb")];
    await repository.release("1.0.0");
    const first = await repository.release("1.1.0");
    await repository.tag("v1.1.0", first, { annotated: true });
    const one = await openNode(repository.path, store, "one");
    expect(await commitOf(one, "1.1.0")).toBe(first);
    await vi.waitFor(async () => expect((await store.get(["versions", "served", "v1.1.0"]))?.value).toBe(first));
    await repository.git("tag", "--delete", "v1.1.0");
    await repository.git("gc", "--quiet", "--prune=now");
    const two = await openNode(repository.path, store, "two");
    await two.refresh();
    expect(await commitOf(two, "1.1.0")).toBe(first);
    expect(two.status().missing.has("1.1.0")).toBe(false);
  });

  test("holds for tags that a node had before there were others", async () => {
    const [repository, store] = [await createRepository(), await openStore("lmdb")];
    const first = await repository.release("1.0.0");
    const alone = await openTestRegistry(repository.path);
    await alone.close();
    const one = await openNode(repository.path, store, "one");
    expect(await commitOf(one, "1.0.0")).toBe(first);
    expect((await store.get(["versions", "first", "v1.0.0"]))?.value).toMatchObject({ commit: first });
    await repository.commit({ "more.txt": "other" });
    await repository.tag("v1.0.0");
    const two = await openNode(repository.path, store, "two");
    await two.refresh();
    expect(await commitOf(two, "1.0.0")).toBe(first);
  });

  test("can be decided anew only while no node has served it", async () => {
    const [repository, store] = [await createRepository(), await openStore("lmdb")];
    await repository.release("1.0.0");
    const [one, two] = [await openNode(repository.path, store, "one"), await openNode(repository.path, store, "two")];
    await repository.release("1.1.0", { "versions.yaml": "current: 9.9.9\n" });
    for (const node of [one, two]) {
      await node.refresh();
      await expect(node.resolve("1.1.0")).rejects.toMatchObject({ name: "VERSION_QUARANTINED" });
    }
    const second = await repository.release("1.1.0");
    for (const node of [one, two]) {
      await node.refresh();
      expect(await commitOf(node, "1.1.0")).toBe(second);
    }
    await vi.waitFor(async () => expect((await store.get(["versions", "served", "v1.1.0"]))?.value).toBe(second));
    await repository.git("tag", "--delete", "v1.1.0");
    for (const node of [one, two]) {
      await node.refresh();
      expect(await commitOf(node, "1.1.0")).toBe(second);
    }
  });
});

describe("a push", () => {
  test("that one node notices is served by all, though they do not look by themselves", async () => {
    const [repository, store] = [await createRepository(), await openStore("lmdb")];
    await repository.release("1.0.0");
    const [one, two] = [await openNode(repository.path, store, "one"), await openNode(repository.path, store, "two")];
    const pushed = await repository.release("1.1.0");
    await one.refresh();
    await vi.waitFor(async () => expect(await commitOf(two, "1.1.0")).toBe(pushed), 10_000);
    // What it was told of is no news for the first: nobody goes on telling.
    const { syncs } = one.status();
    await two.refresh();
    expect(one.status().syncs.succeeded - syncs.succeeded).toBeLessThanOrEqual(1);
  });

  test("that moves or deletes a tag is noticed by all as well", async () => {
    const [repository, store] = [await createRepository(), await openStore("lmdb")];
    for (const version of ["1.0.0", "1.1.0", "1.2.0"]) await repository.release(version);
    const [one, two] = [await openNode(repository.path, store, "one"), await openNode(repository.path, store, "two")];
    await repository.git("tag", "--delete", "v1.2.0");
    await one.refresh();
    await vi.waitFor(() => expect(two.status().alarms.get("v1.2.0")).toMatchObject({ kind: "deleted" }), 10_000);
    await repository.tag("v1.1.0");
    await two.refresh();
    await vi.waitFor(() => expect(one.status().alarms.get("v1.1.0")).toMatchObject({ kind: "moved" }), 10_000);
  });
});
