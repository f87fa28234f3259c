import { cp } from "node:fs/promises";
import { join } from "node:path";
import { createRepository, type TestRepository } from "./repository.ts";

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
