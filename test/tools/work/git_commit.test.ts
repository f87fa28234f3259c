import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("git_commit", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "git_commit"));

  test("[W4] commits the allowed files, and refuses when others have changed", async () => {
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    await work.plan(task_id, run_id, ["docs/a.md", "docs/b.md"]);
    for (const name of ["a", "b"]) {
      await work.output("fs_write_file", { run_id, path: `docs/${name}.md`, content: "Hello.\n" });
    }
    const commit = { run_id, message: "Say hello" };
    expect(await work.error("git_commit", { ...commit, allowed_files: ["docs/a.md"] })).toBe("FORBIDDEN");
    const done = await work.output("git_commit", { ...commit, allowed_files: ["docs/a.md", "docs/b.md"] });
    expect(done["commit"]).toMatch(/^[0-9a-f]{40}$/);
  });
});
