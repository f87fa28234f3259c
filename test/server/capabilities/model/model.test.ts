import { describe, expect, onTestFinished, test } from "vitest";
import { createModelSyscalls } from "../../../../server/capabilities/model/model.ts";
import { createRunningCall } from "../../../helpers/running-call.ts";
import { type ScriptedReply, startModel } from "../../../stand-ins/model.ts";

async function setUp(...replies: ScriptedReply[]) {
  const model = await startModel(...replies);
  onTestFinished(model.close);
  const table = createModelSyscalls({ url: model.url, name: "small", key: { value: "secret" } }, Date.now);
  const call = createRunningCall({ tool: { name: "t", server: "s" } });
  return { model, generate: async (args: object) => table["model.generate"]?.run(call, args) };
}

const ask = { messages: [{ role: "user", text: "hello" }] };
const TOOL = {
  name: "runner.get_weather",
  description: "Weather.",
  input: { type: "object", properties: { location: { type: "string" } } },
};

describe("ctx.model.generate", () => {
  test("answers with the model's words and what they cost", async () => {
    const { model, generate } = await setUp({ text: "Hi!" });
    const system = { role: "system", text: "Be brief." };
    const reply = await generate({ messages: [system, ...ask.messages], temperature: 0.5, maxTokens: 99 });
    expect(reply).toEqual({
      text: "Hi!",
      toolCalls: [],
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    });
    expect(model.requests).toMatchObject([
      {
        model: "small",
        temperature: 0.5,
        max_tokens: 99,
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "hello" },
        ],
      },
    ]);
  });

  test("offers tools under names that models take, and gives their own names back", async () => {
    const { model, generate } = await setUp(
      { calls: [{ name: "runner_get_weather_2", arguments: { location: "Paris" } }] },
      { text: "Sunny." },
    );
    const tools = [{ ...TOOL, name: "runner/get_weather" }, TOOL];
    const reply = (await generate({ ...ask, tools })) as { toolCalls: { id: string }[] };
    expect(model.requests[0]?.tools?.map((tool) => tool.function.name)).toEqual([
      "runner_get_weather",
      "runner_get_weather_2",
    ]);
    expect(reply.toolCalls).toEqual([
      { id: expect.any(String), name: "runner.get_weather", input: { location: "Paris" } },
    ]);

    const [{ id } = { id: "" }] = reply.toolCalls;
    const result = { role: "tool", id, name: "runner.get_weather", output: { summary: "sunny" } };
    expect(
      await generate({
        messages: [...ask.messages, { role: "assistant", toolCalls: reply.toolCalls }, result],
        tools: [TOOL],
      }),
    ).toMatchObject({ text: "Sunny." });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", tool_call_id: id });
  });

  test.each<[ScriptedReply, string, number | undefined]>([
    ["server-error", "UPSTREAM_ERROR", undefined],
    ["malformed", "UPSTREAM_ERROR", undefined],
    ["not-a-completion", "UPSTREAM_ERROR", undefined],
    ["slow", "UPSTREAM_TIMEOUT", 100],
  ])("turns %s into %s", async (reply, name, timeout) => {
    const { generate } = await setUp(reply);
    await expect(generate({ ...ask, ...(timeout === undefined ? {} : { timeout }) })).rejects.toMatchObject({ name });
  });

  test("is UNAVAILABLE without an endpoint", async () => {
    const table = createModelSyscalls(undefined, Date.now);
    const run = async () => table["model.generate"]?.run(createRunningCall({ tool: { name: "t", server: "s" } }), ask);
    await expect(run()).rejects.toMatchObject({ name: "UNAVAILABLE" });
  });

  test.each([{}, { messages: [] }, { messages: [{ role: "robot", text: "x" }] }, { ...ask, maxTokens: 1e9 }])(
    "refuses the arguments %j",
    async (args) => {
      const { generate } = await setUp({ text: "x" });
      await expect(generate(args)).rejects.toMatchObject({ name: "BAD_REQUEST" });
    },
  );
});
