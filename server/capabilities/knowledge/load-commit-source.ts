import type { Git } from "../../versions/git/git.ts";
import type { ObjectReader } from "../../versions/git/object-reader.ts";
import type { FileSource } from "./load-texts.ts";

/** All files of a commit, also those that a version is not made of: docs, tests, whatever the repository holds. */
export async function loadCommitSource(
  commit: string,
  repository: { readonly git: Git; readonly gitDir: string; readonly reader: ObjectReader },
): Promise<FileSource> {
  const { git, gitDir, reader } = repository;
  const listed = await git.run([`--git-dir=${gitDir}`, "ls-tree", "-r", "-z", "--full-tree", commit]);
  // Symbolic links (mode 120000) and submodules (160000) are no text.
  const files = [...listed.matchAll(/(?:^|\0)100\d{3} blob ([0-9a-f]+)\t([^\0]*)/g)];
  const ids = new Map(files.map(([, oid = "", path = ""]) => [path, oid]));
  return {
    paths: [...ids.keys()],
    read: async (path, maxBytes) => {
      const oid = ids.get(path);
      return oid === undefined ? undefined : reader.read(oid, maxBytes);
    },
  };
}
