import { describe, expect, test } from "vitest";
import { claimTask } from "../../../../server/capabilities/work/claim-task.ts";
import { createTask } from "../../../../server/capabilities/work/create-task.ts";
import { completeTask } from "../../../../server/capabilities/work/end-task.ts";
import { writeArtifact } from "../../../../server/capabilities/work/evidence.ts";
import { judgeRun, specPath } from "../../../../server/capabilities/work/gate.ts";
import { renewLease } from "../../../../server/capabilities/work/lease.ts";
import { beginStep, endStep } from "../../../../server/capabilities/work/steps.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { ADA, BOB, createWorkBench } from "../../../helpers/work-bench.ts";

const STEPS = ["plan", "verify", "gate"] as const;
/** Milliseconds of the lease of the bench's workflow. */
const LEASE_MS = 60_000;

/** Two workers, Ada's `w1` and Bob's `w2`, who both want the one task. */
async function setUp() {
  const clock = { at: Date.UTC(2026, 0, 1) };
  const bench = createWorkBench(await openTestStore(() => clock.at), clock);
  const { task_id } = await bench.act(ADA, (desk) =>
    createTask(desk, { title: "Tidy", objective: "Tidy.", workflow: "change" }),
  );
  const worker = (who: typeof ADA, workerId: string) => {
    const changed = ["README.md", specPath(task_id)];
    const write = (runId: string, name: string, more: object, tool = "work.any") => {
      const times = { created_at: "2026-01-01T00:00:00Z" };
      const common = {
        schema_version: 1,
        task_id,
        run_id: runId,
        timestamps: times,
        metrics: {},
        warnings: [],
        errors: [],
      };
      const content = name.endsWith(".json") ? JSON.stringify({ ...common, ...more }) : "--- a/README.md\n";
      return bench.act(who, (desk) => writeArtifact(desk, { runId, name, content, tool }));
    };
    const evidence: Readonly<Record<(typeof STEPS)[number], (runId: string) => Promise<unknown>>> = {
      plan: async (runId) => {
        await write(runId, "plan.json", {
          status: "planned",
          objective: "Tidy.",
          files: ["README.md"],
          instructions: "Do.",
        });
        await write(runId, "executor_report.json", { status: "completed" });
        await write(runId, "patch_apply_report.json", { status: "applied" });
      },
      verify: async (runId) => {
        await write(runId, "patch.diff", {});
        await write(runId, "verifier_report.json", { status: "passed" }, "step.verify");
      },
      gate: (runId) => bench.act(who, (desk) => judgeRun(desk, runId, changed)),
    };
    return {
      claim: async () => (await bench.act(who, (desk) => claimTask(desk, { workerId })))?.run.run_id,
      begin: (runId: string) => bench.act(who, (desk) => beginStep(desk, runId)),
      prove: (runId: string, step: (typeof STEPS)[number]) => evidence[step](runId),
      end: (runId: string, step: string) =>
        bench.act(who, (desk) => endStep(desk, { runId, step, status: "completed", beganAt: desk.now })),
      beat: (runId: string) => bench.act(who, (desk) => renewLease(desk, runId, workerId)),
      complete: (runId: string) =>
        bench.act(who, (desk) =>
          completeTask(desk, { taskId: task_id, runId, status: "completed", summary: "Done.", workerId }),
        ),
    };
  };
  return { bench, first: worker(ADA, "w1"), second: worker(BOB, "w2") };
}

describe("of two workers, one dies in a step", () => {
  const MOMENTS = STEPS.flatMap((step) => [
    [step, "when it has begun"] as const,
    [step, "when its evidence is written"] as const,
    [step, "when it has ended"] as const,
  ]);

  test.each(MOMENTS)(
    "[W6] [W7] `%s`, %s: the other one does the task once, and the dead one changes nothing more",
    async (last, moment) => {
      const { bench, first, second } = await setUp();
      const dead = (await first.claim()) ?? "";
      for (const step of STEPS.slice(0, STEPS.indexOf(last) + 1)) {
        expect((await first.begin(dead))?.step.name).toBe(step);
        if (step === last && moment.includes("begun")) break;
        await first.prove(dead, step);
        if (step === last && moment.includes("written")) break;
        await first.end(dead, step);
      }
      expect(await second.claim()).toBeUndefined();
      bench.at += LEASE_MS;
      const taken = (await second.claim()) ?? "";
      expect(taken).not.toBe(dead);
      for (const step of STEPS) {
        expect((await second.begin(taken))?.step.name).toBe(step);
        await second.prove(taken, step);
        await second.end(taken, step);
      }
      const late = [first.beat(dead), first.end(dead, last), first.prove(dead, "plan"), first.complete(dead)];
      for (const one of await Promise.allSettled(late)) {
        expect(one).toMatchObject({ status: "rejected", reason: { name: "CONFLICT" } });
      }
      expect(await second.complete(taken)).toMatchObject({
        task: { status: "completed", attempts: 2 },
        run: { run_id: taken },
      });
      expect(await first.claim()).toBeUndefined();
    },
  );
});
