import { describe, expect, test } from "vitest";
import { checkContent } from "../../../../server/kernel/stages/content.ts";
import type { Json } from "../../../../server/store/store.ts";
import { createTestTool } from "../../../helpers/test-version.ts";

const tool = createTestTool({ name: "s.show", server: "s" });

describe("content to show", () => {
  test.each<[string, Json]>([
    ["nothing", []],
    ["text", [{ type: "text", text: "" }]],
    ["an image", [{ type: "image", data: "R0lGOA==", mimeType: "image/gif" }]],
    ["sound", [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }]],
    ["a resource of text", [{ type: "resource", resource: { uri: "a:b", text: "x" } }]],
    ["a resource of bytes", [{ type: "resource", resource: { uri: "a:b", blob: "AAA=", mimeType: "a/b" } }]],
    ["a link", [{ type: "resource_link", uri: "a:b", name: "B", description: "More" }]],
    ["annotations", [{ type: "text", text: "x", annotations: { audience: ["user"] }, _meta: { a: 1 } }]],
    ["a hundred blocks", Array.from({ length: 100 }, () => ({ type: "text", text: "x" }))],
  ])("may be %s", (_, content) => {
    expect(checkContent(tool, content)).toBe(content);
  });

  test.each<[string, Json]>([
    ["no list", { type: "text", text: "x" }],
    ["null", null],
    ["a block of no type", [{ text: "x" }]],
    ["a block of another type", [{ type: "video", data: "AAAA", mimeType: "a/b" }]],
    ["text without text", [{ type: "text" }]],
    ["an image in no base64", [{ type: "image", data: "R0lGOA", mimeType: "image/gif" }]],
    ["an image of no type", [{ type: "image", data: "AAAA" }]],
    ["a resource without content", [{ type: "resource", resource: { uri: "a:b" } }]],
    ["a resource with two contents", [{ type: "resource", resource: { uri: "a:b", text: "x", blob: "AAAA" } }]],
    ["a link without a name", [{ type: "resource_link", uri: "a:b" }]],
    ["too much", Array.from({ length: 101 }, () => ({ type: "text", text: "x" }))],
  ])("may not be %s", (_, content) => {
    expect(() => checkContent(tool, content)).toThrow(
      expect.objectContaining({ name: "OUTPUT_INVALID", message: expect.stringContaining("`s.show`") as string }),
    );
  });
});
