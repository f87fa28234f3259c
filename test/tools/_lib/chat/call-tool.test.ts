import { describe, expect, test } from "vitest";
import { callTool, explainFailure } from "../../../../tools/_lib/chat/call-tool.ts";
import { createError, createFakeContext, type FakeTool } from "../../../helpers/fake-context.ts";

function contextWith(run: FakeTool["run"]) {
  const tool: FakeTool = {
    server: "a",
    name: "a.b",
    description: "",
    input: {},
    output: {},
    sideEffect: false,
    examples: [],
    run,
  };
  return createFakeContext({ tools: [tool] });
}

describe("callTool", () => {
  test("answers with the result and its summary", async () => {
    const reply = await callTool(
      contextWith(() => ({ summary: "It rains." })),
      "a.b",
      { x: 1 },
    );
    expect(reply).toEqual({
      text: "It rains.",
      kind: "answer",
      via: "pipeline",
      tool: "a.b",
      arguments: { x: 1 },
      result: { summary: "It rains." },
    });
  });

  test("leaves out a result that is too large to repeat, and says so", async () => {
    const reply = await callTool(
      contextWith(() => ({ summary: "Much.", data: "x".repeat(300_000) })),
      "a.b",
      {},
    );
    expect(reply.result).toBeUndefined();
    expect(reply.text).toBe("Much.\n(The full result is too large to repeat here.)");
  });

  test("tells of a failure as a reply, and logs it", async () => {
    const ctx = contextWith(() => {
      throw createError("NOT_FOUND", "No place is called `X`");
    });
    expect(await callTool(ctx, "a.b", {})).toMatchObject({
      kind: "failure",
      text: "a.b found nothing: No place is called `X`.",
    });
    expect(ctx.logged).toMatchObject([{ level: "info", message: "a.b failed: NOT_FOUND" }]);
  });

  test("survives a tool that throws what is no error", async () => {
    const ctx = contextWith(() => Promise.reject("boom"));
    expect(await callTool(ctx, "a.b", {})).toMatchObject({ kind: "failure", text: "a.b failed (Error): boom." });
  });
});

describe("explainFailure", () => {
  test.each([
    ["BAD_REQUEST", 'a.b cannot do that: Too big. Change it and I try again, or ask "help with a.b".'],
    ["NOT_FOUND", "a.b found nothing: Too big."],
    ["FORBIDDEN", "You may not use a.b for that: Too big. Someone who administers this agent can allow it."],
    ["UPSTREAM_TIMEOUT", 'a.b is not available at the moment: Too big. Say "again" in a while to repeat it.'],
    ["CONFLICT", 'a.b met another change: Too big. Say "again" to repeat it.'],
    ["OUTPUT_INVALID", "a.b failed (OUTPUT_INVALID): Too big."],
  ])("says what helps against %s", (name, text) => {
    expect(explainFailure("a.b", name, "Too big ")).toBe(text);
  });
});
