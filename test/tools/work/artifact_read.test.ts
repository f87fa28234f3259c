import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork();

describe("artifact_read", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "artifact_read"));

  test("[W5] gives a report as what it says and as it was written", async () => {
    const { task_id, run_id } = await work.claimed();
    const raw = await work.report(task_id, run_id);
    const read = { task_id, run_id, artifact_name: "executor_report.json" };
    expect(await work.output("artifact_read", read)).toMatchObject({ content: JSON.parse(raw), raw });
  });

  test("[W5] says in `error` what is not there", async () => {
    const { task_id, run_id } = await work.claimed();
    const read = await work.output("artifact_read", { task_id, run_id, artifact_name: "plan.json" });
    expect(read["error"]).toBe(`Run \`${run_id}\` has no \`plan.json\`; it has none yet.`);
    expect(read).not.toHaveProperty("content");
  });

  test("[W3] gives the journal, line by line", async () => {
    const { task_id, run_id } = await work.claimed();
    const { raw } = await work.output("artifact_read", { task_id, run_id, artifact_name: "journal/events.jsonl" });
    const lines = String(raw).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ seq: 0, kind: "run.began", run_id, task_id }]);
  });

  test("does not take a run for another task's", async () => {
    const { run_id } = await work.claimed();
    const { task_id } = await work.created();
    expect(await work.output("artifact_read", { task_id, run_id, artifact_name: "plan.json" })).toMatchObject({
      error: expect.stringContaining("is not of task"),
    });
  });
});
