import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import chat from "../../../tools/runner/chat.ts";
import type { Reply } from "../../../tools/_lib/chat/reply.ts";
import { createFakeContext, type FakeOptions, NOW } from "../../helpers/fake-context.ts";
import { type ModelStandIn, startModel } from "../../stand-ins/model.ts";
import { type OpenMeteo, startOpenMeteo } from "../../stand-ins/open-meteo.ts";
import { converse } from "../converse.ts";
import { FIXTURE_TOOLS } from "../fixture-tools.ts";
import { createModel } from "../model-client.ts";
import { createWeatherTool } from "../own-tools.ts";
import { useCheckout } from "../serve-checkout.ts";

const checkout = useCheckout();
let meteo: OpenMeteo;
let model: ModelStandIn;
beforeAll(async () => {
  [meteo, model] = await Promise.all([startOpenMeteo(() => NOW), startModel()]);
});
beforeEach(() => meteo.misbehave(undefined));
afterAll(() => Promise.all([meteo.close(), model.close()]));

function createContext(options: FakeOptions = {}) {
  return createFakeContext({ tools: [createWeatherTool(checkout.version(), meteo.url)], ...options });
}

/** The manifest's tool, in an isolate. */
async function say(message: string, ctx = createContext(), metadata?: object): Promise<Reply> {
  const input = { message, ...(metadata ? { metadata } : {}) };
  const { reply } = (await checkout.call("runner.chat", input, ctx)) as { reply: Reply };
  return reply;
}

describe("runner.chat", () => {
  test("[R3] has its schemas to the letter", () => {
    const tool = checkout.version().tools.get("runner.chat");
    expect(tool?.session).toBe("stateful");
    expect(tool?.input).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://specs/runner.chat.input.json",
      type: "object",
      required: ["message"],
      properties: {
        conversation_id: { type: "string", description: "Server-provided identifier; reuse to continue the session." },
        message: { type: "string", description: "User input for this turn." },
        metadata: { type: "object", description: "Optional per-turn metadata (tool prefs, routing hints)." },
      },
      additionalProperties: false,
    });
    expect(tool?.output).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://specs/runner.chat.output.json",
      type: "object",
      required: ["reply", "conversation_id"],
      properties: {
        reply: { type: "object", description: "Model or pipeline response for this turn, possibly structured." },
        conversation_id: { type: "string", description: "Server-generated or reused conversation UUID." },
        logs_uri: {
          type: "string",
          format: "uri",
          description: "Optional URI for server logs or trace for this turn.",
        },
      },
      additionalProperties: false,
    });
  });

  test("keeps the promises of its examples", async () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const examples = checkout.version().tools.get("runner.chat")?.examples ?? [];
    expect(examples.length).toBeGreaterThan(3);
    for (const { input, matches } of examples) {
      const output = await checkout.call("runner.chat", input as object, createContext());
      expect([input, output, ajv.validate(matches ?? false, output)]).toEqual([input, output, true]);
    }
  });

  test("[R4] goes on where the conversation was", async () => {
    const ctx = createContext();
    expect(await say("Is it warm in Oslo?", ctx)).toMatchObject({
      kind: "answer",
      text: expect.stringMatching(/^In Oslo, Norway it is /),
    });
    expect(await say("and in Lyon?", ctx)).toMatchObject({ arguments: { location: "Lyon" } });
    expect(ctx.remembered).toMatchObject({
      turns: [
        { message: "Is it warm in Oslo?" },
        { message: "and in Lyon?", tool: "runner.get_weather", arguments: { location: "Lyon" } },
      ],
      flags: {},
      last: { tool: "runner.get_weather" },
    });
  });

  test("says no more than the beginning where answers are to be brief, and has the rest in the result", async () => {
    const full = await say("What is the weather in Paris?");
    const brief = await say(
      "What is the weather in Paris?",
      createContext({ params: { replies: { length: "brief" } } }),
    );
    expect(brief.text).toBe(`${full.text.split("; ")[0]}.`);
    expect(brief.text).toMatch(/^In Paris, Île-de-France, France it is -?[\d.]+ °C (?:and|with) [a-z ]+\.$/);
    expect(brief.result).toEqual(full.result);
    expect((await say("Hello!", createContext({ params: { replies: { length: "brief" } } }))).kind).toBe("help");
  });

  test("reads clock times as those of the place", async () => {
    const ctx = createContext();
    const reply = await say("Will it rain in Kathmandu tomorrow at 3pm?", ctx);
    expect(reply.arguments).toEqual({ location: "Kathmandu", when: "2026-07-02T15:00:00+05:45" });
    expect(reply.text).toContain("on Thursday 2 July 2026 at 15:00 (UTC+05:45)");
    expect(ctx.called).toHaveLength(2);
    expect((await say("and at 9pm?", ctx)).text).toContain("at 21:00 (UTC+05:45)");
    expect((await say("and in Oslo?", ctx)).text).toContain(
      "In Oslo, Norway on Wednesday 1 July 2026 at 21:00 (UTC+02:00)",
    );
    expect((await say("in fahrenheit", ctx)).text).toContain("at 21:00 (UTC+02:00)");
  });

  test("does so for a question that took two messages, but not for a span of time", async () => {
    const ctx = createContext();
    await say("What will the weather be tomorrow at 3pm?", ctx);
    expect((await say("Kathmandu", ctx)).text).toContain("on Thursday 2 July 2026 at 15:00 (UTC+05:45)");
    await say("What will the weather be in 3 hours?", ctx);
    expect((await say("Kathmandu", ctx)).arguments).toEqual({ location: "Kathmandu", when: "2026-07-01T15:00:00Z" });
  });

  test("reads them by the caller's clock when metadata tells it", async () => {
    const ctx = createContext();
    const reply = await say("Will it rain in Kathmandu tomorrow at 3pm?", ctx, { utc_offset: "+02:00" });
    expect(reply.arguments).toEqual({ location: "Kathmandu", when: "2026-07-02T15:00:00+02:00" });
    expect(ctx.called).toHaveLength(1);
  });

  test("says what failed, and goes on from there", async () => {
    const ctx = createContext();
    expect(await say("weather in Atlantis", ctx)).toMatchObject({
      kind: "failure",
      text: expect.stringContaining("`Atlantis`"),
    });
    expect(await say("Rome", ctx)).toMatchObject({ kind: "answer", arguments: { location: "Rome" } });
    meteo.misbehave("rate-limit");
    const failed = await say("again", ctx);
    expect(failed).toMatchObject({
      kind: "failure",
      text: expect.stringMatching(/not available at the moment: .*HTTP 429.* Say "again"/),
    });
    meteo.misbehave(undefined);
    expect(await say("again", ctx)).toMatchObject({ kind: "answer", arguments: { location: "Rome" } });
  });

  test("points to the second of two things", async () => {
    expect(await say("weather in Paris and London")).toMatchObject({
      text: expect.stringMatching(/\nAsk "and London\?" for the other\.$/),
    });
  });

  test("does not cut a message that is too long to read", async () => {
    expect(await say(`add a note: ${"x".repeat(4_000)}`)).toMatchObject({
      kind: "failure",
      text: expect.stringContaining("4000 characters"),
    });
  });

  test("is as sure as its parameters tell it to be", async () => {
    const params = { chat: { match_threshold: 1.5, match_margin: 0.1, follow_up_words: 1 } };
    expect(await say("how warm is it in Oslo", createContext({ params }))).toMatchObject({ kind: "failure" });
  });

  test("holds the conversations of docs/runner.md as they are written there", async () => {
    const blocks = [...readFileSync("docs/runner.md", "utf8").matchAll(/```text\n(> [^]*?)\n```/g)].map(
      ([, block = ""]) => block,
    );
    expect(blocks).toHaveLength(2);
    for (const block of blocks) {
      const ctx = createContext();
      const lines: string[] = [];
      for (const [, message = ""] of block.matchAll(/^> (.*)$/gm))
        lines.push(`> ${message}\n${(await say(message, ctx)).text}`);
      expect(lines.join("\n\n")).toBe(block);
    }
  });

  test("answers any sequence of messages and remembers it as JSON", async () => {
    const words =
      'weather note ticket in Paris and again yes no cancel help convert 5 usd to eur roll dice tomorrow ? , : " { }'.split(
        " ",
      );
    const message = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((parts) => parts.join(" ")),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 6 }), async (messages) => {
        const { ctx, say: tell } = converse();
        for (const text of messages) expect((await tell(text)).text).not.toBe("");
        expect(JSON.parse(JSON.stringify(ctx.remembered ?? null))).toEqual(ctx.remembered ?? null);
        expect(ctx.called.length).toBeLessThanOrEqual(messages.length * 2);
      }),
      { numRuns: process.env["CAIRN_LONG"] ? 2_000 : 30 },
    );
  });
});

