import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadCommitSource } from "../../../../server/capabilities/knowledge/load-commit-source.ts";
import { loadTexts } from "../../../../server/capabilities/knowledge/load-texts.ts";
import { loadGit } from "../../../../server/versions/git/git.ts";
import { openObjectReader } from "../../../../server/versions/git/object-reader.ts";
import { createRepository } from "../../../helpers/repository.ts";

const git = await loadGit({ environment: { PATH: process.env["PATH"] } });

describe("the files of a commit", () => {
  test("are all of it, whatever the checkout looks like, without links", async () => {
    const { path, commit } = await createRepository();
    await symlink("a.md", join(path, "link.md"));
    const first = await commit({ "docs/a.md": "old\n", "versions.yaml": "current: 1.0.0\n" });
    await commit({ "docs/a.md": "new\n" });
    const gitDir = join(path, ".git");
    const reader = openObjectReader(git, gitDir);
    try {
      const { texts } = await loadTexts(await loadCommitSource(first, { git, gitDir, reader }));
      expect([...texts]).toEqual([
        ["docs/a.md", "old\n"],
        ["versions.yaml", "current: 1.0.0\n"],
      ]);
    } finally {
      reader.close();
    }
  });
});
