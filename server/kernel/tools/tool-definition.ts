import { describeTool, showDeprecation } from "../../versions/retirement/deprecation.ts";
import type { Tool } from "../../versions/version.ts";

export type ToolDefinition = ReturnType<typeof toToolDefinition>;

/** A tool's definition, in the words of the tool registry. */
export function toToolDefinition(tool: Tool) {
  return {
    name: tool.name,
    server: tool.server,
    version: tool.version,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: describeTool(tool),
    ...(tool.deprecated === undefined ? {} : { deprecated: showDeprecation(tool.deprecated) }),
    inputSchema: tool.input,
    outputSchema: tool.output,
    deterministic: tool.deterministic,
    sideEffect: tool.sideEffect,
    idempotent: tool.idempotent,
    cost: tool.cost,
    requiredCapabilities: tool.requiredCapabilities,
    tenantScoped: tool.tenantScoped,
    session: tool.session,
    examples: tool.examples,
  };
}
