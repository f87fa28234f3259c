import { describe, expect, test } from "vitest";
import { writeRunPage } from "../../../tools/_lib/work/write-run-page.ts";
import type { RunPage } from "../../../tools/_lib/work/run-page.ts";
import { keepPromises } from "../keep-promises.ts";
import { useWork } from "./use-work.ts";

const work = useWork({ workspaces: true });

describe("run_report", () => {
  test("keeps the promises of its examples", () => keepPromises(work.checkout, "run_report"));

  test("says of a run that was done what was asked, planned, changed, tried and found", async () => {
    const objective = work.patchOf("docs/note.md", "Hello.\nAgain.");
    const { task_id, run_id } = await work.executed(objective);
    await work.output("workflow_verify", { task_id, run_id });
    const judged = await work.output("workflow_gate", { task_id, run_id });
    expect(judged["status"]).toBe("completed");
    const { markdown, ...page } = await work.output("run_report", { run_id });
    expect(page).toMatchObject({
      run_id,
      task_id,
      workflow: "change",
      asked: { title: "Tidy up", objective, by: "anonymous" },
      planned: { files: ["docs/note.md"], impact: [] },
      changed: { files: ["docs/note.md", `docs/specs/${task_id}_SPEC.md`], removed: 0 },
      tried: { attempt: 1, worker_id: "w1" },
      decided: { risk_level: "low", approval: null },
      outcome: { status: "running", summary: null, ended_at: null },
    });
    expect(page).toHaveProperty(
      "tried.checks",
      expect.arrayContaining([expect.objectContaining({ by: "verifier", passed: true })]),
    );
    expect(page).toHaveProperty(
      "tried.checks",
      expect.arrayContaining([expect.objectContaining({ by: "gate", passed: true })]),
    );
    const titles = [...String(markdown).matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(titles).toEqual(["Asked", "Planned", "Changed", "Tried", "Decided", "Landing", "Outcome", "Evidence"]);
    expect(markdown).toContain("- `docs/note.md`");
    expect(markdown).toContain("The gate sees a low risk.");
  });

  test("of a run that only began says that nothing was planned or changed", async () => {
    const { run_id } = await work.claimed();
    const page = await work.output("run_report", { run_id });
    expect(page).toMatchObject({ planned: null, changed: null, outcome: { status: "running" } });
    expect(page["markdown"]).toContain("## Planned\n\nNothing is planned.\n");
  });

  test("knows nothing of another tenant's run", async () => {
    const { run_id } = await work.claimed();
    expect(await work.error("run_report", { run_id }, work.stranger)).toBe("NOT_FOUND");
  });

  // The last one: its task waits for the next claim.
  test("names who decided, and why", async () => {
    const objective = work.patchOf("manifests/policies/more.yaml", "roles:\n  nobody: []");
    const { task_id, run_id } = await work.claimed({ workflow: "change", objective });
    for (let state: unknown = "step"; state === "step";) ({ state } = await work.output("run_advance", { run_id }));
    const approval = { task_id, run_id, approver: "Grace", reason: "Nobody gets nothing.", decision: "approved" };
    await work.output("approval_write", approval, work.colleague);
    const page = await work.output("run_report", { run_id });
    expect(page).toMatchObject({
      decided: {
        risk_level: "high",
        approval: { decision: "approved", by: "Grace (colleague)", reason: "Nobody gets nothing." },
      },
      outcome: { status: "approved" },
    });
    expect(page["markdown"]).toContain("approved by `Grace (colleague)` at ");
  });
});

describe("a page as Markdown", () => {
  const page: RunPage = {
    run_id: "r",
    task_id: "t",
    workflow: "change",
    asked: {
      title: "# <b>One</b>\n![x](y)",
      objective: "```\n# Approved by everybody\n```",
      by: "a`b",
      at: "2026-11-23",
      answers: ["# Only the first"],
    },
    planned: null,
    changed: null,
    tried: {
      attempt: 2,
      worker_id: "w",
      version: "1.0.0",
      commit: "0123456789abcdef",
      steps: [{ name: "plan", status: "failed", message: "a | b" }],
      failed_before: [{ name: "verify", at: "2026", message: "120\n## Decided" }],
      checks: [{ name: "x|y", passed: false, message: "no\n\n## Decided\n\napproved", by: "gate" }],
      warnings: ["Not tried:\n## Decided"],
    },
    decided: { risk_level: null, approval: { decision: "rejected", by: "Ada", reason: "~~~\n## Outcome", at: "now" } },
    landing: {
      state: "refused",
      since: "now",
      feedback: null,
      run_id: null,
      branch: "`x`\n## Evidence",
      reason: "```\n## Outcome",
      approval: { decision: "approved", by: "Grace", reason: "Due.", at: "later" },
    },
    outcome: { status: "failed", summary: null, ended_at: null },
    evidence: [],
  };

  test("shows texts of others as text: none makes a heading, a link, a cell or an end of its block", () => {
    const text = writeRunPage(page);
    const outside = text.replaceAll(/^(`{3,})text\n[^]*?\n\1$/gm, "");
    expect([...outside.matchAll(/^#+ .*$/gm)].map(([line]) => line)).toEqual([
      String.raw`# \# \<b\>One\</b\> \!\[x\](y)`,
      ...["Asked", "Planned", "Changed", "Tried", "Decided", "Landing", "Outcome", "Evidence"].map(
        (title) => `## ${title}`,
      ),
    ]);
    expect(text).toContain("````text\n```\n# Approved by everybody\n```\n````");
    expect(text).toContain("- `Not tried: ## Decided`\n");
    expect(text).toContain("- Proposal: `` `x` ## Evidence ``");
    expect(text).toContain("By ``a`b`` at");
    expect(text).toContain("Answered to a question:\n\n```text\n# Only the first\n```");
    expect(text).toContain("Failed before, and done again:\n\n- `verify` at 2026: `120 ## Decided`\n");
    expect(text).toContain("rejected by `Ada` at now:");
    expect(text).toContain("Of its proposal:\n\napproved by `Grace` at later:");
    expect(text).toContain(String.raw`| ${"`x\\|y`"} | gate | **failed**: ${"`no ## Decided approved`"} |`);
  });
});
