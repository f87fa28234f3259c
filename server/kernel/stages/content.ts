import { CairnError } from "../../errors.ts";
import type { Json } from "../../store/store.ts";
import { createShapeCheck } from "../arguments.ts";
import type { Tool } from "../../versions/version.ts";

const TEXT = { type: "string" };
const BASE64 = { type: "string", pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$" };

const isContent = createShapeCheck<readonly Json[]>({
  type: "array",
  maxItems: 100,
  items: {
    type: "object",
    required: ["type"],
    oneOf: [
      { properties: { type: { const: "text" }, text: TEXT }, required: ["text"] },
      {
        properties: { type: { enum: ["image", "audio"] }, data: BASE64, mimeType: TEXT },
        required: ["data", "mimeType"],
      },
      {
        properties: {
          type: { const: "resource" },
          resource: {
            type: "object",
            required: ["uri"],
            properties: { uri: TEXT, mimeType: TEXT, text: TEXT, blob: BASE64 },
            oneOf: [{ required: ["text"] }, { required: ["blob"] }],
          },
        },
        required: ["resource"],
      },
      { properties: { type: { const: "resource_link" }, uri: TEXT, name: TEXT }, required: ["uri", "name"] },
    ],
  },
});

/** Checks that a handler gave `ctx.reply` content as MCP has it. @throws OUTPUT_INVALID. */
export function checkContent(tool: Tool, content: Json): readonly Json[] {
  if (isContent(content)) return content;
  throw new CairnError(
    "OUTPUT_INVALID",
    `The content that \`${tool.name}\` replies with is wrong: it must be a list of text, image, audio, resource or resource_link blocks, with base64 where MCP has it.`,
  );
}
