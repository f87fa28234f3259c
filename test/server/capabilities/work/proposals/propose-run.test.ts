import { describe, expect, test } from "vitest";
import { claimTask } from "../../../../../server/capabilities/work/claim-task.ts";
import { createTask } from "../../../../../server/capabilities/work/create-task.ts";
import { findRun, findTask, saveRun, type WorkDesk } from "../../../../../server/capabilities/work/desk.ts";
import { cancelTask } from "../../../../../server/capabilities/work/end-task.ts";
import { putArtifact } from "../../../../../server/capabilities/work/evidence.ts";
import { followProposal } from "../../../../../server/capabilities/work/proposals/follow-proposal.ts";
import { type Landing, proposeRun } from "../../../../../server/capabilities/work/proposals/propose-run.ts";
import { keepRequester } from "../../../../../server/capabilities/work/proposals/requester.ts";
import type { Principal } from "../../../../../server/principal.ts";
import { openTestStore } from "../../../../helpers/store.ts";
import { ADA, BOB, createWorkBench } from "../../../../helpers/work-bench.ts";

const MAY = { capabilities: new Set(["architect:chat"]), scopes: new Set(["*"]), roles: ["critic"] };
const toPrincipal = (who: typeof ADA, more: Partial<Principal> = {}): Principal => ({ ...who, ...MAY, ...more });
const HANDED = ["handed"];

async function open() {
  const clock = { at: Date.UTC(2026, 0, 1) };
  const bench = createWorkBench(await openTestStore(() => clock.at), clock, { proposes: true });

  const landing: Landing = {
    handOver: async (desk, { task }) => {
      const { task_id } = await createTask(desk, { title: task.title, objective: "x", workflow: "change" });
      desk.set([...HANDED, task.task_id, task_id], true);

      return task_id;
    },
  };
  const listHanded = async () => (await Array.fromAsync(bench.store.scan({ prefix: HANDED }))).length;

  /** A run of `bob` whose gate has let its change through, of a task of `ada`. */
  async function judged(principal = toPrincipal(ADA)) {
    const task = await bench.act(ADA, async (desk) => {
      const made = await createTask(desk, { title: "Hello", objective: "Say hello.", workflow: "change" });
      keepRequester(desk, made.task_id, principal);
      return made;
    });
    const runId = await bench.act(BOB, async (desk) => (await claimTask(desk, { workerId: "w" }))?.run.run_id ?? "");
    await bench.act(BOB, (desk) => write(desk, runId, PASSED));
    return { taskId: task.task_id, runId };
  }

  const request = (runId: string, more: Partial<Principal> = {}) => ({
    runId,
    tool: "step.propose",
    principal: toPrincipal(BOB, more),
  });
  const propose = (runId: string, more?: Partial<Principal>) =>
    bench.act(BOB, (desk) => proposeRun(desk, request(runId, more), landing));
  return { bench, clock, judged, propose, request, landing, listHanded };
}

const PASSED = {
  "patch.diff": "+Hello!\n",
  "verifier_report.json": '{"status":"passed"}',
  "gate_report.json": '{"status":"passed"}',
};

async function write(desk: WorkDesk, runId: string, texts: Readonly<Record<string, string>>): Promise<void> {
  const { tenant, record } = await findRun(desk, runId);
  let run = record;
  for (const [name, text] of Object.entries(texts)) run = putArtifact(desk, tenant, run, name, text);
  saveRun(desk, tenant, run);
}

