import { CairnError } from "../../errors.ts";
import type { ClientAbilities, Content } from "../../host-api.ts";
import type { Json } from "../../store/store.ts";
import { createArgumentCheck, createShapeCheck } from "../../kernel/arguments.ts";
import { assertForm, fitsForm, type FormSchema } from "./form.ts";
import type { Question } from "../../kernel/call.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { defineSyscalls } from "../../kernel/dispatch.ts";

/** Capabilities that a client has to declare before it may be asked, by MCP's names. */
const CAPABILITIES: Readonly<Record<keyof ClientAbilities, string>> = {
  elicit: "elicitation",
  sample: "sampling",
  roots: "roots",
};

const KEY = { type: "string", minLength: 1, maxLength: 64 };
const TEXTS = { type: "array", items: { type: "string" } };
const CHOICES = {
  type: "array",
  items: { type: "object", required: ["const"], properties: { const: { type: "string" } } },
};
const FIELD = {
  type: "object",
  properties: {
    enum: TEXTS,
    oneOf: CHOICES,
    items: { type: "object", properties: { enum: TEXTS, anyOf: CHOICES } },
    minLength: { type: "number" },
    maxLength: { type: "number" },
    minimum: { type: "number" },
    maximum: { type: "number" },
    minItems: { type: "number" },
    maxItems: { type: "number" },
  },
};

const elicitArguments = createArgumentCheck<{ key: string; message: string; schema: FormSchema }>("elicit", {
  type: "object",
  required: ["key", "message", "schema"],
  properties: {
    key: KEY,
    message: { type: "string" },
    schema: {
      type: "object",
      required: ["type", "properties"],
      properties: {
        type: { const: "object" },
        properties: { type: "object", additionalProperties: FIELD, maxProperties: 100 },
        required: TEXTS,
      },
    },
  },
});

interface SampleArguments {
  readonly key: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: Content }[];
  readonly maxTokens: number;
}

const sampleArguments = createArgumentCheck<SampleArguments>("sample", {
  type: "object",
  required: ["key", "messages", "maxTokens"],
  properties: {
    key: KEY,
    messages: {
      type: "array",
      minItems: 1,
      maxItems: 500,
      items: {
        type: "object",
        required: ["role", "content"],
        properties: { role: { enum: ["user", "assistant"] }, content: { type: "object", required: ["type"] } },
      },
    },
    maxTokens: { type: "integer", minimum: 1 },
    systemPrompt: { type: "string" },
    temperature: { type: "number" },
    stopSequences: { type: "array", items: { type: "string" } },
  },
});

const rootsArguments = createArgumentCheck<{ key: string }>("roots", {
  type: "object",
  required: ["key"],
  properties: { key: KEY },
});

const isFormReply = createShapeCheck<{ action: "accept" | "decline" | "cancel"; content?: Json }>({
  type: "object",
  required: ["action"],
  properties: { action: { enum: ["accept", "decline", "cancel"] } },
});

const isSampleReply = createShapeCheck<Json>({
  type: "object",
  required: ["role", "content", "model"],
  properties: {
    role: { enum: ["user", "assistant"] },
    content: {
      anyOf: [
        { type: "object", required: ["type"] },
        { type: "array", items: { type: "object", required: ["type"] } },
      ],
    },
    model: { type: "string" },
    stopReason: { type: "string" },
  },
});

const isRootsReply = createShapeCheck<{ roots: Json }>({
  type: "object",
  required: ["roots"],
  properties: {
    roots: {
      type: "array",
      items: {
        type: "object",
        required: ["uri"],
        properties: { uri: { type: "string" }, name: { type: "string" } },
      },
    },
  },
});

/** `ctx.elicit`, `ctx.sample`, `ctx.roots`: an answer that does not fit its question counts as none, and is asked for again. */
export const interactionSyscalls = defineSyscalls({
  elicit(call, args) {
    const { key, message, schema } = elicitArguments(args);
    assertForm(schema);
    const params = { message, requestedSchema: schema as unknown as Json };
    return ask(call, "elicit", { key, method: "elicitation/create", params }, (answer) => {
      if (!isFormReply(answer)) return undefined;
      if (answer.action !== "accept") return { action: answer.action };
      // A form with nothing to fill in may come back without content.
      const { content = {} } = answer;
      return fitsForm(schema, content) ? { action: "accept", content } : undefined;
    });
  },
  sample(call, args) {
    const { key, ...params } = sampleArguments(args);
    const question: Question = { key, method: "sampling/createMessage", params: params as unknown as Json };
    return ask(call, "sample", question, (answer) => (isSampleReply(answer) ? answer : undefined));
  },
  roots(call, args) {
    const { key } = rootsArguments(args);
    const question: Question = { key, method: "roots/list", params: {} };
    return ask(call, "roots", question, (answer) => (isRootsReply(answer) ? answer.roots : undefined));
  },
});

async function ask(
  call: RunningCall,
  ability: keyof ClientAbilities,
  question: Question,
  read: (answer: Json) => Json | undefined,
): Promise<Json> {
  const { tool, client, answers } = call;
  if (!client[ability]) {
    const capability = CAPABILITIES[ability];
    throw new CairnError(
      "MISSING_CLIENT_CAPABILITY",
      `\`${tool.name}\` needs a caller that can be asked by \`${question.method}\`: an MCP client that declares \`${capability}\`.`,
      { details: { requiredCapabilities: { [capability]: {} } } },
    );
  }
  const answer = answers.get(question.key);
  const value = answer === undefined ? undefined : read(answer);
  return value ?? call.ask(question);
}
