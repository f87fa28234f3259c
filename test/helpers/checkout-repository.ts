import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createRepository, type TestRepository } from "./repository.ts";
import { temporaryFolder } from "./temporary.ts";

const run = promisify(execFile);

/** A repository whose one commit is tagged `v0.1.0` and has what a version of this checkout is made of. */
export async function createCheckoutRepository(
  path: string,
): Promise<{ readonly repository: TestRepository; readonly commit: string }> {
  const repository = await createRepository(path);
  for (const part of ["manifests", "tools", "schemas", "versions.yaml"]) {
    await cp(part, join(path, part), { recursive: true });
  }
  const commit = await repository.commit({});
  await repository.tag("v0.1.0");
  return { repository, commit };
}

/** Clones this checkout as its files are now, after a `change` of them. Nothing is installed in the clone. */
export async function cloneCheckout(change: (folder: string) => Promise<unknown> = async () => {}): Promise<string> {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const [{ stdout: present }, { stdout: deleted }] = await Promise.all([
    run("git", list),
    run("git", ["ls-files", "-z", "--deleted"]),
  ]);
  const gone = new Set(deleted.split("\0"));
  const source = await createRepository();
  for (const file of present.split("\0")) {
    if (!gone.has(file)) await cp(file, join(source.path, file), { preserveTimestamps: true });
  }
  await change(source.path);
  await source.commit({});
  const clone = join(await temporaryFolder(), "cairn");
  await source.git("clone", "--quiet", source.path, clone);
  return clone;
}