describe("handing a run over", () => {
  test("happens once: from then on nobody holds the run", async () => {
    const { bench, judged, propose, listHanded } = await open();
    const { taskId, runId } = await judged();
    expect(await propose(runId)).toMatchObject({ status: "proposed" });
    await expect(propose(runId)).rejects.toThrow("is blocked");
    expect(await listHanded()).toBe(1);
    const { record: run } = await bench.act(BOB, (desk) => findRun(desk, runId));
    expect(run).toMatchObject({ status: "blocked", proposal: { state: "verifying", run_id: null } });
    expect((await bench.act(BOB, (desk) => findTask(desk, taskId))).record.status).toBe("blocked");
    await bench.act(ADA, (desk) => cancelTask(desk, taskId, "No."));
    const { feedback } = run.proposal ?? {};
    expect((await bench.act(ADA, (desk) => findTask(desk, feedback ?? ""))).record.status).toBe("cancelled");
  });

  test("hands nothing over whose lease was lost, or that was cancelled, even in the same moment", async () => {
    const { bench, clock, judged, propose, request, landing, listHanded } = await open();
    const lost = await judged();
    clock.at += 61_000;
    await bench.act(ADA, (desk) => claimTask(desk, { workerId: "another" }));
    await expect(propose(lost.runId)).rejects.toThrow("it is lost");
    const cancelled = await judged();
    await expect(
      bench.act(BOB, async (desk) => {
        const handed = await proposeRun(desk, request(cancelled.runId), landing);
        await bench.act(ADA, (other) => cancelTask(other, cancelled.taskId, "No."));
        return handed;
      }),
    ).rejects.toThrow("has changed");
    expect(await listHanded()).toBe(0);
  });

  test.each([
    ["the worker may not", {}, { capabilities: new Set<string>() }, "`bob`, who does it"],
    ["the worker has a token of one server", {}, { scopes: new Set(["work"]) }, "`bob`, who does it"],
    ["the worker's right is revoked", {}, { isRevoked: () => true }, "`bob`, who does it"],
    ["who asked may not", { capabilities: new Set<string>() }, {}, "`ada`, who has created this task"],
    ["who asked had no credentials for it", { scopes: new Set(["work"]) }, {}, "`ada`, who has created this task"],
  ])("leaves it to people where %s", async (_, asking, working, reason) => {
    const { judged, propose, listHanded } = await open();
    const { runId } = await judged(toPrincipal(ADA, asking));
    expect(await propose(runId, working)).toMatchObject({
      status: "by_hand",
      message: expect.stringContaining(reason),
    });
    expect(await listHanded()).toBe(0);
  });

  test("refuses what was approved or judged as something else", async () => {
    const { bench, clock, judged, propose } = await open();
    for (const judgement of ["approval.json", "gate_report.json"]) {
      const { runId } = await judged();
      await bench.act(BOB, (desk) => write(desk, runId, { [judgement]: '{"status":"passed"}' }));
      clock.at += 1;
      await bench.act(BOB, (desk) => write(desk, runId, { "patch.diff": "+Hidden!\n" }));
      await expect(propose(runId)).rejects.toThrow(`is newer than \`${judgement}\``);
    }
  });
});

describe("what comes of a proposal", () => {
  const NOW = { state: "refused", run_id: null, reason: "Red." } as const;
  const settled = { summary: "Red.", hasLanded: false, isMendable: true };

  test("goes back to the workers as often as the workflow allows", async () => {
    const { bench, judged, propose, clock } = await open();
    const { taskId, runId: first } = await judged();
    let runId = first;
    for (const status of ["pending", "pending", "dead"]) {
      await propose(runId);
      await bench.act(ADA, async (desk) => {
        const { record: run } = await findRun(desk, runId);
        await followProposal(desk, runId, { ...NOW, feedback: run.proposal?.feedback ?? null }, settled);
      });
      const { record: task } = await bench.act(ADA, (desk) => findTask(desk, taskId));
      expect([task.status, task.result_summary]).toEqual([status, "Red."]);
      if (status === "dead") break;
      clock.at += 1000;
      // What was handed over is a task as well, of another queue in earnest.
      const claim = (desk: WorkDesk) => claimTask(desk, { workerId: "w" });
      let claimed = await bench.act(BOB, claim);
      while (claimed !== undefined && claimed.task.task_id !== taskId) claimed = await bench.act(BOB, claim);
      runId = claimed?.run.run_id ?? "";
      await bench.act(BOB, (desk) => write(desk, runId, PASSED));
    }
  });

  test("changes nothing of a run that somebody has ended, but for what is known of its proposal", async () => {
    const { bench, judged, propose } = await open();
    const { taskId, runId } = await judged();
    await propose(runId);
    await bench.act(ADA, (desk) => cancelTask(desk, taskId, "No."));
    await bench.act(ADA, async (desk) => {
      const { record: run } = await findRun(desk, runId);
      await followProposal(desk, runId, { ...NOW, feedback: run.proposal?.feedback ?? null }, settled);
    });
    const { record: run } = await bench.act(ADA, (desk) => findRun(desk, runId));
    expect(run).toMatchObject({ status: "cancelled", result_summary: "No.", proposal: { state: "refused" } });
  });
});
