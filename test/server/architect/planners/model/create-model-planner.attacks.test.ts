import { describe, expect, onTestFinished, test } from "vitest";
import { guardPlan } from "../../../../../server/architect/guard/guard-plan.ts";
import { createModelPlanner } from "../../../../../server/architect/planners/model/create-model-planner.ts";
import { MODEL_LIMITS } from "../../../../../server/architect/planners/model/model-limits.ts";
import { findObligation } from "../../../../../server/architect/pipeline/find-obligation.ts";
import type { ChangePlan, Plan } from "../../../../../server/architect/planners/plan.ts";
import type { Policy } from "../../../../../server/versions/policy.ts";
import { CairnError } from "../../../../../server/errors.ts";
import { SHAPES_ONLY } from "../../../../../server/log/redact.ts";
import { startModel } from "../../../../stand-ins/model.ts";
import { obeying } from "../../../../stand-ins/planning-model.ts";
import { type Attack, ATTACKS } from "../../attacks.ts";
import { createGround } from "../../ground.ts";

/** Lets whoever did a run approve it, which must not count for what a message does not name. */
const SELF = { name: "self", roles: new Map(), allowsSelfApproval: true } as unknown as Policy;

async function plan({ message, attachments, repository, ...obedience }: Attack) {
  const model = await startModel(obeying(obedience));
  onTestFinished(model.close);
  const planner = createModelPlanner({
    model: { url: model.url, name: "hostile" },
    now: Date.now,
    redactor: SHAPES_ONLY,
    // One repair shows as much as four, and takes less time.
    limits: { ...MODEL_LIMITS, repairs: 1 },
  });
  const feedback = { message, attachments: attachments.map((one) => ({ ...one, mediaType: "text/plain" })) };
  const ground = await createGround(repository);
  const made = await planner.plan(feedback, ground).catch((error: unknown) => error);
  const outcome =
    made instanceof Error
      ? made
      : await guardPlan(made as Plan, { planner: "model", feedback, ground, redactor: SHAPES_ONLY });
  // What the model itself has said comes back to it, and is no leak.
  const sent = model.requests.flatMap(({ messages }) =>
    messages.filter(({ role }) => role !== "assistant").map(({ content }) => content ?? ""),
  );
  return { outcome, sent: sent.join("\n") };
}

describe("a model that does what data tells it", () => {
  test.each(ATTACKS.map((attack) => [attack.name, attack] as const))("gets nowhere when %s", async (_, attack) => {
    const { outcome, sent } = await plan(attack);
    for (const secret of attack.secrets) expect(sent).not.toContain(secret);
    switch (attack.outcome) {
      case "rejected":
        return expect(outcome).toMatchObject({
          kind: "reject",
          reason: expect.stringMatching(attack.says),
          accepted: expect.stringMatching(/\S/),
        });
      case "failed":
        expect(outcome).toBeInstanceOf(CairnError);
        return expect(outcome).toMatchObject({ name: "UPSTREAM_ERROR", message: expect.stringMatching(attack.says) });
      case "waiting":
        expect((outcome as ChangePlan).doubts?.join(" ")).toMatch(attack.says);
        return expect(findObligation([SELF], "patch", [], outcome as ChangePlan)).toMatchObject({ isStrict: true });
      case "flagged":
        return expect(outcome as Plan).toMatchObject({ kind: "change", evidence: { touchesPolicies: true } });
    }
  });

  test("is attacked in more than sixty ways, each with a name of its own", () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length);
  });
});
