import { describe, expect, test } from "vitest";
import type { Content } from "../../../../server/host-api.ts";
import { LOCAL_PRINCIPAL } from "../../../../server/principal.ts";
import type { Exchange } from "../../../../server/protocol/exchange.ts";
import { toIdentity } from "../../../../server/protocol/identity.ts";
import { type Params, writeResult } from "../../../../server/protocol/json-rpc.ts";
import { createPromptMethods, fillMessages } from "../../../../server/protocol/methods/prompts.ts";
import { createRequestStates } from "../../../../server/protocol/request-state.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const version = createTestVersion({
  servers: [
    {
      name: "runner",
      prompts: [
        {
          name: "greet",
          title: "Greeting",
          description: "Greets someone.",
          arguments: [{ name: "who", description: "Whom", required: true, suggestions: ["Ada"] }],
          messages: [
            { role: "user", content: { type: "image", data: "QQ==", mimeType: "image/png" } },
            { role: "assistant", content: { type: "text", text: "Hello, {{who}}!" } },
          ],
        },
        {
          name: "ask",
          arguments: [{ name: "place", required: true, ask: "Which place?", suggestions: [] }],
          messages: [{ role: "user", content: { type: "text", text: "Where is {{place}}?" } }],
        },
        {
          name: "ask-some",
          arguments: [
            { name: "place", required: true, ask: "Which place?", suggestions: [] },
            { name: "season", required: true, suggestions: [] },
          ],
          messages: [{ role: "user", content: { type: "text", text: "{{place}} in {{season}}?" } }],
        },
      ],
    },
  ],
});

const states = createRequestStates(Buffer.alloc(32), () => 0);
const STANDALONE: Exchange = {
  principal: LOCAL_PRINCIPAL,
  modern: false,
  client: { elicit: false, sample: false, roots: false },
  send: () => undefined,
};
const MODERN: Exchange = { ...STANDALONE, modern: true, client: { elicit: true, sample: false, roots: false } };

async function call(method: string, params: Params, exchange = STANDALONE): Promise<unknown> {
  const server = version.servers.get("runner");
  if (!server) throw new Error("There is no server.");
  const methods = createPromptMethods(version, server, toIdentity(version, server), states, {});
  const result: unknown = await methods[method]?.(params, exchange, 1);
  const { result: read } = JSON.parse(writeResult(1, result).pieces.join("")) as { readonly result: unknown };
  return read;
}

describe("prompts/list", () => {
  test("says what there is to fill in, and keeps messages, questions and suggestions back", async () => {
    expect(await call("prompts/list", {})).toEqual({
      prompts: [
        {
          name: "greet",
          title: "Greeting",
          description: "Greets someone.",
          arguments: [{ name: "who", description: "Whom", required: true }],
        },
        { name: "ask", arguments: [{ name: "place", required: true }] },
        {
          name: "ask-some",
          arguments: [
            { name: "place", required: true },
            { name: "season", required: true },
          ],
        },
      ],
      _meta: { "cairn/fingerprint": version.fingerprint() },
    });
  });
});

