import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { agentFiles, type AgentTool } from "../../../helpers/agent.ts";
import { runCairn, runInProcess, startCairn } from "../../../helpers/cairn.ts";
import { createRepository, openRepository, type TestRepository } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

const GREET: AgentTool = {
  handler: "export default ({ name }) => ({ text: `Hello, ${name}!` });\n",
  manifest: `deterministic: true
input: { type: object, properties: { name: { type: string } } }
output: { type: object, properties: { text: { type: string } } }
examples:
  - { input: { name: Ada }, output: { text: "Hello, Ada!" } }`,
};
const BROKEN: AgentTool = { ...GREET, handler: "export default () => ({ text: 'Hi' });\n" };

/** A clone on `main`, with a remote that takes pushes. */
async function setUp(tools: Readonly<Record<string, AgentTool>> = { greet: GREET }) {
  const bare = await temporaryFolder();
  await openRepository(bare).git("init", "--quiet", "--bare", "--initial-branch=main");
  const repository = await createRepository();
  for (const [name, value] of [
    ["user.name", "Ada"],
    ["user.email", "ada@example.com"],
  ] as const) {
    await repository.git("config", name, value);
  }
  await repository.git("remote", "add", "origin", bare);
  const head = await repository.commit(agentFiles({ version: "1.0.0", tools }));
  await repository.git("push", "--quiet", "origin", "main");
  return { repository, remote: openRepository(bare), head };
}

const release = (repository: TestRepository, ...args: string[]) => runRelease(runInProcess, repository, args);
const runRelease = (run: typeof runCairn, { path }: TestRepository, args: readonly string[]) =>
  run(["release", ...args], {
    cwd: path,
    environment: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  });

