import { expect, test } from "vitest";
import type { Content } from "../../../../server/host-api.ts";
import { fillMessages } from "../../../../server/protocol/methods/prompt-messages.ts";

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
  const say = async (provider: string, values: ReadonlyMap<string, string>) => `${provider} in ${values.get("place")}`;
  expect(await fillMessages(prompt, new Map([["place", "Rome"]]), say)).toEqual([
    { role: "user", content: { type: "text", text: "clock in Rome" } },
  ]);
});
