import { describe, expect, test } from "vitest";
import { askPlanners } from "../../../../server/architect/pipeline/ask-planners.ts";
import type { Feedback, Plan, RejectPlan } from "../../../../server/architect/planners/plan.ts";
import type { Ground, Planner } from "../../../../server/architect/planners/planner.ts";
import { CairnError } from "../../../../server/errors.ts";
import { createGround } from "../ground.ts";

const ground: Ground = await createGround();
const FEEDBACK: Feedback = { message: "Say Hi.", attachments: [] };
const plan = (title: string): Plan => ({ kind: "change", title, changes: [title], files: new Map() });
const reject = (reason: string, more: Partial<RejectPlan> = {}): RejectPlan => ({
  kind: "reject",
  reason,
  accepted: `Not ${reason.toLowerCase()}`,
  ...more,
});
const READINGS = [{ id: "a", title: "It says Hi." }] as const;
const ORDER = ["directives", "evidence", "model", "worker", "wishes"] as const;

type Answers = Partial<Record<Planner["name"], Plan | Error>>;

/** Asks planners that answer like this; who is not named here is not configured, but for workers, of which there are none. */
async function ask(answers: Answers, feedback: Feedback = FEEDBACK) {
  const told: string[] = [];
  const hints: (string | undefined)[] = [];
  const planners = ORDER.filter((name) => name !== "model" || answers.model !== undefined).map((name): Planner => ({
    name,
    plan: async ({ hint }) => {
      if (name === "model") hints.push(hint);
      const answer = answers[name];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  }));
  const made = await askPlanners(planners, feedback, ground, (name) => told.push(name));
  return { made, told, hints };
}

describe("the order of planners", () => {
  test("without a model: a clear reading, else evidence, else a worker, else a question", async () => {
    expect((await ask({})).told).toEqual(["directives", "evidence", "worker", "wishes"]);
    expect((await ask({ wishes: reject("Which?") })).made).toEqual({ plan: reject("Which?"), planner: "wishes" });
    expect((await ask({ worker: plan("W"), wishes: reject("Which?") })).made).toEqual({
      plan: plan("W"),
      planner: "worker",
    });
    expect((await ask({})).made).toBeUndefined();
  });

  test("without a model, the refusal of a sentence is the answer, to the letter", async () => {
    const { made, told } = await ask({ directives: reject("Too high."), worker: plan("W"), wishes: plan("Q") });
    expect(made).toEqual({ plan: reject("Too high."), planner: "directives" });
    expect(told).toEqual(["directives"]);
  });

  test("with a model, a clear reading and evidence come first, and a refusal for want of evidence is final", async () => {
    const model = plan("M");
    expect((await ask({ directives: plan("D"), model })).told).toEqual(["directives"]);
    expect((await ask({ evidence: plan("E"), model })).made?.planner).toBe("evidence");
    expect((await ask({ evidence: reject("Too little."), model })).made?.plan).toEqual(reject("Too little."));
  });

  test("with a model, a refusal is a hint, and so is a question", async () => {
    const refused = await ask({ directives: reject("Too high."), model: plan("M") });
    expect(refused).toEqual({
      made: { plan: plan("M"), planner: "model" },
      told: ["directives", "model"],
      hints: ["Too high. Not too high."],
    });
    const asked = await ask({ wishes: reject("Which?", { readings: READINGS }), model: plan("M") });
    expect(asked.hints).toEqual(["Which? Not which?"]);
    expect((await ask({ model: plan("M") })).hints).toEqual([undefined]);
  });

  test("where the model has no plan either, the refusal stays, and so do the readings that may be chosen from", async () => {
    const { made } = await ask({ directives: reject("Too high.", { readings: READINGS }), model: reject("Unclear.") });
    expect(made).toEqual({
      planner: "model",
      plan: reject("Too high. Unclear.", { accepted: "Not too high. Not unclear.", readings: READINGS }),
    });
    const asked = await ask({ wishes: reject("Which?", { readings: READINGS }), model: reject("Unclear.") });
    expect(asked.made?.plan).toEqual(
      reject("Unclear. Which?", { accepted: "Not unclear. Not which?", readings: READINGS }),
    );
    const other = await ask({ wishes: reject("Which?"), model: reject("Unclear.") });
    expect(other.made?.plan).toEqual(reject("Unclear."));
  });

  test("where the model cannot be reached, the refusal of a sentence is the answer, and a failure otherwise", async () => {
    const model = new CairnError("UPSTREAM_TIMEOUT", "It did not answer.");
    expect((await ask({ directives: reject("Too high."), model })).made?.plan).toEqual(reject("Too high."));
    await expect(ask({ wishes: reject("Which?"), model })).rejects.toBe(model);
    const failure = new Error("broken");
    await expect(ask({ directives: reject("Too high."), model: failure })).rejects.toBe(failure);
  });

  test("a worker is asked where the model has given up, and not where it refuses", async () => {
    const gaveUp = reject("No plan.", { isGivenUp: true });
    expect((await ask({ model: gaveUp, worker: plan("W") })).made).toEqual({ plan: plan("W"), planner: "worker" });
    expect((await ask({ model: gaveUp })).made).toEqual({ plan: gaveUp, planner: "model" });
    expect((await ask({ model: reject("No."), worker: plan("W") })).made?.planner).toBe("model");
    const refused = await ask({ directives: reject("Too high."), model: gaveUp, worker: plan("W") });
    expect(refused.made?.planner).toBe("worker");
  });

  test("the answer to a question is for the planner that asked", async () => {
    const { made, told } = await ask({ model: plan("M"), wishes: plan("A") }, { ...FEEDBACK, choice: "It says Hi." });
    expect([made?.plan, told]).toEqual([plan("A"), ["wishes"]]);
  });
});
