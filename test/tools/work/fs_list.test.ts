import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("fs_list", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "fs_list"));

  test("names what stands in a folder", async () => {
    const { run_id } = await work.claimed({ workflow: "change" });
    expect(await work.output("fs_list", { run_id, path: "manifests/workflows" })).toMatchObject({
      entries: ["change.yaml", "external.yaml"],
    });
    expect((await work.output("fs_list", { run_id }))["entries"]).toContain("manifests/");
  });
});
