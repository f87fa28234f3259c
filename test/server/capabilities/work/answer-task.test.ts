import { describe, expect, test } from "vitest";
import { answerTask } from "../../../../server/capabilities/work/answer-task.ts";
import { claimTask } from "../../../../server/capabilities/work/claim-task.ts";
import { createTask } from "../../../../server/capabilities/work/create-task.ts";
import { findTask } from "../../../../server/capabilities/work/desk.ts";
import { writeArtifact } from "../../../../server/capabilities/work/evidence.ts";
import { endStep } from "../../../../server/capabilities/work/steps.ts";
import { findChosen, toAsked } from "../../../../server/capabilities/work/task.ts";
import { expectSchema } from "../../../helpers/schemas.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { ADA, BOB, createWorkBench, EVE } from "../../../helpers/work-bench.ts";

const READINGS = [
  { id: "a", title: "The limit is 20." },
  { id: "b", title: "The default is 20." },
];

/** A task whose plan asks something, and which waits for a worker of its own. */
async function setUp(question: object | null = { text: "Which one?", readings: READINGS }) {
  const clock = { at: Date.UTC(2026, 0, 1) };
  const bench = createWorkBench(await openTestStore(() => clock.at), clock);
  const { task_id } = await bench.act(ADA, (desk) =>
    createTask(desk, { title: "More", objective: "Make it 20.", workflow: "change" }),
  );
  const claim = (withSteps: boolean) => bench.act(BOB, (desk) => claimTask(desk, { workerId: "w1", withSteps }));
  const planned = async () => {
    const runId = (await claim(true))?.run.run_id ?? "";
    const plan = {
      schema_version: 1,
      task_id,
      run_id: runId,
      timestamps: { created_at: "2026-01-01T00:00:00Z" },
      status: "planned",
      metrics: {},
      warnings: [],
      errors: [],
      objective: "More: Make it 20.",
      files: [],
      instructions: "Change it.",
      ...(question && { question }),
    };
    await bench.act(BOB, (desk) =>
      writeArtifact(desk, { runId, name: "plan.json", content: JSON.stringify(plan), tool: "artifact_write" }),
    );
    await bench.act(BOB, (desk) =>
      endStep(desk, { runId, step: "plan", status: "released", beganAt: desk.now, message: "It is not clear." }),
    );
  };
  await planned();
  const task = async () => (await bench.act(ADA, (desk) => findTask(desk, task_id))).record;
  const answer = (text: string, who = ADA) => bench.act(who, (desk) => answerTask(desk, task_id, text));
  return { task_id, task, claim, answer, planned };
}

describe("the question of a task", () => {
  test("stands in its record, and its answer has the service plan it anew", async () => {
    const { task_id, task, claim, answer } = await setUp();
    expect(await task()).toMatchObject({ status: "pending", question: { text: "Which one?", readings: READINGS } });
    expectSchema("task", await task());
    expect(await claim(true)).toBeUndefined();
    const answered = await answer(" Yes, b ");
    expect(answered).not.toHaveProperty("question");
    expect(answered).not.toHaveProperty("needs_worker");
    expect([findChosen(answered), toAsked(answered)]).toEqual(["The default is 20.", "Make it 20."]);
    expectSchema("task", await task());
    expect(await claim(true)).toMatchObject({ task: { task_id, attempts: 1 } });
  });

  test("may be answered in words, which belong to the objective, and again where it is asked again", async () => {
    const { answer, planned, task } = await setUp();
    await answer("The page size.");
    await planned();
    await answer("a");
    await planned();
    await answer("I mean 30.");
    expect([findChosen(await task()), toAsked(await task())]).toEqual([
      undefined,
      "Make it 20.\n\nThe page size.\n\nI mean 30.",
    ]);
  });

  test("is answered by the creator of the task alone, with what was offered, and while it waits", async () => {
    const { answer, claim } = await setUp();
    await expect(answer("b", BOB)).rejects.toMatchObject({ name: "FORBIDDEN" });
    await expect(answer("b", EVE)).rejects.toMatchObject({ name: "NOT_FOUND" });
    await expect(answer("c")).rejects.toMatchObject({ name: "BAD_REQUEST", message: "It offers `a`, `b`." });
    await claim(false);
    await expect(answer("b")).rejects.toMatchObject({ name: "CONFLICT" });
  });

  test("is none where the plan asks nothing", async () => {
    const { answer, task } = await setUp(null);
    expect(await task()).not.toHaveProperty("question");
    await expect(answer("b")).rejects.toMatchObject({ name: "CONFLICT" });
  });
});
