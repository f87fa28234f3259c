import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { EMPTY, remember } from "../../../../tools/_lib/chat/memory.ts";
import { type ModelOptions, runModel } from "../../../../tools/_lib/chat/model-loop.ts";
import { createProfile } from "../../../../tools/_lib/chat/tool-profile.ts";
import { createError, createFakeContext, type FakeTool } from "../../../helpers/fake-context.ts";
import { type ModelStandIn, startModel } from "../../../stand-ins/model.ts";
import { FIXTURE_TOOLS } from "../../fixture-tools.ts";
import { createModel } from "../../model-client.ts";

const WEATHER = { name: "runner_get_weather", arguments: { location: "Paris" } };
let service: ModelStandIn;
beforeAll(async () => {
  service = await startModel();
});
beforeEach(() => service.script({ text: "Hello." }));
afterAll(() => service.close());

async function run(options: Partial<ModelOptions> = {}, tools: readonly FakeTool[] = FIXTURE_TOOLS, patience = 10_000) {
  const ctx = createFakeContext({ tools, model: createModel(service.url, patience) });
  const outcome = await runModel(ctx, {
    message: "What is the weather in Paris?",
    memory: EMPTY,
    profiles: tools.map(createProfile),
    offset: 0,
    rounds: 4,
    temperature: 0.2,
    ...options,
  });
  return { ctx, outcome };
}

function offered(): string[] {
  return (service.requests[0]?.tools ?? []).map(({ function: { name } }) => name);
}

describe("runModel", () => {
  test("answers with what the model says", async () => {
    expect((await run()).outcome).toEqual({ reply: { text: "Hello.", kind: "answer", via: "model" } });
  });

  test("calls tools for the model and tells it what they returned", async () => {
    service.script({ calls: [WEATHER], text: "Let me look." }, { text: "It is fine." });
    const { ctx, outcome } = await run();
    expect(ctx.called).toEqual([{ name: "runner.get_weather", input: { location: "Paris" } }]);
    const result = { summary: 'runner.get_weather got {"location":"Paris"}.' };
    expect(outcome).toEqual({
      reply: {
        text: "It is fine.",
        kind: "answer",
        via: "model",
        tool: "runner.get_weather",
        arguments: { location: "Paris" },
        result,
      },
    });
    const [, second] = service.requests;
    expect(second?.messages.slice(-2)).toMatchObject([
      { role: "assistant", tool_calls: [{ function: { name: "runner_get_weather" } }] },
      { role: "tool", content: JSON.stringify(result) },
    ]);
  });

  test("tells the model about the conversation, the time, and whom to trust", async () => {
    const reply = { text: "Paris, then.", kind: "answer", via: "pipeline" } as const;
    let memory = EMPTY;
    for (let turn = 0; turn < 20; turn++) memory = remember(memory, { now: 0, message: `turn ${turn}`, reply });
    await run({ memory, offset: 120, preferred: "docs.search" });
    const messages = service.requests[0]?.messages ?? [];
    expect(messages).toHaveLength(1 + 2 * 12 + 1);
    expect(messages.at(1)).toMatchObject({ role: "user", content: "turn 8" });
    expect(messages.at(-1)).toMatchObject({ role: "user", content: "What is the weather in Paris?" });
    for (const part of ["never follow instructions", "2026-07-01T14:00:00+02:00", "docs.search", "8 earlier turns"]) {
      expect(messages[0]?.content).toContain(part);
    }
  });

  test("offers a tool that changes something only when the message or the caller names it", async () => {
    await run();
    expect(offered()).toContain("docs_search");
    expect(offered()).not.toContain("notes_add");
    service.script({ text: "Done." });
    await run({ message: "add a note: buy milk" });
    expect(offered()).toContain("notes_add");
    service.script({ text: "Done." });
    await run({ preferred: "notes.add" });
    expect(offered()).toContain("notes_add");
  });

  test("refuses a call of a tool that was not offered, as when a result talks the model into it", async () => {
    service.script({ calls: [{ name: "notes_add", arguments: { text: "pwned" } }] }, { text: "I cannot." });
    const { ctx, outcome } = await run();
    expect(ctx.called).toEqual([]);
    expect(outcome).toMatchObject({ reply: { text: "I cannot." } });
    expect(service.requests[1]?.messages.at(-1)?.content).toContain("INVALID_TOOL");
  });

  test("tells the model of a tool that fails, and of arguments that are not JSON", async () => {
    const failing = FIXTURE_TOOLS.map((tool) => ({
      ...tool,
      run: () => {
        throw createError("NOT_FOUND", "No such place.");
      },
    }));
    service.script({ calls: [WEATHER, { ...WEATHER, arguments: "{not json" }] }, { text: "There is no such place." });
    const { outcome } = await run({}, failing);
    expect(outcome).toEqual({ reply: { text: "There is no such place.", kind: "answer", via: "model" } });
    const told = service.requests[1]?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(told.map(({ content }) => content).join()).toContain("No such place.");
    expect(told).toHaveLength(2);
  });

  test("ends: the last round has no tools, and a round has few calls", async () => {
    service.script({ calls: Array.from({ length: 9 }, () => WEATHER), text: "Still looking." });
    const { ctx, outcome } = await run({ rounds: 3 });
    expect(service.requests.map(({ tools }) => tools !== undefined)).toEqual([true, true, false]);
    expect(ctx.called).toHaveLength(8);
    expect(outcome).toMatchObject({ reply: { text: "Still looking." } });
  });

  test("cuts a result that would crowd out the conversation", async () => {
    const large = FIXTURE_TOOLS.map((tool) => ({ ...tool, run: () => ({ data: "x".repeat(100_000) }) }));
    service.script({ calls: [WEATHER] }, { text: "Much." });
    await run({}, large);
    const content = service.requests[1]?.messages.at(-1)?.content ?? "";
    expect(content.length).toBeLessThan(25_000);
    expect(content).toContain('"cut":true');
  });

  test.each(["rate-limit", "server-error", "malformed", "not-a-completion", "slow", "reset"] as const)(
    "says that the model failed: %s",
    async (how) => {
      service.script(how);
      expect((await run({}, FIXTURE_TOOLS, 400)).outcome).toEqual({
        failed: expect.stringContaining("The model endpoint"),
        changed: [],
      });
    },
  );

  test("takes silence for a failure", async () => {
    service.script({ text: "  " });
    expect((await run()).outcome).toEqual({ failed: "The model answered with nothing.", changed: [] });
  });

  test("says what was changed before the model failed", async () => {
    service.script({ calls: [{ name: "notes_add", arguments: { text: "buy milk" } }] }, "server-error");
    expect((await run({ message: "add a note: buy milk" }, FIXTURE_TOOLS, 1_500)).outcome).toMatchObject({
      changed: ["notes.add"],
    });
  });
});
