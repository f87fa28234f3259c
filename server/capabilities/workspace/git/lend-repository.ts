import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInPlace } from "../../../versions/git/create-in-place.ts";
import type { WorkspaceFolder } from "../workspace-folder.ts";
import { createOwnRepository, type WorkspaceGit } from "./workspace-git.ts";

/**
 * Lends commands a repository that has one commit, without those before it, and an index of it. The local copy has the work of
 * others, too, which no command may see. Returns its folder, made when it is first asked for.
 */
export async function lendRepository(options: {
  readonly git: WorkspaceGit;
  readonly folder: WorkspaceFolder;
  readonly commit: string;
  readonly objectFormat: string;
}): Promise<string> {
  const { git, folder, commit, objectFormat } = options;
  const { lent } = folder;
  if ((await stat(lent).catch(() => undefined)) !== undefined) return lent;
  await createInPlace(lent, async (path) => {
    await createOwnRepository({ path, objectFormat });
    const index = join(path, "index");
    const input = await git.run(["rev-list", "--objects", "--no-walk", commit], { index });
    await mkdir(join(path, "objects", "pack"));
    await git.run(["pack-objects", "--quiet", join(path, "objects", "pack", "pack")], { index, input });
    await git.run(["read-tree", commit], { index });
    await writeFile(join(path, "shallow"), `${commit}\n`);
    await writeFile(join(path, "HEAD"), `${commit}\n`);
  });
  return lent;
}
