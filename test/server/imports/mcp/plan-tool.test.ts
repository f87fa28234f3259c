import { describe, expect, test } from "vitest";
import { planTool } from "../../../../server/imports/mcp/plan-tool.ts";
import { createForeignReader } from "../../../../server/semver/surfaces/foreign-schema.ts";
import type { Definition } from "../../../../server/semver/surfaces/surface.ts";

const OPTIONS = {
  upstream: "files",
  tool: "read_file",
  name: "read_file",
  isGuarded: false,
  readForeign: createForeignReader(),
};
const plan = (definition: Definition, more: Partial<typeof OPTIONS> = {}) =>
  planTool(definition, { ...OPTIONS, ...more });
const CONTENT = { type: "object", required: ["content"], properties: { content: { type: "array" } } };

describe("the manifest of an imported tool", () => {
  test("says what its definition says, and that it calls the upstream", () => {
    const output = { type: "object", properties: { text: { type: "string" } } };
    const { manifest, notes } = plan({
      title: "Read",
      description: "  Reads a file.\n",
      inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      outputSchema: output,
      annotations: { readOnlyHint: true, idempotentHint: true, title: "Another" },
    });
    expect(notes).toEqual([]);
    expect(manifest).toEqual({
      name: "read_file",
      title: "Read",
      version: "1.0.0",
      description: "Reads a file.",
      input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      output,
      sideEffect: false,
      uses: ["mcp"],
      upstreams: ["files"],
      limits: { time: 30_000 },
    });
  });

  test("takes the worst of what a server leaves open, and asks for a capability where there are policies", () => {
    const { manifest } = plan({ annotations: { title: "Write" } }, { isGuarded: true });
    expect(manifest).toMatchObject({
      title: "Write",
      description: "Calls `read_file` of the upstream `files`.",
      input: { type: "object" },
      output: CONTENT,
      sideEffect: true,
      requiredCapabilities: ["tool:read_file"],
    });
    expect(manifest).not.toHaveProperty("idempotent");
    expect(plan({ annotations: { idempotentHint: true } }).manifest["idempotent"]).toBe(true);
  });

  test("wraps an output that is no object", () => {
    const outputSchema = { type: "array", items: { type: "string" } };
    expect(plan({ outputSchema }).manifest["output"]).toEqual({
      type: "object",
      required: ["result"],
      properties: { result: outputSchema },
    });
  });

  test("reads older drafts, and leaves out what cannot be checked in linear time, with a note", () => {
    const { manifest, notes } = plan({
      inputSchema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        definitions: { size: { type: "number", minimum: 0 } },
        properties: { size: { $ref: "#/definitions/size" }, id: { type: "string", pattern: "^(?=a)b$" } },
      },
    });
    expect(manifest["input"]).toMatchObject({ properties: { id: { type: "string" } } });
    expect(JSON.stringify(manifest["input"])).not.toContain("pattern");
    expect(JSON.stringify(manifest["input"])).not.toContain("draft-07");
    expect(notes).toEqual([
      "`properties.id.pattern` of its input schema is left out, because it cannot be checked in linear time",
    ]);
  });

  test("keeps which draft a schema names, where that is 2020-12, and which arguments are repeated as headers", () => {
    const inputSchema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        region: { type: "string", "x-mcp-header": "Region" },
        place: { type: "object", properties: { city: { type: "string", "x-mcp-header": "City", "x-other": 1 } } },
      },
    };
    const { manifest } = plan({ inputSchema });
    expect(manifest["input"]).toEqual({
      ...inputSchema,
      properties: {
        ...inputSchema.properties,
        place: { type: "object", properties: { city: { type: "string", "x-mcp-header": "City" } } },
      },
    });
  });

  test("lets everything through where a schema cannot be read, with a note", () => {
    const { manifest, notes } = plan({ inputSchema: { type: "object", $ref: "https://elsewhere.example/schema" } });
    expect(manifest["input"]).toEqual({ type: "object" });
    expect(notes).toEqual([expect.stringMatching(/^its input schema cannot be read \(.+\), and lets everything/)]);
  });
});