describe("prompts/get", () => {
  test("fills the arguments in", async () => {
    expect(await call("prompts/get", { name: "greet", arguments: { who: "Ada" } })).toMatchObject({
      description: "Greets someone.",
      messages: [
        { role: "user", content: { type: "image", data: "QQ==", mimeType: "image/png" } },
        { role: "assistant", content: { type: "text", text: "Hello, Ada!" } },
      ],
    });
  });

  test.each([
    [{ name: "gret" }, "There is no prompt `gret`; it has: greet, ask, ask-some."],
    [{ name: "greet" }, "The prompt needs `who`."],
    [{ name: "greet", arguments: { whom: "Ada" } }, "`arguments.whom` must be a string and one of: who."],
  ])("refuses %j", async (params, message) => {
    await expect(call("prompts/get", params)).rejects.toThrow(
      expect.objectContaining({ name: "BAD_REQUEST", message }),
    );
  });

  test("asks a modern client for what is missing, and takes the answer when it comes back", async () => {
    const asked = (await call("prompts/get", { name: "ask" }, MODERN)) as {
      readonly inputRequests: Readonly<Record<string, object>>;
      readonly requestState: string;
    };
    expect(asked).toEqual({
      resultType: "input_required",
      inputRequests: {
        arguments: {
          method: "elicitation/create",
          params: {
            message: "Which place?",
            requestedSchema: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
          },
        },
      },
      requestState: expect.any(String) as string,
    });
    const inputResponses = { arguments: { action: "accept", content: { place: "Atlantis" } } };
    const again = { name: "ask", inputResponses, requestState: asked.requestState };
    expect(await call("prompts/get", again, MODERN)).toMatchObject({
      messages: [{ role: "user", content: { type: "text", text: "Where is Atlantis?" } }],
    });
    const declined = { ...again, inputResponses: { arguments: { action: "decline" } } };
    await expect(call("prompts/get", declined, MODERN)).rejects.toThrow("The prompt needs `place`.");
  });

  test("asks nobody as long as something is missing that nobody is asked for", async () => {
    await expect(call("prompts/get", { name: "ask-some" }, MODERN)).rejects.toThrow("The prompt needs `season`.");
    const session = { ask: () => Promise.reject(new Error("somebody was asked")) } as unknown as Exchange["session"] &
      object;
    const waiting = { ...STANDALONE, client: MODERN.client, session };
    await expect(call("prompts/get", { name: "ask-some" }, waiting)).rejects.toThrow("The prompt needs `season`.");
    const given = { name: "ask-some", arguments: { season: "spring" } };
    expect(await call("prompts/get", given, MODERN)).toMatchObject({ resultType: "input_required" });
    await expect(call("prompts/get", given)).rejects.toThrow("The prompt needs `place`.");
  });

  test("asks nobody for what is there, or where nobody can be asked", async () => {
    const given = { name: "ask", arguments: { place: "Rome" } };
    expect(await call("prompts/get", given, MODERN)).toMatchObject({
      messages: [{ content: { text: "Where is Rome?" } }],
    });
    const unable = { ...MODERN, client: STANDALONE.client };
    await expect(call("prompts/get", { name: "ask" }, unable)).rejects.toThrow("The prompt needs `place`.");
    await expect(call("prompts/get", { name: "ask" })).rejects.toThrow("The prompt needs `place`.");
  });
});

describe("messages of a prompt", () => {
  const VALUES = new Map([["place", 'Rome "aeterna"']]);

  test.each<[Content, Content]>([
    [
      { type: "text", text: "In {{place}} at {{time}}" },
      { type: "text", text: 'In Rome "aeterna" at ' },
    ],
    [
      { type: "image", data: "e3twbGFjZX19", mimeType: "image/png" },
      { type: "image", data: "e3twbGFjZX19", mimeType: "image/png" },
    ],
    [
      { type: "resource", resource: { uri: "docs://{{place}}", mimeType: "text/plain", text: "{{place}}!" } },
      { type: "resource", resource: { uri: 'docs://Rome "aeterna"', mimeType: "text/plain", text: 'Rome "aeterna"!' } },
    ],
    [
      { type: "resource", resource: { uri: "{{place}}", mimeType: "application/json", text: '["{{place}}"]' } },
      {
        type: "resource",
        resource: { uri: 'Rome "aeterna"', mimeType: "application/json", text: '["Rome \\"aeterna\\""]' },
      },
    ],
    [
      { type: "resource", resource: { uri: "docs://{{time}}", blob: "QQ==" } },
      { type: "resource", resource: { uri: "docs://", blob: "QQ==" } },
    ],
  ])("%j is filled in", async (content, filled) => {
    const prompt = { name: "p", arguments: [], messages: [{ role: "user", content }] } as const;
    expect(await fillMessages(prompt, VALUES, async () => "")).toEqual([{ role: "user", content: filled }]);
  });

  test("the text of a message can come from the running service, with the arguments", async () => {
    const prompt = { name: "p", arguments: [], messages: [{ role: "user", provider: "clock" }] } as const;
    const say = async (provider: string, values: ReadonlyMap<string, string>) =>
      `${provider} in ${values.get("place")}`;
    expect(await fillMessages(prompt, new Map([["place", "Rome"]]), say)).toEqual([
      { role: "user", content: { type: "text", text: "clock in Rome" } },
    ]);
  });
});
