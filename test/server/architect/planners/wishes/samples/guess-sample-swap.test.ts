import { beforeAll, describe, expect, test } from "vitest";
import type { Plan } from "../../../../../../server/architect/planners/plan.ts";
import type { Ground } from "../../../../../../server/architect/planners/planner.ts";
import { createSentencePlanner } from "../../../../../../server/architect/planners/wishes/create-sentence-planner.ts";
import { createGround, readCheckout } from "../../../../../helpers/plan-ground.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await createGround(await readCheckout());
});

function planOf(message: string): Promise<Plan | undefined> {
  return createSentencePlanner().plan({ message, attachments: [] }, ground);
}

describe("[A9] values in examples that there are", () => {
  test.each([
    [
      "In the third example of decide_evaluate, the alternative should be ride instead of walk",
      "`input.alternatives.0.name` in the example 3 of `decide_evaluate` is `ride`.",
    ],
    [
      'In the examples of pref_fit, the caption "A fit needs something to fit." should be "Without pairs there is nothing to fit."',
      "`description` in the example 2 of `tuner.pref_fit` is `Without pairs there is nothing to fit.`.",
    ],
  ])("are given others by what they are now: %s", async (message, change) => {
    const plan = await planOf(message);
    expect(plan?.kind === "change" ? plan.changes : plan).toEqual([change]);
  });

  test("take no example away where nothing says so", async () => {
    expect((await planOf("The third example of pref_fit is odd, call it whatever"))?.kind).not.toBe("change");
  });
});