describe("runner.chat with a model", () => {
  const PARIS = { calls: [{ name: "runner_get_weather", arguments: { location: "Paris" } }] };

  test("lets it answer, from within the isolate", async () => {
    model.script(PARIS, { text: "Paris is fine." });
    const ctx = createContext({ model: createModel(model.url) });
    expect(await say("How is Paris?", ctx)).toMatchObject({
      text: "Paris is fine.",
      via: "model",
      tool: "runner.get_weather",
    });
    expect(ctx.remembered).toMatchObject({
      turns: [{ reply: "Paris is fine." }],
      last: { arguments: { location: "Paris" } },
    });
  });

  test("answers by itself when the model fails, and says so", async () => {
    model.script("server-error");
    const ctx = createContext({ model: createModel(model.url, 300) });
    expect(await say("Is it warm in Oslo?", ctx)).toMatchObject({ kind: "answer", via: "pipeline", fallback: true });
    expect(ctx.logged).toMatchObject([{ level: "warning", message: "The model failed; the pipeline answers." }]);
  });

  test("does not do twice what a failed answer has already done", async () => {
    model.script({ calls: [{ name: "notes_add", arguments: { text: "buy milk" } }] }, "server-error");
    const ctx = createFakeContext({ tools: FIXTURE_TOOLS, model: createModel(model.url, 1_500) });
    const { reply } = await chat({ message: "add a note: buy milk" }, ctx);
    expect(reply).toMatchObject({
      kind: "failure",
      text: expect.stringMatching(/^I used notes\.add, but could not finish/),
    });
    expect(ctx.called).toHaveLength(1);
  });

  test("is told to keep to one sentence where answers are to be brief", async () => {
    const told: boolean[] = [];
    for (const length of ["full", "brief"]) {
      model.script({ text: "Mild." });
      await say("How is Paris?", createContext({ model: createModel(model.url), params: { replies: { length } } }));
      told.push(JSON.stringify(model.requests).includes("One short sentence"));
    }
    expect(told).toEqual([false, true]);
  });

  test("asks it as often and as freely as the parameters say", async () => {
    model.script(PARIS);
    const params = { chat_model: { model_rounds: 2, model_temperature: 0.7 } };
    await say("How is Paris?", createContext({ model: createModel(model.url), params }));
    expect(model.requests.map(({ temperature }) => temperature)).toEqual([0.7, 0.7]);
  });
});
