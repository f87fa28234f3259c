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
])("%j is filled in", (content, filled) => {
  const prompt = { name: "p", arguments: [], messages: [{ role: "user", content }] } as const;
  expect(fillMessages(prompt, VALUES)).toEqual([{ role: "user", content: filled }]);
});
