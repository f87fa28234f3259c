import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("fs_write_file", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "fs_write_file"));

  test("[W10] writes nothing before there is a plan, and nothing that it does not name", async () => {
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    const write = (path: string) => ({ run_id, path, content: "Hello.\n" });
    expect(await work.error("fs_write_file", write("docs/note.md"))).toBe("CONFLICT");
    await work.plan(task_id, run_id, ["docs/note.md"]);
    expect(await work.output("fs_write_file", write("docs/note.md"))).toMatchObject({ path: "docs/note.md", bytes: 7 });
    expect(await work.output("fs_read", { run_id, path: "docs/note.md" })).toMatchObject({ content: "Hello.\n" });
    expect(await work.error("fs_write_file", write("docs/other.md"))).toBe("FORBIDDEN");
  });

  test("is refused to those whose lease it is not", async () => {
    const { task_id, run_id } = await work.claimed({ workflow: "change" });
    await work.plan(task_id, run_id, ["docs/note.md"]);
    const write = { run_id, path: "docs/note.md", content: "Hello.\n" };
    expect(await work.error("fs_write_file", write, work.colleague)).toBe("FORBIDDEN");
    expect(await work.error("fs_write_file", write, work.stranger)).toBe("NOT_FOUND");
  });
});
