import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("fs_read", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "fs_read"));

  test("[W4] shows a file of the commit that the run began with", async () => {
    const { run_id } = await work.claimed({ workflow: "change" });
    const { content } = await work.output("fs_read", { run_id, path: "versions.yaml" });
    expect(content).toContain("current: ");
  });

  test.each([
    ["/etc/passwd"],
    ["../versions.yaml"],
    ["a/../../b"],
    [".git/config"],
    [".GIT/config"],
    ["manifests\\\\agent.yaml"],
    ["manifests/./agent.yaml"],
  ])("[W4] refuses %s, and says so in the journal", async (path) => {
    const { run_id } = await work.claimed({ workflow: "change" });
    expect(await work.error("fs_read", { run_id, path })).toBe("BAD_REQUEST");
    const { events } = await work.output("run_events", { run_id });
    expect((events as object[]).at(-1)).toMatchObject({
      kind: "refused",
      error: "BAD_REQUEST",
      details: { syscall: "fs.read" },
    });
  });
});
