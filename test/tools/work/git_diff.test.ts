import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("git_diff", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "git_diff"));

  test("shows what has changed, new files included", async () => {
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    await work.plan(task_id, run_id, ["docs/note.md"]);
    await work.output("fs_write_file", { run_id, path: "docs/note.md", content: "Hello.\n" });
    expect((await work.output("git_diff", { run_id }))["diff"]).toContain("+++ b/docs/note.md");
  });
});
