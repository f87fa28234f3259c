import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { createRepository, type TestRepository, versionFiles } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { openTestRegistry } from "../registry/open-test-registry.ts";

async function createKey(name: string): Promise<{ path: string; allowed: string }> {
  const path = join(await temporaryFolder(), name);
  await promisify(execFile)("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path]);
  return { path, allowed: `${name}@example.com ${await readFile(`${path}.pub`, "utf8")}` };
}

const sign = (repository: TestRepository, tag: string, key: string) =>
  repository.git("-c", "gpg.format=ssh", "-c", `user.signingkey=${key}`, "tag", "--sign", "--message", tag, tag);

async function setUp() {
  const repository = await createRepository();
  const [ada, eve] = await Promise.all([createKey("ada"), createKey("eve")]);
  const signers = join(await temporaryFolder(), "signers");
  await writeFile(signers, ada.allowed);
  await repository.commit(versionFiles("1.0.0"));
  await sign(repository, "v1.0.0", ada.path);
  return { repository, ada, eve, signers };
}

describe("tags that must be signed", () => {
  test("[V8] are served when a listed key has signed them, and quarantined otherwise, each with its reason", async () => {
    const { repository, ada, eve, signers } = await setUp();
    await repository.commit(versionFiles("1.1.0"));
    await repository.tag("v1.1.0");
    await repository.commit(versionFiles("1.2.0"));
    await repository.tag("v1.2.0", "HEAD", { annotated: true });
    await repository.commit(versionFiles("1.3.0"));
    await sign(repository, "v1.3.0", eve.path);
    await repository.commit(versionFiles("1.4.0"));
    await sign(repository, "v0.0.0-other", ada.path);
    await repository.git("update-ref", "refs/tags/v1.4.0", await repository.git("rev-parse", "v0.0.0-other"));
    await repository.git("update-ref", "-d", "refs/tags/v0.0.0-other");
    const registry = await openTestRegistry(repository.path, { signers });
    const { versions } = await registry.list({ limit: 10, offset: 0, includeUnstable: true });
    expect(versions.map(({ tag, state, problems }) => [tag, state, problems[0]?.message])).toEqual([
      ["v1.4.0", "quarantined", "The tag `v1.4.0` was signed under the name `v0.0.0-other`."],
      ["v1.3.0", "quarantined", "The tag `v1.3.0` is not signed by a key that this service trusts."],
      ["v1.2.0", "quarantined", "The tag `v1.2.0` is not signed by a key that this service trusts."],
      ["v1.1.0", "quarantined", "The tag `v1.1.0` is not annotated, so it carries no signature."],
      ["v1.0.0", "served", undefined],
    ]);
    expect((await registry.resolve("latest")).version.semver).toBe("1.0.0");
    await expect(registry.resolve("1.3.0")).rejects.toMatchObject({ name: "VERSION_QUARANTINED" });
  });

  test("are looked at when they come later, and all are served where no signature is asked for", async () => {
    const { repository, ada, eve, signers } = await setUp();
    const strict = await openTestRegistry(repository.path, { signers });
    const lax = await openTestRegistry(repository.path);
    await repository.commit(versionFiles("1.1.0"));
    await sign(repository, "v1.1.0", eve.path);
    await repository.commit(versionFiles("1.2.0"));
    await sign(repository, "v1.2.0", ada.path);
    await strict.refresh();
    await lax.refresh();
    await expect(strict.resolve("1.1.0")).rejects.toMatchObject({ name: "VERSION_QUARANTINED" });
    expect((await strict.resolve("1.2.0")).version.semver).toBe("1.2.0");
    expect((await lax.resolve("1.1.0")).version.semver).toBe("1.1.0");
  });

  test("are not taken on trust when the list of signers is missing", async () => {
    const { repository } = await setUp();
    await expect(openTestRegistry(repository.path, { signers: "/nowhere/signers" })).rejects.toThrow(
      "no allowed signers of tags at `/nowhere/signers`",
    );
  });
});
