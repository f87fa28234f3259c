import { Range } from "semver";
import { describe, expect, test } from "vitest";
import { createToolCatalogue } from "../../../../../server/versions/registry/tools/tool-catalogue.ts";
import { createToolDirectory } from "../../../../../server/versions/registry/tools/tool-directory.ts";
import type { Verdict } from "../../../../../server/versions/registry/verdicts.ts";
import { createIndex } from "../../../../../server/versions/registry/version-index.ts";
import { loader } from "../../../../helpers/loader.ts";
import { agentFiles } from "../../../../helpers/agent.ts";
import { createRepository } from "../../../../helpers/repository.ts";
import { temporaryFolder } from "../../../../helpers/temporary.ts";
import { openTestRegistry } from "../open-test-registry.ts";

const HANDLER = "export default () => ({});\n";

/** A repository with a version for each, whose one tool has the version given for it. */
async function createVersions(tools: Readonly<Record<string, string>>) {
  const repository = await createRepository();
  for (const [name, version] of Object.entries(tools)) {
    await repository.commit(agentFiles({ version: name, tools: { a: { handler: HANDLER, version } } }));
    await repository.tag(`v${name}`);
  }
  return repository;
}

const loading = () => ({ load: loader.load });

describe("the directory of tools", () => {
  test("[G5] finds the highest of all versions and opens the one that serves it, and no other", async () => {
    const { path } = await createVersions({ "1.0.0": "1.0.0", "1.1.0": "1.2.0", "1.2.0": "1.1.0" });
    const data = await temporaryFolder();
    const before = await openTestRegistry(path, { data, ...loading() });
    const choice = await before.tools.find("runner.a");
    expect(choice).toMatchObject({ version: "1.2.0", carrier: { name: "1.1.0" } });
    expect(before.loads).toHaveLength(3);
    await before.close();

    const after = await openTestRegistry(path, { data, ...loading() });
    expect(await after.tools.list(false)).toMatchObject({ choices: [{ name: "runner.a" }], unverified: 0 });
    expect(await after.tools.find("runner.a", new Range("1.0.x"))).toMatchObject({ carrier: { name: "1.0.0" } });
    expect(await after.tools.find("runner.b")).toBeUndefined();
    expect(after.loads).toEqual([]);
    if (choice === undefined) throw new Error("nothing was found");
    const { version, record } = await after.tools.open(choice);
    expect(version.tools.get("runner.a")?.version).toBe("1.2.0");
    expect(record).toMatchObject({ tag: "v1.1.0", state: "served" });
    expect(after.loads).toEqual([version.commit]);
  });

  test("looks again at versions whose tools were not remembered", async () => {
    const { path } = await createVersions({ "1.0.0": "1.0.0" });
    const data = await temporaryFolder();
    const before = await openTestRegistry(path, { data, ...loading() });
    const { commit } = (await before.resolve("1.0.0")).version;
    // As a Cairn wrote it that knew of no tools.
    await before.store.commit({
      set: [
        {
          key: ["versions", "verdict", commit],
          value: { fingerprint: "rules-1", semver: "1.0.0", servers: ["runner"] },
        },
      ],
    });
    await before.close();
    const after = await openTestRegistry(path, { data, ...loading() });
    expect(await after.tools.find("runner.a")).toMatchObject({ version: "1.0.0" });
    expect(after.loads).toEqual([commit]);
  });

  test("takes in a version that is pushed", async () => {
    const repository = await createVersions({ "1.0.0": "1.0.0" });
    const registry = await openTestRegistry(repository.path, loading());
    expect(await registry.tools.find("runner.a")).toMatchObject({ version: "1.0.0" });
    await repository.commit(agentFiles({ version: "1.1.0", tools: { a: { handler: HANDLER, version: "1.1.0" } } }));
    await repository.tag("v1.1.0");
    await registry.refresh();
    expect(await registry.tools.find("runner.a")).toMatchObject({ version: "1.1.0" });
  });

  test("looks at the highest versions first, says how many it has not looked at, and denies nothing before it has", async () => {
    const looked: string[] = [];
    const { list, find } = createUnverified(130, (commit) => {
      looked.push(commit);
      return commit === "commit-20" ? "rare@1.0.0" : "common@1.0.0";
    });
    expect(await list(false)).toMatchObject({ choices: [{ name: "common" }], unverified: 80 });
    expect(looked).toHaveLength(50);
    expect(looked).toContain("commit-129");
    expect(await find("common")).toMatchObject({ carrier: { name: "1.129.0" } });
    expect(looked).toHaveLength(50);
    await expect(find("rare")).rejects.toMatchObject({
      name: "UNAVAILABLE",
      message: "30 versions that may have such a tool have not been looked at yet.",
    });
    expect(await find("rare")).toMatchObject({ carrier: { name: "1.20.0" } });
    expect(await find("none")).toBeUndefined();
    expect(looked).toHaveLength(130);
  });

  test("is not held up by versions that cannot be read, and tries them again", async () => {
    let isAway = true;
    const { list, find } = createUnverified(2, (commit) => {
      if (isAway && commit === "commit-1") throw new Error("the disk is away");
      return commit === "commit-1" ? "a@1.1.0" : "a@1.0.0";
    });
    expect(await list(false)).toMatchObject({ choices: [{ version: "1.0.0" }], unverified: 0 });
    expect(await find("b")).toBeUndefined();
    isAway = false;
    expect(await find("a")).toMatchObject({ version: "1.1.0" });
  });
});

/** A directory of so many versions that nobody has looked at yet; `look` tells the tools of one. */
function createUnverified(count: number, look: (commit: string) => string) {
  const refs = Array.from({ length: count }, (_, at) => {
    const commit = `commit-${at}`;
    return [`refs/tags/v1.${at}.0`, { oid: commit, target: commit, type: "commit", createdAt: 0 }] as const;
  });
  const versions = createIndex({ refs: new Map(refs), alarms: new Map(), labels: new Map(), failed: new Map() });
  const known = new Map<string, Verdict>();
  const verdicts = {
    get: (commit: string) => known.get(commit),
    set: (commit: string, verdict: Verdict) => void known.set(commit, verdict),
    setClaim: () => undefined,
    flush: async () => undefined,
  };
  const index = () => versions;
  const catalogue = createToolCatalogue({ index, verdicts });
  const cache = {
    open: () => Promise.reject(new Error("nothing is opened")),
    look: () => Promise.reject(new Error("nothing is opened")),
    verify: async (commit: string) => {
      const semver = `1.${commit.slice("commit-".length)}.0`;
      const verdict: Verdict = { ok: true, semver, servers: [], tools: look(commit) };
      verdicts.set(commit, verdict);
      catalogue.onVerdict(commit, verdict);
      return verdict;
    },
    size: 0,
  };
  return createToolDirectory({ index, verdicts, cache, catalogue, prove: async () => undefined });
}
