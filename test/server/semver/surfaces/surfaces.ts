import { type McpSurface, toDefinitions } from "../../../../server/semver/surfaces/surface.ts";

/** A surface with these tools, and otherwise little. */
export function toSurface(tools: readonly object[], more: Partial<McpSurface> = {}): McpSurface {
  return {
    server: { name: "issues", version: "1.0.0" },
    protocol: "2025-11-25",
    capabilities: { tools: {} },
    tools: toDefinitions("tools", tools),
    prompts: {},
    resources: {},
    resourceTemplates: {},
    ...more,
  };
}

/** A tool whose input has these members, all of which may be left out. */
export function toTool(properties: object, more: object = {}): object {
  return { name: "list", inputSchema: { type: "object", properties }, ...more };
}
