import { describe, expect, test } from "vitest";
import { judgeTuning } from "../../../../../server/architect/planners/model/judge-tuning.ts";
import type { SubmittedAdjustment } from "../../../../../server/architect/planners/model/read-submission.ts";
import { createGround } from "../../ground.ts";

const { version } = await createGround();
const judge = (adjustment: SubmittedAdjustment) => judgeTuning([adjustment], version);

describe("judgeTuning", () => {
  test.each<SubmittedAdjustment>([
    { kind: "promote", experiment: "tone" },
    { kind: "promote", experiment: "tone", arm: "warm" },
    { kind: "promote", experiment: "tone", values: { warmth: "warm", length: 5 } },
    { kind: "revert", experiment: "tone" },
    { kind: "reset", experiment: "tone" },
  ])("takes %j of an experiment of the version", (adjustment) => {
    expect(judge(adjustment)).toEqual({ kind: "tune", adjustments: [adjustment] });
  });

  test.each<[SubmittedAdjustment, RegExp]>([
    [{ kind: "revert", experiment: "payments" }, /not there/],
    [{ kind: "revert", experiment: "__proto__" }, /not there/],
    [{ kind: "reset", experiment: "tone", arm: "warm" }, /Only `promote`/],
    [{ kind: "promote", experiment: "tone", arm: "hot" }, /no such arm/],
    [{ kind: "promote", experiment: "tone", arm: "warm", values: { length: 2 } }, /not both/],
    [{ kind: "promote", experiment: "tone", values: { warmth: "hot" } }, /cannot be this value/],
    [{ kind: "promote", experiment: "tone", values: { length: 0 } }, /cannot be this value/],
    [{ kind: "promote", experiment: "tone", values: { length: 6 } }, /cannot be this value/],
    [{ kind: "promote", experiment: "tone", values: { length: 1.5 } }, /cannot be this value/],
    [{ kind: "promote", experiment: "tone", values: { length: "2" } }, /cannot be this value/],
    [{ kind: "promote", experiment: "tone", values: { colour: 2 } }, /no such parameter/],
  ])("refuses %j", (adjustment, reason) => {
    expect(judge(adjustment)).toMatchObject({
      kind: "reject",
      reason: expect.stringMatching(reason),
      accepted: "Experiments of this version are `tone`.",
    });
  });
});