describe("cairn release", { timeout: 120_000 }, () => {
  test("tags what was checked, pushes the tag and prints release notes", async () => {
    const { repository, remote, head } = await setUp();
    const { code, stdout, stderr } = await runRelease(runCairn, repository, ["--push"]);
    expect([code, stdout], stderr).toEqual([0, "v1.0.0\n\n- Changes of 1.0.0.\n"]);
    expect(await remote.git("cat-file", "-t", "v1.0.0")).toBe("tag");
    expect(await remote.git("rev-parse", "v1.0.0^{commit}")).toBe(head);
    expect(await remote.git("tag", "--list", "--format=%(contents)")).toBe("v1.0.0\n\n- Changes of 1.0.0.");

    const again = await release(repository, "--push");
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining("`v1.0.0` is there already: this very commit"),
    ]);
    expect((await release(repository, "--if-new")).code).toBe(0);
    await repository.commit({ "README.md": "More." });
    const later = await release(repository);
    expect([later.code, later.stderr]).toEqual([
      1,
      expect.stringContaining(`\`v1.0.0\` is served already, as ${head}. A tag never moves`),
    ]);
  });

  test("pushes the branch too where the remote's is behind, and says how to push where it does not", async () => {
    const { repository, remote, head } = await setUp();
    const local = await release(repository);
    expect(local.stderr).toContain("this publishes it: git push --atomic origin main v1.0.0\n");
    await repository.git("tag", "--delete", "v1.0.0");
    const commit = await repository.commit({ "README.md": "More." });
    expect(await release(repository, "--push")).toMatchObject({ code: 0 });
    expect(await remote.git("rev-parse", "main", "v1.0.0^{commit}")).toBe(`${commit}\n${commit}`);
    expect(commit).not.toBe(head);
  });

  test("pushes the tag alone where the remote's branch is further, and refuses where that has other commits", async () => {
    const { repository, remote, head } = await setUp();
    const newer = await repository.commit({ "README.md": "Of somebody else." });
    await repository.git("push", "--quiet", "origin", "main");
    await repository.git("reset", "--quiet", "--hard", head);
    expect(await release(repository, "--push")).toMatchObject({ code: 0 });
    expect(await remote.git("rev-parse", "main", "v1.0.0^{commit}")).toBe(`${newer}\n${head}`);
    await repository.commit(agentFiles({ version: "1.0.1", parent: "1.0.0", tools: { greet: GREET } }));
    const refused = await release(repository, "--push");
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("has commits that are not here: `git pull --rebase --tags origin main` first"),
    ]);
    expect(await repository.git("tag")).toBe("v1.0.0");
  });

  test("changes nothing in a dry run", async () => {
    const { repository } = await setUp();
    const { code, stdout, stderr } = await release(repository, "--dry-run", "--push");
    expect([code, stdout]).toEqual([0, "v1.0.0\n\n- Changes of 1.0.0.\n"]);
    expect(stderr).toContain("Every check has passed");
    expect(await repository.git("tag")).toBe("");
  });

  test.each([
    ["an example that fails", { "tools/runner/greet.ts": BROKEN.handler }, 'expected "Hello, Ada!", got "Hi"'],
    ["a manifest that is wrong", { "manifests/runner/greet.yaml": "name: x\n" }, "manifests/runner/greet.yaml:1"],
  ])("refuses %s", async (_what, files, reason) => {
    const { repository } = await setUp();
    await repository.commit(files);
    const { code, stderr } = await release(repository);
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect(await repository.git("tag")).toBe("");
  });

  test("refuses another branch, a work tree that is not as committed, and a tag that was moved", async () => {
    const { repository, remote } = await setUp();
    await repository.git("switch", "--quiet", "--create", "side");
    expect((await release(repository)).stderr).toContain("`side` is checked out, and releases are made of `main`");
    await repository.git("switch", "--quiet", "main");
    await writeFile(join(repository.path, "notes.txt"), "draft");
    expect((await release(repository)).stderr).toContain("(1 files, first `notes.txt`)");
    await repository.commit({});
    await repository.git("tag", "v0.9.0", "HEAD");
    await remote.git("tag", "v0.9.0", "main");
    expect((await release(repository)).stderr).toContain("A tag that was moved is not to be trusted");
    expect(await repository.git("tag")).toBe("v0.9.0");
  });

  test("takes its tag back when the remote does not take it", async () => {
    const { repository, remote } = await setUp();
    await writeFile(join(remote.path, "hooks", "pre-receive"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    expect((await release(repository, "--push")).code).toBe(1);
    expect(await repository.git("tag")).toBe("");
  });

  test("signs the tag where git has a key", async () => {
    const { repository } = await setUp();
    const folder = await temporaryFolder();
    const key = join(folder, "key");
    await promisify(execFile)("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f", key]);
    const signers = join(folder, "signers");
    await writeFile(signers, `ada@example.com ${await readFile(`${key}.pub`, "utf8")}`);
    await repository.git("config", "gpg.format", "ssh");
    await repository.git("config", "user.signingkey", key);
    const { code, stderr } = await release(repository);
    expect([code, stderr]).toEqual([0, expect.stringContaining("is v1.0.0, signed")]);
    await repository.git("-c", `gpg.ssh.allowedSignersFile=${signers}`, "verify-tag", "v1.0.0");
  });

  test("commits the audit's checkpoints, keeps what the tests said, and refuses a log that does not go on", async () => {
    const { repository, remote } = await setUp();
    const data = join(await temporaryFolder(), "data");
    const serve = async (folder: string, version: string) => {
      await repository.tag(`v${version}+seed`);
      const service = await startCairn(["serve", repository.path, "--data", folder]);
      const dev = await repository.git("rev-parse", "HEAD");
      const call = await fetch(`${service.url}/agent/${dev}/api/tools/runner.greet`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"name":"Ada"}',
      });
      expect(call.status).toBe(200);
      await service.stop();
      await repository.git("tag", "--delete", `v${version}+seed`);
    };
    await serve(data, "1.0.0");
    const { code, stderr } = await release(repository, "--push", "--data", data);
    expect(code, stderr).toBe(0);
    const anchored = await remote.git("show", "v1.0.0:audit-anchor.txt");
    expect(anchored).toMatch(/^cairn\/[0-9a-f]+\/(?:local|@service|%40service)\n\d+\n/);
    expect(await remote.git("rev-parse", "main")).toBe(await remote.git("rev-parse", "v1.0.0^{commit}"));
    expect(await repository.git("status", "--porcelain")).toBe("");
    expect(await repository.git("diff", "--stat", "v1.0.0~", "v1.0.0")).toContain("1 file changed");

    const other = join(await temporaryFolder(), "data");
    await repository.commit({ "versions.yaml": agentFiles({ version: "1.0.1", tools: {} })["versions.yaml"] ?? "" });
    await serve(other, "1.0.1");
    const refused = await release(repository, "--data", other);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/has no checkpoint signed with/)]);
    expect(await repository.git("tag")).toBe("v1.0.0");
  });
});
