import { describe, expect, test } from "vitest";
import { loader } from "../../../../helpers/loader.ts";
import { agentFiles } from "../../../../helpers/agent.ts";
import { createRepository, openRepository, type TestRepository } from "../../../../helpers/repository.ts";
import { openTestRegistry } from "../open-test-registry.ts";

const HELLO = { handler: "export default () => ({});\n" };
const MORE = { handler: "export default () => ({});\n" };

type Tools = Parameters<typeof agentFiles>[0]["tools"];

async function release(repository: TestRepository, version: string, tools: Tools, parent?: string): Promise<string> {
  // As nothing of the version before may stay behind.
  const files = await repository.git("ls-files", "manifests", "tools");
  const gone = Object.fromEntries(
    files
      .split("\n")
      .filter(Boolean)
      .map((file) => [file, null]),
  );
  const named = parent === undefined ? {} : { parent };
  return repository.release(version, { ...gone, ...agentFiles({ version, tools, ...named }) });
}

/** 1.0.0 with two tools, and a version that takes one away without saying so. */
async function underClaimed() {
  const repository = await createRepository();
  const first = await release(repository, "1.0.0", { hello: HELLO, more: MORE });
  const second = await release(repository, "1.0.1", { hello: HELLO }, "1.0.0");
  return { repository, first, second };
}

const open = (repository: TestRepository, options: Parameters<typeof openTestRegistry>[1] = {}) =>
  openTestRegistry(repository.path, { load: loader.load, ...options });

describe("a version that says less than it changes", () => {
  test("[V8] [D3] is refused with what it fails to say, and listed with it among the unstable", async () => {
    const { repository, second } = await underClaimed();
    const registry = await open(repository);
    const problems = [
      expect.objectContaining({
        file: "versions.yaml",
        rule: "under-claimed",
        message:
          "The change needs a major bump, and 1.0.0 to 1.0.1 stands for a patch one at most: it must be 2.0.0 or higher.",
      }),
      expect.objectContaining({ file: "manifests/runner/more.yaml", line: 1, rule: "tool-removed" }),
    ];
    await expect(registry.resolve("1.0.1")).rejects.toMatchObject({
      name: "VERSION_QUARANTINED",
      details: { version: "1.0.1", commit: second, problems },
    });
    expect((await registry.describe("1.0.1")).record).toMatchObject({
      state: "quarantined",
      claim: "under-claimed",
      problems,
    });
    const names = async (includeUnstable: boolean) =>
      (await registry.list({ limit: 9, offset: 0, includeUnstable })).versions.map(({ tag, state }) => [tag, state]);
    expect(await names(false)).toEqual([["v1.0.0", "served"]]);
    expect(await names(true)).toEqual([
      ["v1.0.1", "quarantined"],
      ["v1.0.0", "served"],
    ]);
    expect(registry.status()).toMatchObject({ quarantined: 1, quarantinedVersions: ["1.0.1"], unreplaced: 1 });
  });

  test("harms nobody else: ranges, `latest` and tools by name go on to the next", async () => {
    const { repository, first } = await underClaimed();
    const registry = await open(repository);
    for (const segment of ["latest", "^1.0"]) {
      expect((await registry.resolve(segment)).version.commit).toBe(first);
    }
    expect((await registry.tools.find("runner.hello"))?.carrier.commit).toBe(first);
    expect((await registry.tools.list(false)).choices.map(({ name, carrier }) => [name, carrier.commit])).toEqual([
      ["runner.hello", first],
      ["runner.more", first],
    ]);
  });

  test("is refused by its commit as well, also below a later version that is served", async () => {
    const { repository, second } = await underClaimed();
    const registry = await open(repository);
    const refused = { name: "VERSION_QUARANTINED", details: { commit: second, version: "1.0.1" } };
    for (const segment of ["1.0.1", second]) await expect(registry.resolve(segment)).rejects.toMatchObject(refused);
    const between = await repository.commit({ "README.md": "Between." });
    await release(repository, "2.0.0", {}, "1.0.1");
    await registry.refresh();
    expect((await registry.resolve("2.0.0")).record.state).toBe("served");
    expect((await registry.resolve(between)).version.commit).toBe(between);
    for (const segment of ["1.0.1", second]) await expect(registry.resolve(segment)).rejects.toMatchObject(refused);
    expect((await registry.read(second)).tools.size).toBe(1);
  });

  test("is told of once, whether it comes with a push or is found when asked for", async () => {
    const { repository } = await underClaimed();
    const registry = await open(repository);
    await Promise.allSettled(["1.0.1", "1.0.1", "latest"].map((segment) => registry.resolve(segment)));
    await release(repository, "1.1.0", { more: MORE }, "1.0.0");
    await registry.refresh();
    await Promise.allSettled(["1.1.0", "1.1.0"].map((segment) => registry.resolve(segment)));
    await registry.refresh();
    const told = registry.events.flatMap((event) => (event.kind === "quarantined" ? [event.record.tag] : []));
    expect(told).toEqual(["v1.0.1", "v1.1.0"]);
    expect(registry.events.some((event) => event.kind === "added" && event.record.tag === "v1.1.0")).toBe(false);
    expect(registry.errors).toEqual([]);
  });

  test("stays known across a restart, and is found anew under other rules", async () => {
    const { repository } = await underClaimed();
    const first = await open(repository);
    await expect(first.resolve("1.0.1")).rejects.toMatchObject({ name: "VERSION_QUARANTINED" });
    await first.close();
    const second = await open(repository, { data: first.data });
    await expect(second.resolve("1.0.1")).rejects.toMatchObject({ name: "VERSION_QUARANTINED" });
    expect(second.loads).toEqual([]);
    await second.close();
    const third = await open(repository, { data: first.data, fingerprint: "rules-2" });
    await expect(third.resolve("1.0.1")).rejects.toMatchObject({ name: "VERSION_QUARANTINED" });
    expect(third.loads.length).toBe(2);
  });
});

