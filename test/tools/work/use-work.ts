import { expect } from "vitest";
import type { Principal } from "../../../server/principal.ts";
import { type Changes, type InvokedCheckout, useInvokedCheckout } from "../invoke-checkout.ts";

type Output = Readonly<Record<string, unknown>>;

export interface Work {
  readonly checkout: InvokedCheckout;
  /** The output of a call that has to succeed. */
  output(tool: string, input: object, who?: Principal): Promise<Output>;
  /** The name of the error of a call that has to fail. */
  error(tool: string, input: object, who?: Principal): Promise<string>;
  created(more?: object, who?: Principal): Promise<{ readonly task_id: string }>;
  /** A task that the worker `w1` has claimed, and its run. No other waits meanwhile. */
  claimed(
    more?: object,
  ): Promise<{ readonly task_id: string; readonly run_id: string; readonly lease_expires_at: string }>;
  /** The same, planned and executed. */
  executed(objective: string): Promise<{ readonly task_id: string; readonly run_id: string }>;
  /** Writes `executor_report.json`. */
  report(taskId: string, runId: string): Promise<string>;
  /** Writes `plan.json`. */
  plan(taskId: string, runId: string, files: readonly string[]): Promise<string>;
  /** An objective with a diff that makes a file of these lines. */
  patchOf(path: string, text: string): string;
  /** Somebody of the same tenant, of another, and of one of their own. */
  readonly colleague: Principal;
  readonly stranger: Principal;
  person(tenant: string): Principal;
  hasSandbox(): boolean;
}

const ALL = new Set(["*"]);

/** This checkout's `work` server for the tests of one file; with `workspaces` there is a repository to make them from. */
export function useWork(
  options: {
    readonly workspaces?: boolean;
    readonly commands?: boolean;
    readonly changes?: Changes;
  } = {},
): Work {
  const { workspaces: repository = false, ...rest } = options;
  const checkout = useInvokedCheckout({ repository, ...rest });
  const common = (task_id: string, run_id: string, status: string) => ({
    schema_version: 1,
    task_id,
    run_id,
    timestamps: { created_at: new Date().toISOString() },
    status,
    metrics: {},
    warnings: [],
    errors: [],
  });
  const work: Work = {
    checkout,
    output: async (tool, input, who) => (await checkout.output(tool, input, who)) as Output,
    async error(tool, input, who) {
      const result = await checkout.call(tool, input, who);
      expect(result.ok).toBe(false);
      return result.ok ? "" : result.error.name;
    },
    async created(more = {}, who) {
      const asked = { title: "Tidy up", objective: "Remove what nobody uses.", ...more };
      return (await work.output("task_create", asked, who)) as { task_id: string };
    },
    async claimed(more = {}) {
      const { task_id } = await work.created(more);
      const claimed = await work.output("task_claim", { worker_id: "w1" });
      expect(claimed["task_id"]).toBe(task_id);
      return claimed as { task_id: string; run_id: string; lease_expires_at: string };
    },
    async executed(objective) {
      const { task_id, run_id } = await work.claimed({ workflow: "change", objective });
      for (const step of ["workflow_plan", "workflow_execute"]) {
        expect(await work.output(step, { task_id, run_id })).toMatchObject({ status: "completed" });
      }
      return { task_id, run_id };
    },
    async report(taskId, runId) {
      const content = JSON.stringify(common(taskId, runId, "completed"));
      await work.output("artifact_write", { run_id: runId, name: "executor_report.json", content });
      return content;
    },
    async plan(taskId, runId, files) {
      const plan = { ...common(taskId, runId, "planned"), objective: "Tidy up.", files, instructions: "Tidy up." };
      const content = JSON.stringify(plan);
      await work.output("artifact_write", { run_id: runId, name: "plan.json", content });
      return content;
    },
    patchOf(path, text) {
      const lines = text.split("\n");
      const hunk = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
      return `Please.\n\`\`\`diff\ndiff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n${hunk}\`\`\`\n`;
    },
    colleague: { tenant: "local", actor: "colleague", capabilities: ALL },
    stranger: { tenant: "elsewhere", actor: "stranger", capabilities: ALL },
    person: (tenant) => ({ tenant, actor: "somebody", capabilities: ALL }),
    hasSandbox: () => checkout.hasSandbox(),
  };
  return work;
}
