import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });
const PATCH = "--- a/docs/note.md\n+++ b/docs/note.md\n@@ -1 +1 @@\n-Hello.\n+Else.\n";

/** A run whose gate has let its change through. */
async function judged() {
  const about = await work.executed(work.patchOf("docs/note.md", "Hello."));
  for (const step of ["plan", "execute", "verify", "gate"]) {
    expect(await work.output("run_advance", { run_id: about.run_id })).toMatchObject({ state: "step", step });
  }
  return about;
}

describe("workflow_propose", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "workflow_propose"));

  test("says what is left to do by hand where nothing changes the repository", async () => {
    const { task_id, run_id } = await judged();
    expect(await work.output("run_advance", { run_id })).toMatchObject({
      state: "step",
      step: "propose",
      message: `It is not proposed: nothing here changes the repository. The change is \`patch.diff\` of this run: \`cairn work artifact ${task_id} ${run_id} patch.diff | git apply\` makes it in a checkout.`,
    });
    expect(await work.output("run_advance", { run_id })).toMatchObject({ state: "done" });
  });

  test("hands over what was verified, and nothing that came behind the gate", async () => {
    const { task_id, run_id } = await judged();
    const path = `docs/specs/${task_id}_SPEC.md`;
    for (const [tool, input] of [
      ["fs_write_file", { run_id, path, content: "Else." }],
      ["fs_apply_patch", { run_id, patch: PATCH }],
      ["workflow_verify", { task_id, run_id }],
    ] as const) {
      expect([tool, await work.error(tool, input)]).toEqual([tool, "CONFLICT"]);
    }
  });

  test("is the step of a workflow, and nothing that a worker may ask for before", async () => {
    const { task_id, run_id } = await work.executed(work.patchOf("docs/note.md", "Hello."));
    expect(await work.error("workflow_propose", { task_id, run_id })).toBe("CONFLICT");
    const other = await work.claimed({ workflow: "external" });
    const external = { task_id: other.task_id, run_id: other.run_id };
    expect(await work.error("workflow_propose", external)).toBe("CONFLICT");
  });
});