describe("a version that says enough", () => {
  test("is proven when it is asked for, not before, and once for two commits of the same tree", async () => {
    const repository = await createRepository();
    await release(repository, "1.0.0", { hello: HELLO });
    await release(repository, "1.1.0", { hello: HELLO, more: MORE }, "1.0.0");
    const again = await repository.commit({});
    await repository.tag("v1.1.0+again", again);
    const registry = await open(repository);
    registry.loads.length = 0;
    expect((await registry.resolve("1.1.0")).record.claim).toBe("proven");
    const proven = registry.loads.length;
    expect((await registry.resolve("1.1.0+again")).record.claim).toBe("proven");
    // Loaded to be served; the two were compared before.
    expect(registry.loads.length).toBe(proven + 1);
    expect((await registry.resolve("1.0.0")).record.claim).toBe("first");
  });

  test("is the first where no version that is served is below it, whatever it names as its parent", async () => {
    const repository = await createRepository();
    await release(repository, "1.1.0", { hello: HELLO }, "1.0.0");
    const registry = await open(repository);
    expect((await registry.resolve("1.1.0")).record).toMatchObject({ state: "served", claim: "first" });
    const { versions } = await registry.list({ limit: 9, offset: 0 });
    expect(versions.map(({ claim }) => claim)).toEqual(["first"]);
  });

  test.each(["v1.1.2", "of-a-tag"])("is refused whatever date its tag says: %s", async (target) => {
    const repository = await createRepository();
    await release(repository, "1.0.0", { hello: HELLO, more: MORE });
    const second = await release(repository, "1.1.0", { hello: HELLO, more: MORE }, "1.0.0");
    await repository.git("checkout", "--quiet", "--orphan", "forged");
    const forged = await release(repository, "1.1.2", { hello: HELLO }, "1.0.0");
    // Its clock begins anew, before 1.0.0.
    const past = openRepository(repository.path);
    await past.git("tag", "--annotate", "--force", "--message", "Old.", target, forged);
    if (target !== "v1.1.2") await past.git("tag", "--annotate", "--force", "--message", "Old.", "v1.1.2", target);
    const registry = await open(repository);
    await expect(registry.resolve("1.1.2")).rejects.toMatchObject({ name: "VERSION_QUARANTINED" });
    expect((await registry.resolve("^1.1.0")).version.commit).toBe(second);
  });

  test("is measured against the last release, past pre-releases", async () => {
    const repository = await createRepository();
    await release(repository, "1.0.0", { hello: HELLO, more: MORE });
    await release(repository, "2.0.0-rc.1", { hello: HELLO }, "1.0.0");
    const history = (version: string) => ({
      ...agentFiles({ version, tools: { hello: HELLO } }),
      "versions.yaml": `current: ${version}\nversions:\n  1.0.0: { changes: [] }\n  2.0.0-rc.1: { parent: 1.0.0, changes: [] }\n  ${version}: { parent: 2.0.0-rc.1, changes: [] }\n`,
    });
    await repository.release("2.0.0", history("2.0.0"));
    await repository.release("1.9.0", history("1.9.0"));
    const registry = await open(repository);
    expect((await registry.resolve("2.0.0")).record.claim).toBe("proven");
    await expect(registry.resolve("1.9.0")).rejects.toMatchObject({ name: "VERSION_QUARANTINED" });
  });
});
