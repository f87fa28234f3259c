import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("git_status", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "git_status"));

  test("names what has changed", async () => {
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    expect((await work.output("git_status", { run_id }))["files"]).toEqual([]);
    await work.plan(task_id, run_id, ["docs/note.md"]);
    await work.output("fs_write_file", { run_id, path: "docs/note.md", content: "Hello.\n" });
    expect((await work.output("git_status", { run_id }))["files"]).toMatchObject([{ path: "docs/note.md" }]);
  });
});
