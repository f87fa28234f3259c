import { expect, onTestFinished, test, vi } from "vitest";
import { shareRefs } from "../../../../server/versions/registry/share-refs.ts";
import type { Registry } from "../../../../server/versions/registry/registry-types.ts";
import { createRepository, loadTestGit, versionFiles } from "../../../helpers/repository.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { openTestRegistry } from "./open-test-registry.ts";

test("a version that one node finds is served by the other, and both fall silent again", async () => {
  const repository = await createRepository();
  await repository.release("1.0.0", versionFiles("1.0.0"));
  const store = await openTestStore();
  const open = async () => {
    const registry = await openTestRegistry(repository.path, { limits: { sweep: false } });
    const refresh = vi.fn(registry.refresh);
    const onError = (error: unknown) => expect.fail(String(error));
    const git = await loadTestGit();
    onTestFinished(shareRefs({ git, store, registry: { ...registry, refresh }, onError }));
    return { ...registry, followed: refresh.mock.calls };
  };
  const lists = async ({ list }: Pick<Registry, "list">, tag: string) => {
    const { versions } = await list({ limit: 9, offset: 0, includeUnstable: true });
    return versions.some((version) => version.tag === tag);
  };
  const [one, other] = [await open(), await open()];
  await repository.release("1.1.0", versionFiles("1.1.0"));
  await one.refresh();
  await vi.waitFor(async () => expect(await lists(other, "v1.1.0")).toBe(true));
  expect([one.followed.length, other.followed.length]).toEqual([0, 1]);
  await repository.release("1.2.0", versionFiles("1.2.0"));
  await other.refresh();
  await vi.waitFor(async () => expect(await lists(one, "v1.2.0")).toBe(true));
  expect([one.followed.length, other.followed.length]).toEqual([1, 1]);
});
