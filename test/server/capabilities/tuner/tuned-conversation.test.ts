import { describe, expect, test } from "vitest";
import { ERRORS } from "../../../../server/errors.ts";
import { tunedKey, tuningLog } from "../../../../server/store/keys.ts";
import { toCredit } from "../../../../server/capabilities/tuner/tuned-conversation.ts";

const COMMIT = "c".repeat(40);
const writesOf = (outcome: string) =>
  toCredit({
    actor: "ada",
    assignments: { style: { arm: "kind", propensities: { dry: 0.5, kind: 0.5 }, seq: 3 } },
    commit: COMMIT,
    conversationId: "c1",
    outcome,
    startedAt: 5,
    tenant: "t",
    version: "1.0.0",
  });

describe("the first call of a conversation", () => {
  test("counts for what it was given, and can be rewarded", () => {
    expect(writesOf("ok")).toMatchObject({
      set: [{ key: tunedKey("t", "c1"), value: { outcome: "ok", assignments: { style: { arm: "kind" } } } }],
      append: [
        {
          log: tuningLog("t", COMMIT, "style"),
          entry: { kind: "assigned", conversation: "c1", arm: "kind", at: 5 },
        },
      ],
    });
  });

  test("that failed by a fault of the version's counts against what it was given, with its probability", () => {
    const own = [
      "INTERNAL_ERROR",
      "HANDLER_ERROR",
      "OUTPUT_INVALID",
      "RESULT_TOO_LARGE",
      "TIME_LIMIT",
      "CPU_LIMIT",
      "MEMORY_LIMIT",
    ];
    for (const outcome of own) {
      expect(writesOf(outcome).append.map(({ entry }) => entry)).toEqual([
        { kind: "failed", conversation: "c1", arm: "kind", propensities: { dry: 0.5, kind: 0.5 }, at: 5 },
      ]);
    }
  });

  test("that failed because somebody else's service did, or by its caller's fault, counts for nothing", () => {
    const callers = Object.entries(ERRORS).flatMap(([name, { status }]) => (status < 500 ? [name] : []));
    for (const outcome of ["UPSTREAM_ERROR", "UPSTREAM_TIMEOUT", "UNAVAILABLE", ...callers]) {
      expect([outcome, writesOf(outcome)]).toEqual([outcome, { set: [], append: [] }]);
    }
  });
});
