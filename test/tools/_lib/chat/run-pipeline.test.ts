import { describe, expect, test } from "vitest";
import type { FakeTool } from "../../../helpers/fake-context.ts";
import { converse } from "../../converse.ts";
import { FIXTURE_TOOLS } from "../../fixture-tools.ts";

/** The tools of a place whose clocks are two hours ahead of UTC. */
const ABROAD: readonly FakeTool[] = FIXTURE_TOOLS.map((tool) => ({
  ...tool,
  run: () => ({ summary: "Done.", at: "2026-07-01T14:00:00+02:00" }),
}));

describe("runPipeline", () => {
  test("calls again when the result shows that other clocks were meant", async () => {
    const { ctx, say } = converse({ tools: ABROAD });
    await say("weather in Oslo tomorrow at 3pm");
    expect(ctx.called.map(({ input }) => input)).toEqual([
      { location: "Oslo", when: "2026-07-02T15:00:00Z" },
      { location: "Oslo", when: "2026-07-02T15:00:00+02:00" },
    ]);
  });

  test.each(["weather in Oslo", "weather in Oslo in 3 hours", "weather in Oslo at 2026-07-02T15:00:00Z"])(
    "calls once when no clocks are meant: %s",
    async (message) => {
      const { ctx, say } = converse({ tools: ABROAD });
      await say(message);
      expect(ctx.called).toHaveLength(1);
    },
  );

  test("never calls a tool again that changes something", async () => {
    const { ctx, say } = converse({ tools: ABROAD });
    expect(await say("create a ticket: printer on fire, due tomorrow")).toMatchObject({ kind: "answer" });
    const shifting = ABROAD.map((tool) =>
      tool.name === "calendar.list_events" ? { ...tool, sideEffect: true } : tool,
    );
    const other = converse({ tools: shifting });
    await other.say("list events from tomorrow at 3pm");
    expect([ctx.called.length, other.ctx.called.length]).toEqual([1, 1]);
  });
});
