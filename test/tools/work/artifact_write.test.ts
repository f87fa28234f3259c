import { describe, expect, test } from "vitest";
import { createHash } from "node:crypto";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("artifact_write", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "artifact_write"));

  test("[W5] keeps it and says where", async () => {
    const { run_id } = await work.claimed();
    expect(await work.output("artifact_write", { run_id, name: "notes.md", content: "Hello." })).toMatchObject({
      run_id,
      artifact_name: "notes.md",
      artifact_path: `runs/${run_id}/artifacts/notes.md`,
      status: "written",
      digest: createHash("sha256").update("Hello.").digest("hex"),
    });
  });

  test("is refused to those who have not claimed the run", async () => {
    const { run_id } = await work.claimed();
    const write = { run_id, name: "notes.md", content: "Hello." };
    expect(await work.error("artifact_write", write, work.colleague)).toBe("FORBIDDEN");
    expect(await work.error("artifact_write", write, work.stranger)).toBe("NOT_FOUND");
  });
});
