import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NOTHING_REVOKED } from "../../../../server/versions/revoked.ts";
import { agentFiles } from "../../../helpers/agent.ts";
import { createRepository, type TestRepository, versionFiles } from "../../../helpers/repository.ts";
import { openTestRegistry } from "../registry/open-test-registry.ts";

const POLICY = "manifests/policies/access.yaml";
const revoking = (...roles: readonly string[]) => `revoke:\n  roles: [${roles.join(", ")}]\n`;
const roles = (...names: readonly string[]) => ({ ...NOTHING_REVOKED, roles: names });

describe("[V9] what the default branch revokes", () => {
  test("is known, as its labels are, before a first start answers anything, however long that takes", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0");
    await repository.commit({ ...versionFiles("1.0.0", { stable: "1.0.0" }), [POLICY]: revoking("reader") });
    const registry = await openTestRegistry(repository.path, { limits: { startMs: 0 } });
    expect(registry.revoked()).toEqual(roles("reader"));
    const [version] = (await registry.list({ limit: 1, offset: 0 })).versions;
    expect(version?.labels).toEqual(["stable"]);
  });

  test("counts as soon as its commit is fetched, without a tag, and what other branches and tags say does not", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0", { [POLICY]: revoking("once") });
    await repository.commit({ [POLICY]: "roles: { reader: [] }\n" });
    const registry = await openTestRegistry(repository.path);
    expect(registry.revoked()).toEqual(NOTHING_REVOKED);
    await repository.git("switch", "--quiet", "--create", "other");
    await repository.commit({ [POLICY]: revoking("reader") });
    await repository.git("switch", "--quiet", "main");
    await registry.refresh();
    expect(registry.revoked()).toEqual(NOTHING_REVOKED);
    await repository.commit({
      [POLICY]: `revoke:
  roles: [contractor]
  capabilities: ["tool:ledger_*"]
  hosts: [api.example.com, "*.example.net:8443"]
  commands:
    - program: bash
    - { program: git, arguments: [push] }
  secrets: [GITHUB]
`,
      "manifests/policies/more.yaml": revoking("guest"),
    });
    await registry.refresh();
    const revoked = {
      roles: ["contractor", "guest"],
      capabilities: ["tool:ledger_*"],
      hosts: ["api.example.com", "*.example.net:8443"],
      commands: [
        { program: "bash", arguments: [] },
        { program: "git", arguments: ["push"] },
      ],
      secrets: ["GITHUB"],
    };
    expect(registry.revoked()).toEqual(revoked);
    expect(registry.events.filter(({ kind }) => kind === "revoked")).toEqual([{ kind: "revoked", revoked }]);
    await repository.commit({ "manifests/policies/more.yaml": null, [POLICY]: "roles: { reader: [] }\n" });
    await registry.refresh();
    expect(registry.revoked()).toEqual(NOTHING_REVOKED);
  });

  test("stays revoked while the policies cannot be read, and what can be read of them counts besides", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0", { [POLICY]: revoking("contractor") });
    const registry = await openTestRegistry(repository.path);
    await repository.commit({ [POLICY]: "revoke: { roles: [contractor], hots: [x] }\n" });
    await registry.refresh();
    expect(registry.revoked()).toEqual(roles("contractor"));
    expect(registry.status().revokedProblems).toMatchObject([
      { file: POLICY, line: 1, column: 32, rule: "unknown-key", message: "`revoke.hots` is not allowed." },
    ]);
    await repository.commit({ "manifests/policies/more.yaml": revoking("guest") });
    await registry.refresh();
    expect(registry.revoked()).toEqual(roles("contractor", "guest"));
    // The next start comes to the same, and so does a service that was not there before.
    await registry.close();
    const again = await openTestRegistry(repository.path, { data: registry.data });
    const other = await openTestRegistry(repository.path);
    for (const one of [again, other]) expect(one.revoked()).toEqual(roles("contractor", "guest"));
    await repository.commit({ [POLICY]: null });
    await again.refresh();
    expect([again.revoked(), again.status().revokedProblems]).toEqual([roles("guest"), []]);
    expect(again.events.filter(({ kind }) => kind.startsWith("revoked")).map(({ kind }) => kind)).toEqual([
      "revoked",
      "revoked-in-doubt",
    ]);
  });

  test.each([
    ["a file that is no YAML", { [POLICY]: "revoke: [\n" }],
    ["a file under a name that is no policy's", { [POLICY]: null, "manifests/policies/access.yml": "roles: {}\n" }],
    ["a role that cannot be one", { [POLICY]: 'revoke: { roles: ["*"] }\n' }],
    ["nothing under `revoke`", { [POLICY]: "revoke: {}\n" }],
    ["an empty list", { [POLICY]: "revoke: { roles: [] }\n" }],
  ])("stays revoked through %s", async (_what, files) => {
    const repository = await createRepository();
    await repository.release("1.0.0", { [POLICY]: revoking("contractor") });
    const registry = await openTestRegistry(repository.path);
    await repository.commit(files);
    await registry.refresh();
    expect(registry.revoked()).toEqual(roles("contractor"));
    expect(registry.status().revokedProblems.length).toBeGreaterThan(0);
  });

  const EMPTY = { [POLICY]: null };
  const AGENT = agentFiles({ version: "1.0.0", tools: {} });
  const clear = (repository: TestRepository, path: string) => rm(join(repository.path, path), { recursive: true });
  const link = (path: string, target: string) => async (repository: TestRepository) => {
    await clear(repository, path);
    await symlink(target, join(repository.path, path));
  };
  const submodule = (path: string) => async (repository: TestRepository) => {
    await clear(repository, path);
    await repository.git("rm", "-rq", "--cached", path);
    await mkdir(join(repository.path, path));
    const head = await repository.git("rev-parse", "HEAD");
    await repository.git("update-index", "--add", "--cacheinfo", `160000,${head},${path}`);
  };
  const write = (files: Readonly<Record<string, string | null>>) => (repository: TestRepository) =>
    repository.commit(files);

  test.each([
    ["the folder is a symlink", link("manifests/policies", "../pol")],
    ["the folder is a submodule", submodule("manifests/policies")],
    [
      "the folder is a file",
      async (repository: TestRepository) => {
        await clear(repository, "manifests/policies");
        await repository.commit({ "manifests/policies": "revoke: {}\n" });
      },
    ],
    ["`manifests` is a symlink", link("manifests", "man")],
    ["`manifests` is a submodule", submodule("manifests")],
    ["the folder's name is in capitals", write({ ...EMPTY, "manifests/Policies/access.yaml": "roles: {}\n" })],
    ["the file lies in a folder of another name", write({ ...EMPTY, "manifests/policy/access.yaml": "roles: {}\n" })],
    ["the file lies beside its folder", write({ ...EMPTY, "manifests/access.yaml": "roles: {}\n" })],
    ["the tree has no agent", write({ ...EMPTY, "manifests/agent.yaml": null })],
    ["the tree has no versions.yaml", write({ ...EMPTY, "versions.yaml": null })],
    ["versions.yaml cannot be read", write({ ...EMPTY, "versions.yaml": "{" })],
    ["the agent cannot be read", write({ ...EMPTY, "manifests/agent.yaml": "{" })],
    [
      "a file of a server is a symlink",
      async (repository: TestRepository) => {
        await clear(repository, POLICY);
        await link("manifests/runner/server.yaml", "../../server.yaml")(repository);
      },
    ],
  ])("stays revoked, with a warning, where the policies are gone and %s", async (_what, change) => {
    const repository = await createRepository();
    await repository.release("1.0.0", { ...AGENT, [POLICY]: revoking("contractor") });
    const registry = await openTestRegistry(repository.path);
    await change(repository);
    await repository.commit({});
    // It makes no difference whether a service was there before, knew better before, or sees yet another commit.
    await registry.refresh();
    await repository.commit({ "README.md": "x" });
    await registry.refresh();
    const other = await openTestRegistry(repository.path);
    for (const one of [registry, other]) {
      expect(one.revoked()).toEqual(roles("contractor"));
      expect(one.status().revokedProblems).not.toEqual([]);
    }
    await clear(repository, "manifests");
    await repository.git("rm", "-rq", "--cached", "manifests");
    await repository.commit(AGENT);
    await registry.refresh();
    expect([registry.revoked(), registry.status().revokedProblems]).toEqual([NOTHING_REVOKED, []]);
  });

  test("is given back by a tree that can be read and has no policies, and nothing warns where nothing was revoked", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0", { ...AGENT, [POLICY]: revoking("contractor") });
    const registry = await openTestRegistry(repository.path);
    await repository.commit({ [POLICY]: null });
    await registry.refresh();
    await repository.commit({ "manifests/agent.yaml": "{" });
    await registry.refresh();
    const other = await openTestRegistry(repository.path);
    for (const one of [registry, other]) {
      expect([one.revoked(), one.status().revokedProblems]).toEqual([NOTHING_REVOKED, []]);
    }
  });

  test("stays revoked when the default branch is deleted, or has something broken elsewhere", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0", { [POLICY]: revoking("contractor") });
    const registry = await openTestRegistry(repository.path);
    await repository.commit({
      "manifests/broken.yaml": "x",
      "versions.yaml": "{",
      [POLICY]: revoking("contractor", "b"),
    });
    await registry.refresh();
    expect([registry.revoked(), registry.status().revokedProblems]).toEqual([roles("contractor", "b"), []]);
    await repository.git("branch", "one");
    await repository.git("branch", "two");
    await repository.git("switch", "--quiet", "--detach");
    await repository.git("branch", "-D", "main");
    await repository.git("symbolic-ref", "HEAD", "refs/heads/gone");
    await registry.refresh();
    expect(registry.revoked()).toEqual(roles("contractor", "b"));
    await registry.close();
    const again = await openTestRegistry(repository.path, { data: registry.data });
    expect(again.revoked()).toEqual(roles("contractor", "b"));
  });

  test("counts for a service that starts while the repository is away", async () => {
    const repository = await createRepository();
    await repository.release("1.0.0", versionFiles("1.0.0"));
    await repository.commit({ [POLICY]: revoking("contractor") });
    const registry = await openTestRegistry(repository.path);
    await registry.close();
    await repository.git("config", "core.repositoryformatversion", "99");
    const offline = await openTestRegistry(repository.path, { data: registry.data });
    expect(offline.status().failingSince).toBeDefined();
    expect(offline.revoked()).toEqual(roles("contractor"));
  });
});
