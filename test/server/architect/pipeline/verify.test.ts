import { describe, expect, test } from "vitest";
import type { FeedbackRecord } from "../../../../server/architect/pipeline/feedback-record.ts";
import type { Built } from "../../../../server/architect/pipeline/run.ts";
import { verify } from "../../../../server/architect/pipeline/verify.ts";
import type { VerifyRequest } from "../../../../server/architect/pipeline/verify/create-verify.ts";
import {
  createCandidate,
  createRun,
  createWorld,
  FAILED,
  GREET,
  PASSED,
  type World,
} from "../../../helpers/pipeline-world.ts";

async function verifyIn(world: World, given: Partial<FeedbackRecord> = {}, from = world.first) {
  const { verification: _, diff: _diff, impact: _impact, values: _values, ...built } = await createCandidate(world);
  const run = await createRun(world, given);
  const planned = { plan: built.plan, from, head: from };
  const made = await verify(world.context, run, { step: "verify", planned, built: built satisfies Built });
  return { run, made };
}

describe("verifying", () => {
  test("keeps what was found as evidence of the run, frees the workspace, and has the gate judge next", async () => {
    const requests: VerifyRequest[] = [];
    const world = await createWorld({
      verify: async (request) => {
        requests.push(request);
        request.onCheck?.({ name: "types", status: "passed", message: "Fine.", durationMs: 1 });
        return PASSED;
      },
    });
    const { run, made } = await verifyIn(world);
    expect(made).toMatchObject({
      record: run.record,
      next: {
        step: "approve",
        candidate: {
          verification: PASSED,
          diff: `${GREET}\n`,
          semver: "1.0.1",
          before: "1.0.0",
          values: [{ place: "runner.greet", key: "description", before: "Greets somebody.", after: "Greets by name." }],
        },
      },
    });
    expect(requests).toMatchObject([{ changed: [GREET], tenant: "acme" }]);
    expect(world.said).toEqual(["verify: Verifies 1.0.1.", "verify: types: passed"]);
    expect([...run.book.texts.keys()].toSorted()).toEqual([
      "executor_report.json",
      "patch.diff",
      "patch_apply_report.json",
      "plan.json",
      "verifier_report.json",
    ]);
    expect(run.book.done.map(({ step }) => step)).toEqual(["plan", "execute", "verify"]);
    expect(world.workspaces.size).toBe(0);
  });

  test("rejects what does not hold, with the findings, and keeps those", async () => {
    const world = await createWorld();
    world.verification = FAILED;
    const { run, made } = await verifyIn(world, { moving: true });
    expect(made.next).toMatchObject({
      step: "end",
      answer: { result: "rejected", notes: expect.stringContaining("- examples: failed. It greets otherwise.") },
    });
    expect(JSON.parse(run.book.texts.get("verifier_report.json") ?? "")).toMatchObject({ status: "failed" });
  });

  test("keeps no diff of what has a credential", async () => {
    const world = await createWorld();
    world.verification = {
      ...FAILED,
      checks: [{ name: "secrets", status: "failed", message: "a.md:1:1: looks like a credential.", durationMs: 1 }],
    };
    const { run } = await verifyIn(world, { moving: true });
    expect(run.book.texts.has("verifier_report.json")).toBe(true);
    expect(run.book.texts.has("patch.diff")).toBe(false);
  });

  test("plans again what does not hold on a base that others have moved, where the address moves", async () => {
    const world = await createWorld();
    world.verification = FAILED;
    world.repository.push("main", { "docs/page.md": "Theirs.\n" });
    expect((await verifyIn(world, { moving: true })).made.next).toEqual({ step: "receive", anew: true });
    expect((await verifyIn(world, { moving: false })).made.next).toMatchObject({ step: "end" });
  });

  test("that is cut short keeps nothing", async () => {
    const world = await createWorld({ verify: () => Promise.reject(new Error("killed")) });
    const { verification: _, ...built } = await createCandidate(world);
    const run = await createRun(world);
    const planned = { plan: built.plan, from: world.first, head: world.first };
    await expect(verify(world.context, run, { step: "verify", planned, built })).rejects.toThrow("killed");
    expect([run.book.texts.size, run.book.done]).toEqual([0, []]);
  });
});
