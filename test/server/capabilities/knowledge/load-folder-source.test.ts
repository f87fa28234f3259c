import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createCodeGraph } from "../../../../server/capabilities/knowledge/create-code-graph.ts";
import { loadFolderSource } from "../../../../server/capabilities/knowledge/load-folder-source.ts";
import { loadTexts } from "../../../../server/capabilities/knowledge/load-texts.ts";
import { loadGit } from "../../../../server/versions/git/git.ts";
import { GOOD_TREE } from "../../../fixtures/trees/good-tree.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

const git = await loadGit({ environment: { PATH: process.env["PATH"] } });

describe("the files of a working folder", () => {
  test("are those that git tracks or would, as they are now", async () => {
    const { path, commit } = await createRepository();
    await commit({ "docs/a.md": "old\n", "gone.md": "gone\n", ".gitignore": "out\n" });
    await writeFile(join(path, "docs/a.md"), "new\n");
    await writeFile(join(path, "docs/b.md"), "more\n");
    await writeFile(join(path, "out"), "ignored\n");
    await rm(join(path, "gone.md"));
    const { texts, skipped } = await loadTexts(await loadFolderSource(path, git));
    expect([...texts]).toEqual([
      [".gitignore", "out\n"],
      ["docs/a.md", "new\n"],
      ["docs/b.md", "more\n"],
    ]);
    expect(skipped.map((one) => one.path)).toEqual(["gone.md"]);
  });

  test("never lie outside it, whatever links there are", async () => {
    const outside = await temporaryFolder();
    await writeFile(join(outside, "secret.md"), "secret\n");
    const { path, commit } = await createRepository();
    await commit({ "docs/secret.md": "harmless\n", "plain.md": "plain\n" });
    await rm(join(path, "docs"), { recursive: true });
    // Git's index still lists docs/secret.md.
    await symlink(outside, join(path, "docs"));
    await symlink(join(outside, "secret.md"), join(path, "link.md"));
    const { texts } = await loadTexts(await loadFolderSource(path, git));
    expect([...texts]).toEqual([["plain.md", "plain\n"]]);
  });

  test("make a graph of what is not committed yet", async () => {
    const { path, commit } = await createRepository();
    await commit(GOOD_TREE);
    await writeFile(join(path, "tools/_lib/unused.ts"), 'import "./units.ts";\n');
    await writeFile(join(path, "tools/runner/chat.ts"), 'import "../_lib/unused.ts";\nexport default () => ({});\n');
    const { texts } = await loadTexts(await loadFolderSource(path, git));
    expect(createCodeGraph(texts).impactOf(["tools/_lib/units.ts"]).sentence).toBe(
      "Changing `tools/_lib/units.ts` affects `runner.chat`, `runner.get_weather`, 2 handlers, 2 modules and 3 examples.",
    );
  });
});
