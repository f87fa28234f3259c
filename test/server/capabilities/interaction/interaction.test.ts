import { describe, expect, test } from "vitest";
import type { Json } from "../../../../server/store/store.ts";
import { interactionSyscalls } from "../../../../server/capabilities/interaction/interaction.ts";
import type { Question } from "../../../../server/kernel/call.ts";
import { createRunningCall } from "../../../helpers/running-call.ts";

const FORM = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const ELICIT = { key: "k", message: "Who?", schema: FORM };
const SAMPLE = { key: "k", messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 5 };
const ALL = { elicit: true, sample: true, roots: true };

/** What a syscall comes to: its value, or the question that it ends the run with. */
type Name = keyof typeof interactionSyscalls;

async function run(name: string, args: unknown, answer?: Json, client = ALL) {
  const asked: Question[] = [];
  const call = createRunningCall({
    tool: { name: "s.ask", server: "s" },
    call: {
      client,
      answers: new Map(answer === undefined ? [] : [["k", answer]]),
      ask: (question) => {
        asked.push(question);
        return Promise.reject(new Error("asked"));
      },
    },
  });
  const value = await Promise.resolve(interactionSyscalls[name as Name].run(call, args)).catch((error: Error) => {
    if (error.message === "asked") return undefined;
    throw error;
  });
  return { value, asked };
}

describe("a question without an answer", () => {
  test.each<[string, object, Question]>([
    ["elicit", ELICIT, { key: "k", method: "elicitation/create", params: { message: "Who?", requestedSchema: FORM } }],
    [
      "sample",
      SAMPLE,
      { key: "k", method: "sampling/createMessage", params: { messages: SAMPLE.messages as Json, maxTokens: 5 } },
    ],
    ["roots", { key: "k" }, { key: "k", method: "roots/list", params: {} }],
  ])("%s is put to the caller", async (name, args, question) => {
    expect(await run(name, args)).toEqual({ value: undefined, asked: [question] });
  });

  test.each([
    ["elicit", ELICIT, "elicitation"],
    ["sample", SAMPLE, "sampling"],
    ["roots", { key: "k" }, "roots"],
  ])("%s fails where the caller cannot be asked so", async (name, args, capability) => {
    const ability = name as keyof typeof ALL;
    await expect(run(name, args, undefined, { ...ALL, [ability]: false })).rejects.toThrow(
      expect.objectContaining({
        name: "MISSING_CLIENT_CAPABILITY",
        details: { requiredCapabilities: { [capability]: {} } },
      }),
    );
  });
});

describe("an answer", () => {
  const model = { role: "assistant", content: { type: "text", text: "Hi" }, model: "m" };
  test.each<[string, object, Json, Json]>([
    ["elicit", ELICIT, { action: "accept", content: { name: "Ada" } }, { action: "accept", content: { name: "Ada" } }],
    ["elicit", ELICIT, { action: "decline" }, { action: "decline" }],
    ["elicit", ELICIT, { action: "cancel", content: { name: "Ada" } }, { action: "cancel" }],
    [
      "elicit",
      { ...ELICIT, schema: { type: "object", properties: {} } },
      { action: "accept" },
      { action: "accept", content: {} },
    ],
    ["sample", SAMPLE, model, model],
    [
      "sample",
      SAMPLE,
      { ...model, content: [{ type: "text", text: "Hi" }] },
      { ...model, content: [{ type: "text", text: "Hi" }] },
    ],
    ["roots", { key: "k" }, { roots: [{ uri: "file:///a", name: "A" }] }, [{ uri: "file:///a", name: "A" }]],
    ["roots", { key: "k" }, { roots: [] }, []],
  ])("to %s of %j: %j", async (name, args, answer, value) => {
    expect(await run(name, args, answer)).toEqual({ value, asked: [] });
  });

  test.each<[string, object, Json]>([
    ["elicit", ELICIT, { action: "accept" }],
    ["elicit", ELICIT, { action: "accept", content: { name: 1 } }],
    ["elicit", ELICIT, { action: "perhaps" }],
    ["elicit", ELICIT, null],
    ["sample", SAMPLE, { role: "assistant", content: {}, model: "m" }],
    ["sample", SAMPLE, { role: "system", content: { type: "text" }, model: "m" }],
    ["sample", SAMPLE, { action: "accept" }],
    ["roots", { key: "k" }, { roots: [{ name: "A" }] }],
    ["roots", { key: "k" }, []],
  ])("to %s of %j that does not fit counts as none: %j", async (name, args, answer) => {
    expect((await run(name, args, answer)).asked).toHaveLength(1);
  });
});

describe("a question that makes no sense", () => {
  test.each<[string, unknown, string]>([
    ["elicit", { ...ELICIT, key: "" }, "`key`"],
    ["elicit", { ...ELICIT, key: "x".repeat(65) }, "`key`"],
    ["elicit", { ...ELICIT, message: undefined }, "message"],
    ["elicit", { ...ELICIT, schema: { type: "string" } }, "schema"],
    ["elicit", { ...ELICIT, schema: { ...FORM, properties: { a: { type: "object" } } } }, "`a` is of type `object`"],
    ["elicit", { ...ELICIT, schema: { ...FORM, properties: { a: { type: "string", oneOf: "x" } } } }, "oneOf"],
    ["elicit", { ...ELICIT, schema: { ...FORM, properties: { a: { type: "array", items: { enum: "x" } } } } }, "enum"],
    ["sample", { ...SAMPLE, messages: [] }, "messages"],
    ["sample", { ...SAMPLE, maxTokens: 0 }, "maxTokens"],
    ["sample", { ...SAMPLE, messages: [{ role: "system", content: { type: "text" } }] }, "role"],
    ["roots", {}, "key"],
    ["roots", null, "arguments"],
  ])("is refused: %s of %j", async (name, args, part) => {
    await expect(run(name, args)).rejects.toThrow(
      expect.objectContaining({ name: "BAD_REQUEST", message: expect.stringContaining(part) as string }),
    );
  });
});
